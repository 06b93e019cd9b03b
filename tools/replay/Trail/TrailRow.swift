import Foundation
import HealthModel
import Interchange

/// One event as the trail shows it.
struct TrailRow {
    enum State {
        case read
        /// Only the header could be read: there is no master key.
        case sealed
        case erased
        case unreadable
    }

    var state: State
    var position: UInt64
    var recordedAt: Instant
    /// The time of the clock, where the recorded time is later.
    var clock: Instant?
    var actor: UUID
    var actorName: String?
    var source: String
    var type: String
    var category: String
    var record: UUID?
    var entry: UUID?
    var kind: String?
    var stream: UUID
    var streamPosition: UInt64
    var what = ""
    var changes: [FieldChange] = []
    var reason = ""
}

extension TrailRow {
    /// The columns of the table for people.
    static let columns: [TextTable.Column] = [
        .init("POSITION", .right), .init("RECORDED"), .init("ACTOR"), .init("SOURCE"), .init("TYPE"), .init("WHAT"),
        .init("BEFORE → AFTER"), .init("REASON"),
    ]

    /// The row's cells; `longest` is the maximum length of a changed value and of the reason.
    func cells(longest: Int? = nil, in zone: TimeZone) -> [String] {
        [
            String(position), recordedAt.text(in: zone), actorName ?? actor.beginning, source, type, what,
            shownChanges(longest: longest, in: zone), reason.cut(to: longest),
        ]
    }

    /// The changes as one cell; with `longest`, only the first few, and the number of the others.
    private func shownChanges(longest: Int?, in zone: TimeZone) -> String {
        guard longest != nil, changes.count > TrailRow.changesInTable else {
            return changes.map { $0.shown(longest: longest, in: zone) }.joined(separator: "; ")
        }
        let first = changes.prefix(TrailRow.changesInTable).map { $0.shown(longest: longest, in: zone) }
        return first.joined(separator: "; ") + "; +\(changes.count - first.count) more"
    }

    /// The maximum number of changes of an event in a table; JSON, CSV and HTML contain all.
    private static let changesInTable = 3

    /// The columns of the table for programs.
    static let csvColumns = [
        "position", "recordedAt", "actor", "actorName", "source", "type", "category", "record", "entry", "kind",
        "stream", "streamPosition", "what", "changes", "reason",
    ]

    var csvCells: [String] {
        [
            String(position), recordedAt.description, actor.text, actorName ?? "", source, type, category,
            record?.text ?? "", entry?.text ?? "", kind ?? "", stream.text, String(streamPosition), what,
            changes.map { $0.shown() }.joined(separator: "; "), reason,
        ]
    }

    /// The row as a JSON object.
    ///
    /// Content that could not be read is left out, and never shown as empty.
    var json: JSONValue {
        let isRead = state == .read
        return .members(
            ("position", .integer(position)),
            ("recordedAt", .string(recordedAt.description)),
            ("clock", clock.map { .string($0.description) }),
            ("actor", .string(actor.text)),
            ("actorName", actorName.map { .string($0) }),
            ("source", .string(source)),
            ("type", .string(type)),
            ("category", .string(category)),
            ("record", record.map { .string($0.text) }),
            ("entry", entry.map { .string($0.text) }),
            ("kind", kind.map { .string($0) }),
            ("stream", .string(stream.text)),
            ("streamPosition", .integer(streamPosition)),
            ("what", state == .sealed ? nil : .string(what)),
            ("changes", isRead ? .array(changes.map(\.json)) : nil),
            ("reason", isRead ? .string(reason) : nil),
            ("payload", isRead ? nil : .string(String(describing: state)))
        )
    }
}

extension FieldChange {
    private static let absent = "–"

    /// The names of the fields whose values are times.
    private static let times = Set(
        Kind.all.flatMap(\.fields.leaves).filter { $0.fields.last?.type == .instant }.map(\.name) + ["date"]
    )

    /// The change in words, such as `value: 72.5 → 72.4`; with a time zone, times are those of it.
    func shown(longest: Int? = nil, in zone: TimeZone? = nil) -> String {
        let sides = [before, after]
            .map { side in
                guard let side else { return FieldChange.absent }
                guard let zone, FieldChange.times.contains(path), let time = try? Instant(parsing: side) else {
                    return side.cut(to: longest)
                }
                return time.text(in: zone)
            }
        return "\(path): \(sides.joined(separator: " → "))"
    }

    var json: JSONValue {
        .members(("field", .string(path)), ("before", .text(before)), ("after", .text(after)))
    }
}

extension String {
    func cut(to longest: Int?) -> String {
        guard let longest, count > longest else { return self }
        return prefix(longest - 1) + "…"
    }
}
