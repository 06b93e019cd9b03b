import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// The form that erases an entry for good.
extension EntryPages {
    @Sendable func confirmErasure(_ visit: PageVisit) async throws -> Response {
        let form = try await erasing(visit)
        return visit.response(form, form.submit)
    }

    @Sendable func erase(_ visit: PageVisit) async throws -> Response {
        let (record, kind, entry) = (try visit.record(), try visit.kind(), try visit.entry())
        return try await visit.confirmed(
            to: "/records/\(record.text)/entries/\(kind.name)?done=erasedNow",
            asking: { try await erasing(visit) },
            doing: { typed, caller in
                let position = UInt64(typed["version"]) ?? 0
                let expected = ExpectedEntry(record: record, kind: kind, position: position)
                _ = try await journal.erasure.eraseEntry(entry, expecting: expected, caller)
            }
        )
    }

    private func erasing(_ visit: PageVisit) async throws -> FormPage {
        let reader = visit.reader
        let expected = ExpectedEntry(record: try visit.record(), kind: try visit.kind())
        let preview = try await journal.erasure.previewErasure(
            ofEntry: visit.entry(),
            expecting: expected,
            visit.caller
        )
        let (entry, head) = try await entry(visit)
        let address = "\(head.address)/entries/\(entry.kind.name)/\(entry.id.text)"
        var reason = reader.reason()
        reason.isRequired = true
        reason.hint = reader.words["hint.eraseReason"]
        return FormPage(
            head,
            heading: reader.words["eraseHeading"],
            lead: reader.erasureLead(preview),
            action: "\(address)/erase",
            cancel: address,
            submit: reader.words["erase"],
            fields: [reason],
            key: pages.key(),
            version: entry.latest.position
        )
    }
}

extension Reader {
    /// What the erasure of an entry destroys and what stays.
    fileprivate func erasureLead(_ preview: EntryErasurePreview) -> String {
        var sentences = [
            words["labelled", preview.entry.content.shown(self).what, words["eraseLead"]]
        ]
        if preview.hasFile { sentences.append(words["eraseFile"]) }
        sentences += copies(preview.copies)
        let others = preview.referring.values.reduce(0, +)
        if others > 0 { sentences.append(words.count(others, "eraseReferring", number(others))) }
        return (sentences + [words["eraseElsewhere"]]).joined(separator: " ")
    }

    /// A sentence for each group of equal copies, without the entries that refer to it, which are counted.
    private func copies(_ copies: [EntryCopy]) -> [String] {
        let groups = Dictionary(grouping: copies.filter { $0.what != .reference }) {
            EntryCopy($0.what, id: nil, $0.fate)
        }
        return groups.sorted { ($0.key.what.name, $0.key.fate.name) < ($1.key.what.name, $1.key.fate.name) }
            .map { copy, all in
                let what = words["eraseCopy.\(copy.what.name)"]
                let counted = all.count == 1 ? what : "\(what) (\(number(all.count)))"
                if copy.fate == .erased { return words["eraseCopyGone", counted] }
                return words["eraseCopyStays", capitalized(counted), words["eraseFate.\(copy.fate.name)"]]
            }
    }

    private func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}
