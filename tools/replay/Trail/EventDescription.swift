import Foundation
import HealthModel

/// Describes in words what an event is about.
struct EventDescription {
    let names: ShownNames

    func entry(_ content: EntryContent?, of record: UUID, code: UInt16) -> String {
        let kind = content?.kind.label ?? Kind.coded(code)?.label ?? "Entry"
        return [kind, content?.label, "of \(recordName(record))"].compactMap(\.self).joined(separator: " ")
    }

    func text(_ recorded: RecordedEvent) -> String {
        recorded.event.data.summary.parts
            .map { part in
                switch part {
                case .text(let text): text
                case .id(let id): names.name(id) ?? names.shown(id)
                case .subject(.record): recordName(recorded.subject)
                case .subject(.recordID): recorded.subject.text
                case .subject(.account): names.shown(recorded.subject)
                }
            }
            .joined()
    }

    private func recordName(_ id: UUID) -> String { names.record(id) ?? id.beginning }
}

extension EntryContent {
    private static let longestLabel = 60

    /// A short text that identifies the entry; nil if none of its fields has a text.
    var label: String? {
        var words = kind.summary.compactMap { body[$0]?.text }
        if words.isEmpty { words = kind.fields.leaves.lazy.compactMap { body[$0]?.text }.prefix(1).map(\.self) }
        return words.isEmpty ? nil : words.joined(separator: " ").cut(to: EntryContent.longestLabel)
    }
}
