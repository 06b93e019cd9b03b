import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// The page of entries with two contradicting versions, and the form that decides.
struct VersionPages: PageGroup {
    let pages: Pages

    func add(to routes: PageRoutes) {
        routes.get("records/:record/versions", query: ["done"], list)
        routes.post("records/:record/versions/:divergence", settle)
    }

    @Sendable private func list(_ visit: PageVisit) async throws -> Response {
        let reader = visit.reader
        let (record, caller) = (try visit.record(), try visit.caller)
        let page = VersionsPage(
            try await visit.frame(record),
            try await journal.sync.divergences(of: record, caller),
            mayChange: Set(try await journal.access.contributions(to: record, caller)),
            key: pages.key(),
            reader
        )
        return visit.response(page, reader.words["twoVersions"])
    }

    @Sendable private func settle(_ visit: PageVisit) async throws -> Response {
        let typed = try await visit.form()
        let record = try visit.record()
        guard let choice = DivergenceSettled.Choice(rawValue: typed["choice"]) else {
            throw JournalError(.invalid, field: "choice", "must be keep, take or both")
        }
        _ = try await journal.sync.settle(visit.divergence(), choice, visit.writer(typed))
        return Pages.redirect(to: "/records/\(record.text)/versions?done=versionsSettled")
    }
}
