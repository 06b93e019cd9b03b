import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// Undoing the last change of an entry, and moving an entry that is in a wrong record.
extension EntryPages {
    /// Undoes the change that the form names, which was the last one of the entry when its page was shown.
    @Sendable func undo(_ request: Request, _ context: ServerContext) async throws -> Response {
        let typed = try await request.pageForm()
        let (record, kind, entry) = (try context.record(), try context.kind(), try context.entry())
        guard let position = UInt64(typed["position"]) else {
            throw JournalError(.invalid, field: "position", "must be the position of a change")
        }
        // A move is of two entries; what concerns more is not undone from the page of one.
        _ = try await journal.undo(in: record, position: position, ofAtMost: 2, context.writer(typed, request))
        return Pages.redirect(to: "/records/\(record.text)/entries/\(kind.name)/\(entry.text)?done=undone")
    }

    @Sendable func askWhere(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let form = try await moving(request, context)
        return pages.response(form, form.submit, request, context)
    }

    @Sendable func move(_ request: Request, _ context: ServerContext) async throws -> Response {
        let reader = pages.reader(request, context)
        let typed = try await request.pageForm()
        let (record, kind, entry) = (try context.record(), try context.kind(), try context.entry())
        do {
            guard let target = UUID(uuidString: typed["to"]) else {
                throw JournalError(.invalid, field: "to", Message(verbatim: reader.words["moveWhere"]))
            }
            let result = try await journal.moveEntry(
                entry,
                to: target,
                expecting: ExpectedEntry(record: record, kind: kind, position: UInt64(typed["version"]) ?? 0),
                context.writer(typed, request, reason: typed["reason"])
            )
            let moved = result.entry?.text ?? ""
            return Pages.redirect(to: "/records/\(target.text)/entries/\(kind.name)/\(moved)?done=movedNow")
        } catch {
            let error = JournalError(error)
            guard error.isOfTheForm else { throw error }
            var problems: [String: String] = [:]
            let message = reader.message(for: error, &problems)
            let form = try await moving(request, context, typed, problems, message ?? reader.summary(problems))
            return pages.response(form, form.submit, request, context, status: .badRequest)
        }
    }

    private func moving(
        _ request: Request,
        _ context: ServerContext,
        _ typed: PageForm? = nil,
        _ problems: [String: String] = [:],
        _ problem: String? = nil
    ) async throws -> FormPage {
        let reader = pages.reader(request, context)
        let (entry, head) = try await entry(context, reader)
        let address = "\(head.address)/entries/\(entry.kind.name)/\(entry.id.text)"
        let chosen = typed?["to"] ?? ""
        var field = FormField("to", reader.words["moveToRecord"], .choice, value: chosen, problem: problems["to"])
        field.isRequired = true
        field.options = [FormOption("", reader.words["notSaid"], isChosen: chosen.isEmpty)]
        for target in try await targets(of: entry, context) {
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
    private func targets(of entry: EntryState, _ context: ServerContext) async throws -> [RecordState] {
        let caller = try context.requireCaller()
        var found: [RecordState] = []
        for record in try await journal.listRecords(caller) where record.id != entry.record && !record.isClosed {
            if try await journal.contributions(to: record.id, caller).contains(entry.kind) { found.append(record) }
        }
        return found
    }
}
