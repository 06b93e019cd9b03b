import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

/// The state of a replica, with its waiting and its refused changes.
struct ReplicaStatus {
    private let state: ReplicaState
    private let waiting: [SyncCommand]
    private let refused: [Outbox.Item]
    /// Whether the service answers; nil if it was not asked, because no token is given.
    private let isOnline: Bool?
    private let isSyncing: Bool

    init(_ state: ReplicaState, _ items: [Outbox.Item], isOnline: Bool?, isSyncing: Bool) {
        self.state = state
        self.isOnline = isOnline
        self.isSyncing = isSyncing
        waiting = items.filter(\.isWaiting).map(\.change)
        refused = items.filter(\.isRefused)
    }

    private var since: Instant? { waiting.map(\.madeAt).min() }

    var json: JSONValue {
        .present([
            "service": .string(state.service), "journal": state.journal.map { .string($0.text) },
            "account": .string(state.account.text), "accountName": .string(state.accountName),
            "device": .string(state.device.text), "deviceName": .string(state.deviceName),
            "position": .integer(state.through), "lastSync": state.lastSync.map { .time($0) } ?? .null,
            "isOnline": isOnline.map { .bool($0) } ?? .null, "syncInProgress": .bool(isSyncing),
            "clockOffsetSeconds": .integer(state.clockOffset / 1_000_000),
            "zoneTable": [
                "service": .string(state.zoneTable), "here": .string(Journal.Offline.zoneTable),
                "differs": .bool(state.zoneTable != Journal.Offline.zoneTable),
            ],
            "records": .array(
                state.sight.sorted { $0.key.text < $1.key.text }
                    .map { .object([.init("record", .string($0.key.text))] + $0.value.members) }
            ),
            "waiting": .integer(waiting.count), "waitingSince": since.map { .time($0) } ?? .null,
            "refused": .array(refused.map(\.json)),
        ])
    }

    var lines: [String] {
        var lines = [
            "service      \(state.service), account \(state.accountName), device \(state.deviceName)",
            "fetched      up to position \(state.through), \(state.sight.count) record\(state.sight.count == 1 ? "" : "s")",
            "online       \(isOnline.map { $0 ? "yes" : "no, the service does not answer" } ?? "not asked, no token is set")",
            "last sync    \(state.lastSync?.description ?? "never")\(isSyncing ? "; a sync is in progress" : "")",
            "waiting      \(waiting.count)\(since.map { " since \($0)" } ?? "")",
            "refused      \(refused.count)",
        ]
        lines += refused.map { item in
            "  \(item.change.id)  \(item.change.action.rawValue) \(item.change.kind.word) of \(item.change.madeAt): "
                + (item.answer?.detail ?? item.answer?.problem ?? "refused")
        }
        if state.zoneTable != Journal.Offline.zoneTable {
            lines.append(
                """
                time zones   the service has the table \(state.zoneTable), this machine \(Journal.Offline.zoneTable): \
                times near a change of a zone's rules may differ
                """
            )
        }
        return lines
    }
}

extension Outbox.Item {
    /// The change as it is sent, with the service's answer.
    var json: JSONValue {
        let answer = answer.map { answer -> JSONValue in
            .present([
                "outcome": .string(answer.outcome.rawValue), "problem": answer.problem.map { .string($0) },
                "detail": answer.detail.map { .string($0) }, "field": answer.field.map { .string($0) },
            ])
        }
        return .object(change.json.members + (answer.map { [.init("answer", $0)] } ?? []))
    }
}
