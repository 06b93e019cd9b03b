import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import JournalPages

/// The page of interactions, and the forms that ask, check and settle.
struct InteractionPages {
    let pages: Pages
    private var journal: Journal { pages.journal }

    init(_ pages: Pages) {
        self.pages = pages
    }

    func add(to group: RouterGroup<ServerContext>) {
        let interactions = group.group("records/:record/interactions")
        interactions.get(use: show)
        interactions.post("ask", use: ask)
        interactions.post("check", use: check)
        interactions.post(":entry/resolution", use: resolve)
    }

    @Sendable private func show(_ request: Request, _ context: ServerContext) async throws -> Response {
        let reader = pages.reader(request, context)
        let query = try Query(request, ["asOf", "done"])
        let asOf =
            try query.value("asOf") { text throws(ModelError) in text.isEmpty ? nil : try AsOf(parsing: text) } ?? nil
        let page = try await page(asOf, request, context)
        let title = reader.words["tab.interactions"]
        return pages.response(page, title, request, context, notice: pages.notice(query, request, context))
    }

    private func page(
        _ asOf: AsOf?,
        _ request: Request,
        _ context: ServerContext
    ) async throws -> InteractionsPage {
        let (record, caller) = (try context.record(), try context.requireCaller())
        let reader = pages.reader(request, context)
        let findings = try await journal.findings(of: record, asOf: asOf, caller)
        let sees = try await journal.mayCheck(record, caller)
        let check = sees ? try await journal.check(record, asOf: asOf, addsFindings: false, caller) : nil
        let mayAdd = try await journal.contributions(to: record, caller).contains(Interaction.kind)
        let moment = MomentQuery(asOf: asOf, happenedBy: nil)
        return InteractionsPage(
            try await pages.frame(
                record,
                at: .interactions,
                moment: moment,
                kinds: [Interaction.kind],
                reader,
                context
            ),
            findings,
            check: check,
            mayAsk: mayAdd && sees,
            key: pages.key(),
            reader
        )
    }

    @Sendable private func ask(_ request: Request, _ context: ServerContext) async throws -> Response {
        try await perform(request, context, done: "asked") { typed, writer in
            _ = try await journal.ask(context.record(), typed["queryText"], writer)
        }
    }

    @Sendable private func check(_ request: Request, _ context: ServerContext) async throws -> Response {
        try await perform(request, context, done: "checked") { _, writer in
            _ = try await journal.check(context.record(), writer)
        }
    }

    @Sendable private func resolve(_ request: Request, _ context: ServerContext) async throws -> Response {
        try await perform(request, context, done: "settledNow") { typed, writer in
            guard let resolution = Interaction.Resolution(rawValue: typed["resolution"]) else {
                throw JournalError(.invalid, field: "resolution", "must be one of the choices")
            }
            let expected = ExpectedEntry(record: try context.record())
            _ = try await journal.resolve(context.entry(), as: resolution, expecting: expected, writer)
        }
    }

    /// Performs what a form asks for; shows the page again with the problem if the input is invalid.
    private func perform(
        _ request: Request,
        _ context: ServerContext,
        done: String,
        _ change: (PageForm, Caller) async throws -> Void
    ) async throws -> Response {
        let reader = pages.reader(request, context)
        _ = try Query(request, [])
        let typed = try await request.pageForm()
        do {
            try await change(typed, context.writer(typed, request, reason: typed["reason"]))
            return Pages.redirect(to: "/records/\(try context.record().text)/interactions?done=\(done)")
        } catch {
            let error = JournalError(error)
            guard error.isOfTheForm else { throw error }
            let page = try await page(nil, request, context)
            let text = reader.words.sentence(error.text, of: error.field)
            let title = reader.words["tab.interactions"]
            return pages.response(
                page,
                title,
                request,
                context,
                status: .badRequest,
                notice: PageFrame.Notice(text, isWarning: true)
            )
        }
    }
}
