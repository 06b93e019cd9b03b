import Foundation
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// A request for a page or of one of its forms: what its handler reads, and how it answers.
struct PageVisit: PathParameters {
    let pages: Pages
    let request: Request
    let context: ServerContext
    /// The parameters of the address, which are among those that the route declares.
    let query: Query

    private var journal: Journal { pages.journal }

    var parameters: Parameters { context.parameters }

    /// The caller who is signed in.
    var caller: Caller { get throws { try context.requireCaller() } }

    /// The language and the formats of the request's sender.
    var reader: Reader { pages.reader(request, context) }

    /// The texts in the language of the request's sender.
    var words: Words { pages.words(request, context) }

    /// Reads the form that was sent, and checks that it was made for the session of the request.
    func form(atMost limit: Int = PageForm.maximumBytes) async throws -> PageForm {
        try await request.pageForm(atMost: limit)
    }

    /// Reads the form with a file that was sent, and checks that it was made for the session of the request.
    func upload() async throws -> PageForm { try await request.pageUpload() }

    /// Returns the caller with the form's reason and idempotency key.
    func writer(_ form: PageForm, reason: String = "") throws -> Caller {
        try context.writer(form, request, reason: reason)
    }

    /// Returns the caller for one of several changes that a form makes.
    func writer(_ form: PageForm, request number: Int) throws -> Caller {
        try context.writer(form, request: number)
    }

    /// Renders a page, with the notice about a completed action that the address names, unless it is an error or has
    /// another notice.
    func response(
        _ page: some WebPage,
        _ title: String,
        status: HTTPResponse.Status = .ok,
        notice: PageFrame.Notice? = nil
    ) -> Response {
        let notice = notice ?? (status == .ok ? pages.notice(query, words) : nil)
        return pages.response(page, title, request, context, status: status, notice: notice)
    }

    /// Reads a record for the head of a page that shows other data than its entries.
    ///
    /// `kinds` limits the read to some kinds, for a caller whose access covers only those.
    func frame(
        _ record: UUID,
        at place: RecordHead.Place = .overview,
        moment: MomentQuery = .now,
        kinds: [Kind]? = nil
    ) async throws -> RecordHead {
        let options = ReadOptions(asOf: moment.asOf, happenedBy: moment.happenedBy, kinds: kinds, page: .newest(0))
        let answer = try await journal.records.read(record, options, as: .list, caller)
        return pages.head(answer, at: place, reader, moment)
    }

    /// Performs the change of a form whose only field is a reason; shows the form again if the input is invalid.
    func confirmed(
        to address: String,
        asking form: () async throws -> FormPage,
        doing change: (PageForm, Caller) async throws -> Void
    ) async throws -> Response {
        let typed = try await self.form()
        do {
            try await change(typed, writer(typed, reason: typed["reason"]))
            return Pages.redirect(to: address)
        } catch {
            let error = JournalError(error)
            guard error.code == .invalid else { throw error }
            var problems: [String: String] = [:]
            var form = try await form()
            form.problem = reader.message(for: error, &problems)
            for index in form.fields.indices {
                form.fields[index].value = typed[form.fields[index].name]
                form.fields[index].problem = problems[form.fields[index].name]
            }
            form.key = pages.key(typed)
            return response(form, form.heading, status: .badRequest)
        }
    }
}
