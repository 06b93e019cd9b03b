import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// Undoing the last change of an entry, and moving an entry that is in a wrong record.
extension EntryPages {
    /// Undoes the change that the form names, which was the last one of the entry when its page was shown.
    @Sendable func undo(_ visit: PageVisit) async throws -> Response {
        let typed = try await visit.form()
        let (record, kind, entry) = (try visit.record(), try visit.kind(), try visit.entry())
        guard let position = UInt64(typed["position"]) else {
            throw JournalError(.invalid, field: "position", "must be the position of a change")
        }
        // A move is of two entries; what concerns more is not undone from the page of one.
        _ = try await journal.entries.undo(in: record, position: position, ofAtMost: 2, visit.writer(typed))
        return Pages.redirect(to: "/records/\(record.text)/entries/\(kind.name)/\(entry.text)?done=undone")
    }

    @Sendable func askWhere(_ visit: PageVisit) async throws -> Response {
        let form = try await moving(visit)
        return visit.response(form, form.submit)
    }

    @Sendable func move(_ visit: PageVisit) async throws -> Response {
        let reader = visit.reader
        let typed = try await visit.form()
        let (record, kind, entry) = (try visit.record(), try visit.kind(), try visit.entry())
        do {
            guard let target = UUID(uuidString: typed["to"]) else {
                throw JournalError(.invalid, field: "to", Message(verbatim: reader.words["moveWhere"]))
            }
            let result = try await journal.entries.moveEntry(
                entry,
                to: target,
                expecting: ExpectedEntry(record: record, kind: kind, position: UInt64(typed["version"]) ?? 0),
                visit.writer(typed, reason: typed["reason"])
            )
            let moved = result.entry?.text ?? ""
            return Pages.redirect(to: "/records/\(target.text)/entries/\(kind.name)/\(moved)?done=movedNow")
        } catch {
            let error = JournalError(error)
            guard error.isOfTheForm else { throw error }
            var problems: [String: String] = [:]
            let message = reader.message(for: error, &problems)
            let form = try await moving(visit, typed, problems, message ?? reader.summary(problems))
            return visit.response(form, form.submit, status: .badRequest)
        }
    }

    private func moving(
        _ visit: PageVisit,
        _ typed: PageForm? = nil,
        _ problems: [String: String] = [:],
        _ problem: String? = nil
    ) async throws -> FormPage {
        let reader = visit.reader
        let (entry, head) = try await entry(visit)
        let address = "\(head.address)/entries/\(entry.kind.name)/\(entry.id.text)"
        let chosen = typed?["to"] ?? ""
        var field = FormField("to", reader.words["moveToRecord"], .choice, value: chosen, problem: problems["to"])
        field.isRequired = true
        field.options = [FormOption("", reader.words["notSaid"], isChosen: chosen.isEmpty)]
        for target in try await targets(of: entry, visit) {
            field.options?
                .append(FormOption(target.id.text, reader.name(target.displayName), isChosen: target.id.text == chosen))
        }
        return FormPage(
            head,
            heading: reader.words["moveEntryHeading", entry.content.shown(reader).what],
            lead: reader.words["moveEntryLead"],
            problem: problem,
            action: "\(address)/move",
            cancel: address,
            submit: reader.words["move"],
            fields: [field, reader.reason(typed, problems)],
            key: pages.key(typed),
            version: entry.latest.position
        )
    }

    /// Returns the other records to which the reader may add entries of the kind.
    private func targets(of entry: EntryState, _ visit: PageVisit) async throws -> [RecordState] {
        let caller = try visit.caller
        var found: [RecordState] = []
        for record in try await journal.records.listRecords(caller) where record.id != entry.record && !record.isClosed
        {
            if try await journal.access.contributions(to: record.id, caller).contains(entry.kind) {
                found.append(record)
            }
        }
        return found
    }
}
