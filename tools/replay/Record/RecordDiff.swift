import Foundation
import HealthModel
import Interchange

/// The differences of a record between two positions, and the events that caused them.
struct RecordDiff {
    enum What: String {
        case created
        case changed
        case closed
        case held
        case added
        case corrected
        case retracted
        case restored
        /// Added after the first moment, and retracted again before the second.
        case addedAndRetracted
        /// Concerned by events that did not change it.
        case unchanged
    }

    struct Item {
        var what: What
        /// Nil for the record itself.
        var entry: UUID?
        var kind: Kind?
        var label: String
        var changes: [FieldChange]
        var events: [RecordedEvent]
    }

    let items: [Item]

    /// Creates the differences; `events` are those between the two states, in order.
    init(from old: RecordState?, to new: RecordState?, events: [RecordedEvent]) {
        let byEntry = Dictionary(grouping: events, by: \.entry)
        var items: [Item] = []
        if let ofRecord = byEntry[nil]?.filter({ $0.type.category == .record }), !ofRecord.isEmpty, let new {
            var changes = new.profile.changes(from: old?.profile)
            let what = RecordDiff.what(old, new, changes)
            if new.hold?.until != old?.hold?.until {
                changes.append(.hold(from: old?.hold?.until, to: new.hold?.until))
            }
            items.append(Item(what: what, label: new.displayName, changes: changes, events: ofRecord))
        }
        for entry in new?.entries ?? [] {
            guard let events = byEntry[entry.id] else { continue }
            let before = old?.entry(entry.id)
            let changes = entry.content.changes(from: before?.content)
            items.append(
                Item(
                    what: RecordDiff.what(before, entry, changes),
                    entry: entry.id,
                    kind: entry.kind,
                    label: entry.content.label ?? "",
                    changes: changes,
                    events: events
                )
            )
        }
        self.items = items
    }

    private static func what(_ before: RecordState?, _ after: RecordState, _ changes: [FieldChange]) -> What {
        guard let before else { return .created }
        if after.isClosed, !before.isClosed { return .closed }
        if changes.isEmpty, after.hold != before.hold { return .held }
        return changes.isEmpty ? .unchanged : .changed
    }

    private static func what(_ before: EntryState?, _ after: EntryState, _ changes: [FieldChange]) -> What {
        switch (before?.isRetracted, after.isRetracted) {
        case (nil, false): .added
        case (nil, true): .addedAndRetracted
        case (false?, true): .retracted
        case (true?, false): .restored
        default: changes.isEmpty ? .unchanged : .corrected
        }
    }
}

extension RecordDiff.Item {
    func json(_ names: ShownNames) -> JSONValue {
        .members(
            ("what", .string(what.rawValue)),
            ("entry", entry.map { .string($0.text) }),
            ("kind", kind.map { .string($0.name) }),
            ("label", .string(label)),
            ("changes", .array(changes.map(\.json))),
            ("events", .array(events.map { $0.json(names) }))
        )
    }

    func cells(_ names: ShownNames, longest: Int, in zone: TimeZone) -> [String] {
        [
            what == .addedAndRetracted ? "added and retracted" : what.rawValue,
            [kind?.label ?? "Record", label].joined(separator: " "),
            changes.map { $0.shown(longest: longest, in: zone) }.joined(separator: "; "),
            events.map { $0.shown(names) }.joined(separator: "; "),
        ]
    }
}

extension RecordedEvent {
    /// The event in words, such as `#12 anna: read off the wrong scale`.
    fileprivate func shown(_ names: ShownNames) -> String {
        "#\(stamp.position) \(names.shown(stamp.actor))" + (reason.isEmpty ? "" : ": \(reason)")
    }

    fileprivate func json(_ names: ShownNames) -> JSONValue {
        .members(
            ("position", .integer(stamp.position)),
            ("recordedAt", .string(stamp.recordedAt.description)),
            ("actor", .string(stamp.actor.text)),
            ("actorName", names.account(stamp.actor).map { .string($0) }),
            ("type", .string(type.name)),
            ("reason", .string(reason))
        )
    }
}
