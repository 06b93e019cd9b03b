import HTTPTypes
import Hummingbird
import JournalPages
import NIOCore

extension Pages {
    /// Adds all pages: the public ones, and those that require a session.
    func add(to router: Router<ServerContext>, _ authentication: AuthenticationMiddleware) {
        router.get("assets/:digest/:name", use: asset)
        router.get("worker.js", use: worker)
        let open = router.group().add(middleware: authentication)
        SignInPages(pages: self).add(to: PageRoutes(self, in: open))
        let signedIn = router.group().add(middleware: authentication).add(middleware: PageMiddleware(pages: self))
        for group in Pages.signedIn { group.init(pages: self).add(to: PageRoutes(self, in: signedIn)) }
    }

    private static let signedIn: [any PageGroup.Type] = [
        RecordPages.self, SearchPages.self, EntryPages.self, ResultPages.self, SymptomPages.self, CarePages.self,
        VersionPages.self, PlanPages.self, ZonePages.self, InteractionPages.self, CalendarPages.self, ClinicPages.self,
        ChannelPages.self, DraftPages.self, HistoryPages.self, ChartPages.self, CaregiverPages.self,
        EmergencyPages.self, ExchangePages.self, PDFPages.self, TrailPages.self, SettingsPages.self, AccountPages.self,
        TokenPages.self,
    ]

    /// Serves the service worker, which browsers compare with the version that they have.
    @Sendable private func worker(_ request: Request, _ context: ServerContext) async throws -> Response {
        var response = Response(shared: Asset.sharedWorker, type: .octets)
        response.headers[.contentType] = "text/javascript; charset=utf-8"
        response.headers[.cacheControl] = "no-cache"
        response.headers[.contentSecurityPolicy] = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'"
        return response
    }

    /// Serves a static asset, which browsers cache for a year: its address changes with its content.
    @Sendable private func asset(_ request: Request, _ context: ServerContext) async throws -> Response {
        guard let asset = Asset.all.first(where: { $0.address == request.uri.path }) else {
            throw HTTPError(.notFound)
        }
        var response = Response(shared: Asset.shared[asset.address] ?? ByteBuffer(), type: .octets)
        response.headers[.contentType] = asset.mediaType
        response.headers[.cacheControl] = "public, max-age=31536000, immutable"
        return response
    }
}

extension Asset {
    /// The bytes of all assets, by address, and of the service worker: one copy for all responses.
    fileprivate static let shared = Dictionary(
        uniqueKeysWithValues: all.map { ($0.address, ByteBuffer(bytes: $0.bytes)) }
    )
    fileprivate static let sharedWorker = ByteBuffer(bytes: worker)
}
