import FoundationEssentials
import TestSupport
import Testing

@testable import HealthModel

/// The events of an entry, to which devices send changes one after the other.
struct SyncLog {
    static let entry = Example.id(40)
    static let now = Instant(microseconds: 1_800_000_000_000_000)

    var events: [RecordedEvent] = []

    var state: EntryState? { events.reduce(into: nil) { evolve(&$0, $1) } }
    var open: [EntryDivergence] { EntryDivergence.open(in: events) }

    mutating func send(
        _ action: SyncCommand.Action,
        _ content: EntryContent? = nil,
        base: UInt64? = nil,
        device: UInt8,
        madeAt: Int64,
        offset: Int64 = 0
    ) throws -> SyncDecision {
        let device = Example.id(device)
        let kind = try #require(content?.kind ?? state?.kind)
        let origin = ChangeOrigin(madeAt: Instant(microseconds: madeAt), device: device)
        let command = SyncCommand(
            id: "\(device)/\(events.count)",
            device: device,
            seq: UInt64(events.count) + 1,
            madeAt: origin.madeAt,
            record: Example.record,
            entry: SyncLog.entry,
            kind: kind,
            action: action,
            base: base,
            content: content
        )
        let decision = try decide(
            command,
            events,
            author: Example.anna,
            origin: origin,
            offset: offset,
            now: SyncLog.now
        )
        for event in decision.events {
            let position = UInt64(events.count) + 1
            events.append(
                RecordedEvent(
                    stamp: Stamp(position: position, recordedAt: SyncLog.now, actor: Example.anna),
                    subject: Example.record,
                    stream: SyncLog.entry,
                    entry: SyncLog.entry,
                    event: event,
                    origin: origin
                )
            )
        }
        return decision
    }
}
