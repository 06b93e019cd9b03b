import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import JournalPages

/// The page of interactions, and the forms that ask, check and settle.
struct InteractionPages: PageGroup {
    let pages: Pages

    func add(to routes: PageRoutes) {
        let interactions = routes.group("records/:record/interactions")
        interactions.get("", query: ["asOf", "done"], show)
        interactions.post("ask", ask)
        interactions.post("check", check)
        interactions.post(":entry/resolution", resolve)
    }

    @Sendable private func show(_ visit: PageVisit) async throws -> Response {
        let reader = visit.reader
        let asOf =
            try visit.query.value("asOf") { text throws(ModelError) in text.isEmpty ? nil : try AsOf(parsing: text) }
            ?? nil
        let page = try await page(asOf, visit)
        let title = reader.words["tab.interactions"]
        return visit.response(page, title)
    }

    private func page(
        _ asOf: AsOf?,
        _ visit: PageVisit
    ) async throws -> InteractionsPage {
        let (record, caller) = (try visit.record(), try visit.caller)
        let reader = visit.reader
        let findings = try await journal.interactionChecks.findings(of: record, asOf: asOf, caller)
        let sees = try await journal.interactionChecks.mayCheck(record, caller)
        let check =
            sees ? try await journal.interactionChecks.check(record, asOf: asOf, addsFindings: false, caller) : nil
        let mayAdd = try await journal.access.contributions(to: record, caller).contains(Interaction.kind)
        let moment = MomentQuery(asOf: asOf, happenedBy: nil)
        return InteractionsPage(
            try await visit.frame(record, at: .interactions, moment: moment, kinds: [Interaction.kind]),
            findings,
            check: check,
            mayAsk: mayAdd && sees,
            key: pages.key(),
            reader
        )
    }

    @Sendable private func ask(_ visit: PageVisit) async throws -> Response {
        try await perform(visit, done: "asked") { typed, writer in
            _ = try await journal.interactionChecks.ask(visit.record(), typed["queryText"], writer)
        }
    }

    @Sendable private func check(_ visit: PageVisit) async throws -> Response {
        try await perform(visit, done: "checked") { _, writer in
            _ = try await journal.interactionChecks.check(visit.record(), writer)
        }
    }

    @Sendable private func resolve(_ visit: PageVisit) async throws -> Response {
        try await perform(visit, done: "settledNow") { typed, writer in
            guard let resolution = Interaction.Resolution(rawValue: typed["resolution"]) else {
                throw JournalError(.invalid, field: "resolution", "must be one of the choices")
            }
            let expected = ExpectedEntry(record: try visit.record())
            _ = try await journal.interactionChecks.resolve(visit.entry(), as: resolution, expecting: expected, writer)
        }
    }

    /// Performs what a form asks for; shows the page again with the problem if the input is invalid.
    private func perform(
        _ visit: PageVisit,
        done: String,
        _ change: (PageForm, Caller) async throws -> Void
    ) async throws -> Response {
        let reader = visit.reader
        let typed = try await visit.form()
        do {
            try await change(typed, visit.writer(typed, reason: typed["reason"]))
            return Pages.redirect(to: "/records/\(try visit.record().text)/interactions?done=\(done)")
        } catch {
            let error = JournalError(error)
            guard error.isOfTheForm else { throw error }
            let page = try await page(nil, visit)
            let text = reader.words.sentence(error.text, of: error.field)
            let title = reader.words["tab.interactions"]
            return visit.response(page, title, status: .badRequest, notice: PageFrame.Notice(text, isWarning: true))
        }
    }
}
