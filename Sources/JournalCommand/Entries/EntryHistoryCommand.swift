import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

/// Shows the versions of an entry.
struct EntryHistoryCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show every version of an entry: who changed what, when and why.",
        discussion: "Example:  healthjournal entry history 018f2c3b"
    )

    @OptionGroup var options: CommonOptions

    @OptionGroup var entry: EntryArgument

    func run(in session: Session) async throws {
        let id = try await entry.id(in: session)
        let events = try await session.perform(.history(ofEntry: id))
        let added = events.first?.stamp.recordedAt ?? session.journal.now
        var before: EntryContent?
        var table = TextTable([
            .init("POSITION", .right), .init("RECORDED"), .init("BY"), .init("WHAT"), .init("CHANGES"),
            .init("REASON"),
        ])
        var items: [JSONValue] = []
        for event in events {
            let content = event.event.content
            let changes = content?.changes(from: before) ?? []
            let words = content?.shownChanges(from: before, recordedAt: added, session.output) ?? ""
            before = content ?? before
            table.add([
                String(event.stamp.position), session.output.time(event.stamp.recordedAt),
                session.journal.name(of: event.stamp.actor), event.type.name,
                words, event.reason,
            ])
            items.append(event.listed(changes, actor: session.journal.name(of: event.stamp.actor)))
        }
        if session.output.isJSON {
            session.output.json(.array(items))
        } else {
            session.output.table(table, ifEmpty: "")
        }
    }
}

extension [FieldChange] {
    /// The changes in words, such as `value: 75.4 → 74.5; comment: – → misread`.
    ///
    /// A kept original is only mentioned, and only if nothing else changed.
    var shown: String {
        let changes = withoutOriginals
        if changes.isEmpty, !isEmpty { return "only in the imported original" }
        return changes.map { "\($0.path): \($0.before ?? "–") → \($0.after ?? "–")" }.joined(separator: "; ")
    }
}

extension RecordedEvent {
    fileprivate func listed(_ changes: [FieldChange], actor: String) -> JSONValue {
        .object([
            .init("position", .integer(stamp.position)), .init("recordedAt", .string(stamp.recordedAt.description)),
            .init("actor", .string(stamp.actor.text)), .init("actorName", .string(actor)),
            .init("type", .string(type.name)),
            .init(
                "changes",
                .array(
                    changes.map { change in
                        .object([
                            .init("field", .string(change.path)),
                            .init("before", change.before.map { .string($0) } ?? .null),
                            .init("after", change.after.map { .string($0) } ?? .null),
                        ])
                    }
                )
            ),
            .init("reason", .string(reason)),
        ])
    }
}
