import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// The form that erases an entry for good.
extension EntryPages {
    @Sendable func confirmErasure(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let form = try await erasing(request, context)
        return pages.response(form, form.submit, request, context)
    }

    @Sendable func erase(_ request: Request, _ context: ServerContext) async throws -> Response {
        let (record, kind, entry) = (try context.record(), try context.kind(), try context.entry())
        return try await pages.confirmed(
            request,
            context,
            to: "/records/\(record.text)/entries/\(kind.name)?done=erasedNow",
            asking: { try await erasing(request, context) },
            doing: { typed, caller in
                let position = UInt64(typed["version"]) ?? 0
                let expected = ExpectedEntry(record: record, kind: kind, position: position)
                _ = try await journal.eraseEntry(entry, expecting: expected, caller)
            }
        )
    }

    private func erasing(_ request: Request, _ context: ServerContext) async throws -> FormPage {
        let reader = pages.reader(request, context)
        let expected = ExpectedEntry(record: try context.record(), kind: try context.kind())
        let preview = try await journal.previewErasure(
            ofEntry: context.entry(),
            expecting: expected,
            context.requireCaller()
        )
        let (entry, head) = try await entry(context, reader)
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
