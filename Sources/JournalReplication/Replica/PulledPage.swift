package import EventLog
package import FoundationEssentials
package import HealthModel
internal import Interchange
package import JournalCore
internal import JournalEvents

/// One page that a replica fetched from its service.
package struct PulledPage: Sendable {
    package var events: [MirroredEvent] = []
    package var forgotten: [(record: UUID, why: SyncPage.Forgetting)] = []
    package var again: Set<UUID> = []
    package var through: UInt64 = 0
    package var hasMore = false
    package var checkpoint: String?
    package var now = Instant(microseconds: 0)
    package var recordedAt: Instant?
    package var zoneTable = ""
    package var journal: UUID
    package var zone: String
    package var sight: [UUID: SyncAccess] = [:]
    package var accounts: [SyncAccount] = []

    /// Reads the lines of a page; throws if it is not complete.
    package init(_ bytes: [UInt8]) throws(JournalError) {
        do {
            let lines = try bytes.split(separator: 0x0A)
                .map { try NativeObject(JSONReader.read(Array($0), maximumBytes: $0.count)) }
            guard let last = lines.last, last.members.contains(where: { $0.name == "upTo" }) else {
                throw JournalError(.failed, "the connection broke before the page was complete")
            }
            (journal, zone) = (try last.id("journal"), try last.required("zone"))
            for line in lines.dropLast() { try take(line) }
            through = try last.number("upTo")
            hasMore = try last.flag("more")
            checkpoint = try last.text("checkpoint")
            now = try last.instant("now")
            recordedAt = try last.optionalInstant("recordedAt")
            zoneTable = try last.text("zoneTable") ?? ""
            for item in try last.objects("sight") { sight[try item.id("record")] = try SyncAccess(item) }
            accounts = try last.objects("accounts").map { item throws(ModelError) in try SyncAccount(item) }
        } catch let error as JournalError {
            throw error
        } catch {
            throw JournalError(.failed, "the service's answer cannot be read; it may be of another version")
        }
    }

    private mutating func take(_ line: NativeObject) throws {
        switch line.members.first?.name {
        case "event": events.append(try PulledPage.event(line.object("event")))
        case "forget":
            let why = SyncPage.Forgetting(rawValue: try line.required("why")) ?? .revoked
            forgotten.append((try line.id("forget"), why))
        case "again": again.insert(try line.id("again"))
        default: throw ModelError(.invalid, "an unknown line")
        }
    }

    private static func event(_ object: NativeObject) throws -> MirroredEvent {
        let kind = try object.text("kind").flatMap(Kind.named)
        guard let type = EventType(named: try object.required("type")),
            let payload = Data(base64Encoded: try object.required("data_base64"))
        else {
            throw JournalError(.outdated, "the service has events of a newer version: update this program")
        }
        let decoded = try EventCodec.decode(
            type: type.rawValue,
            schemaVersion: type.schemaVersion,
            kind: kind?.code ?? 0,
            payload: Array(payload)
        )
        let id = try object.id("id")
        let source = try object.required("source")
        let event = try NewEvent(
            decoded.event,
            id: id,
            stream: object.id("stream"),
            subject: object.id("subject"),
            entry: object.optionalID("entry"),
            kind: kind,
            origin: EventOrigin(
                actor: object.id("actor"),
                source: EventSource.allCases.first { $0.name == source } ?? .system,
                correlation: id,
                reason: decoded.reason,
                change: decoded.origin
            ),
            clock: decoded.clock?.microseconds
        )
        let recordedAt = try object.instant("time").microseconds
        return MirroredEvent(event, at: try object.number("position"), recordedAt: recordedAt)
    }
}
