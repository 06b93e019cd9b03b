import EventLog
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird

/// Serves the published checkpoint and the tiles of the log's tree (https://c2sp.org/tlog-tiles).
///
/// The entries themselves are not served: they contain kinds and days as plain text. The routes are not in the OpenAPI
/// description, because the format has its own.
struct TileService: Sendable {
    static let path = "/tlog"

    private let journal: Journal
    /// Whether the tiles are served without an account.
    private let isPublic: Bool

    init(_ journal: Journal, isPublic: Bool) {
        (self.journal, self.isPublic) = (journal, isPublic)
    }

    func add(to router: Router<ServerContext>, _ authentication: AuthenticationMiddleware) {
        let group = router.group()
        if !isPublic { group.add(middleware: authentication).add(middleware: CallerMiddleware()) }
        group.get(RouterPath(Self.path + "/checkpoint"), use: checkpoint)
        group.get(RouterPath(Self.path + "/tile/**"), use: tile)
    }

    @Sendable private func checkpoint(_ request: Request, _ context: ServerContext) async throws -> Response {
        guard let published = try journal.publishing.published() else {
            throw JournalError(.notFound, "no checkpoint was published yet: healthjournal log publish")
        }
        var response = Response(Array(published.text.utf8), type: .text)
        response.headers[.cacheControl] = isPublic ? "public, max-age=5" : "private, max-age=5"
        return response
    }

    @Sendable private func tile(_ request: Request, _ context: ServerContext) async throws -> Response {
        guard let tile = LogTile(path: "tile/" + context.parameters.getCatchAll().joined(separator: "/")) else {
            throw JournalError(.notFound, "there is no such tile")
        }
        var response = Response(try journal.publishing.publishedTile(tile), type: .octets)
        // A tile never changes.
        response.headers[.cacheControl] = (isPublic ? "public" : "private") + ", max-age=31536000, immutable"
        return response
    }
}
