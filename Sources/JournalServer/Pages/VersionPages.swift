import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// The page of entries with two contradicting versions, and the form that decides.
struct VersionPages {
    let pages: Pages
    private var journal: Journal { pages.journal }

    init(_ pages: Pages) {
        self.pages = pages
    }

    func add(to group: RouterGroup<ServerContext>) {
        group.get("records/:record/versions", use: list)
        group.post("records/:record/versions/:divergence", use: settle)
    }

    @Sendable private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["done"])
        let reader = pages.reader(request, context)
        let (record, caller) = (try context.record(), try context.requireCaller())
        let page = VersionsPage(
            try await pages.frame(record, reader, context),
            try await journal.divergences(of: record, caller),
            mayChange: Set(try await journal.contributions(to: record, caller)),
            key: pages.key(),
            reader
        )
        return pages.response(
            page,
            reader.words["twoVersions"],
            request,
            context,
            notice: pages.notice(query, request, context)
        )
    }

    @Sendable private func settle(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let typed = try await request.pageForm()
        let record = try context.record()
        guard let choice = DivergenceSettled.Choice(rawValue: typed["choice"]) else {
            throw JournalError(.invalid, field: "choice", "must be keep, take or both")
        }
        _ = try await journal.settle(context.divergence(), choice, context.writer(typed, request))
        return Pages.redirect(to: "/records/\(record.text)/versions?done=versionsSettled")
    }
}
