import EventLog
import Foundation
import HealthModel
import JournalEvents

/// Converts events to rows of the trail, with the names that were known when each event was recorded.
struct TrailReader {
    let log: EventLog
    var names: ShownNames
    /// The number of events that could not be read, without those that are known to be erased.
    private(set) var unreadable = 0

    init(_ journal: OpenJournal, names: ShownNames) {
        log = journal.log
        self.names = names
    }

    /// Applies the names that an event sets, if any.
    mutating func note(_ event: StoredEvent) {
        guard ShownNames.matter(in: event.header.type), case .read(let recorded) = log.content(of: event) else {
            return
        }
        names.take(recorded)
    }

    mutating func row(of event: StoredEvent) -> TrailRow {
        note(event)
        var row = headerRow(of: event)
        switch log.content(of: event) {
        case .sealed:
            row.state = .sealed
        case .erased:
            row.state = .erased
            row.what = "erased"
        case .unreadable(let why):
            fail(&row, why)
        case .read(let recorded):
            do {
                row.changes = try Changes(log: log, names: names).changes(of: recorded, event)
                row.what = try what(recorded, event)
                row.reason = recorded.reason
                row.clock = recorded.clock
            } catch {
                fail(&row, Failure(error).message)
            }
        }
        return row
    }

    private mutating func fail(_ row: inout TrailRow, _ why: String) {
        row.state = .unreadable
        row.what = "cannot be read: \(why)"
        unreadable += 1
    }

    private func headerRow(of event: StoredEvent) -> TrailRow {
        let header = event.header
        return TrailRow(
            state: .read,
            position: event.position,
            recordedAt: Instant(microseconds: event.recordedAt),
            actor: header.actor,
            actorName: names.account(header.actor),
            source: EventSource(rawValue: header.source)?.name ?? "source \(header.source)",
            type: EventType.shownName(header.type),
            category: EventCategory.shownName(header.category),
            record: header.record,
            entry: header.entry == .zero || header.entry == header.record ? nil : header.entry,
            kind: header.kind == 0 ? nil : Kind.coded(header.kind)?.name ?? "kind \(header.kind)",
            stream: header.stream,
            streamPosition: event.streamPosition
        )
    }

    /// Describes in words what the event is about.
    private func what(_ recorded: RecordedEvent, _ event: StoredEvent) throws -> String {
        let description = EventDescription(names: names)
        guard recorded.type.category == .entry else { return description.text(recorded) }
        // What it was cannot be read any more.
        if recorded.type == EntryErased.type {
            return description.entry(nil, of: recorded.subject, code: event.header.kind)
        }
        let content = try recorded.event.content ?? Changes(log: log, names: names).contentBefore(event)
        return description.entry(content, of: recorded.subject, code: event.header.kind)
    }
}

extension EventType {
    /// The name of a type code, or a generic name for a code that a newer program wrote.
    static func shownName(_ code: UInt16) -> String { EventType(rawValue: code)?.name ?? "type \(code)" }
}

extension EventCategory {
    static func shownName(_ code: UInt16) -> String { EventCategory(rawValue: code)?.name ?? "category \(code)" }
}
