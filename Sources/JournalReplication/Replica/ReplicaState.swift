package import FoundationEssentials
package import HealthModel
package import Interchange
internal import JournalCore

/// What a replica knows of its service, as of the last sync.
package struct ReplicaState: Sendable {
    /// The URL of the service.
    package var service: String
    package var account: UUID
    package var accountName: String
    /// The device as which the replica sends changes.
    package var device: UUID
    package var deviceName: String
    /// The id of the service's journal; nil before the first pull.
    package var journal: UUID?
    /// The time zone in which the journal's days end.
    package var zone = "UTC"
    /// The id of the mirror that the following members describe; nil if there is none.
    package var mirror: UUID?
    /// The position up to which the mirror has everything that the account may see.
    package var through: UInt64 = 0
    /// The service's signed checkpoint as of the last pull.
    package var checkpoint: String?
    package var zoneTable = ""
    package var sight: [UUID: SyncAccess] = [:]
    package var accounts: [UUID: SyncAccount] = [:]
    /// Records that must be fetched again from the beginning, because the account sees more or less of them.
    package var again: Set<UUID> = []
    /// Records whose data is being removed from the replica; empty unless a removal was interrupted.
    package var forgetting: Set<UUID> = []
    package var lastSync: Instant?
    /// How far the service's clock was ahead of the device's at the last sync, in microseconds.
    package var clockOffset: Int64 = 0

    package init(service: String, account: UUID, accountName: String, device: UUID, deviceName: String) {
        self.service = service
        (self.account, self.accountName) = (account, accountName)
        (self.device, self.deviceName) = (device, deviceName)
    }

    /// Forgets what the mirror has, so that everything is fetched again.
    mutating func resetMirror() {
        (mirror, through, sight, again) = (nil, 0, [:], [])
    }
}

extension ReplicaState {
    package init(_ object: NativeObject) throws(ModelError) {
        self.init(
            service: try object.required("service"),
            account: try object.id("account"),
            accountName: try object.required("accountName"),
            device: try object.id("device"),
            deviceName: try object.required("deviceName")
        )
        journal = try object.optionalID("journal")
        zone = try object.required("zone")
        mirror = try object.optionalID("mirror")
        through = try object.number("through")
        checkpoint = try object.text("checkpoint")
        zoneTable = try object.text("zoneTable") ?? ""
        for item in try object.objects("sight") { sight[try item.id("record")] = try SyncAccess(item) }
        for item in try object.objects("accounts") { accounts[try item.id("id")] = try SyncAccount(item) }
        again = try object.ids("again")
        forgetting = try object.ids("forgetting")
        lastSync = try object.optionalInstant("lastSync")
        clockOffset = Int64(try object.required("clockOffset")) ?? 0
    }

    package var json: JSONValue {
        .present([
            "service": .string(service), "account": .string(account.text), "accountName": .string(accountName),
            "device": .string(device.text), "deviceName": .string(deviceName),
            "journal": journal.map { .string($0.text) }, "zone": .string(zone),
            "mirror": mirror.map { .string($0.text) }, "through": .integer(through),
            "checkpoint": checkpoint.map { .string($0) }, "zoneTable": .string(zoneTable),
            "sight": .array(
                sight.sorted { $0.key.text < $1.key.text }
                    .map { .object([.init("record", .string($0.key.text))] + $0.value.members) }
            ),
            "accounts": .array(accounts.values.sorted { $0.id.text < $1.id.text }.map(\.json)),
            "again": again.json, "forgetting": forgetting.json,
            "lastSync": lastSync.map { .time($0) }, "clockOffset": .string(String(clockOffset)),
        ])
    }
}

extension NativeObject {
    /// Returns the ids in a list; empty if it is missing.
    fileprivate func ids(_ name: String) throws(ModelError) -> Set<UUID> {
        var ids: Set<UUID> = []
        for text in try texts(name) {
            guard let id = UUID(uuidString: text) else { throw ModelError(.invalid, field: name, "must be UUIDs") }
            ids.insert(id)
        }
        return ids
    }
}

extension Set<UUID> {
    fileprivate var json: JSONValue { .array(map(\.text).sorted().map { .string($0) }) }
}
