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
        SignInPages(self).add(to: open)
        let signedIn = router.group().add(middleware: authentication).add(middleware: PageMiddleware(pages: self))
        RecordPages(self).add(to: signedIn)
        SearchPages(self).add(to: signedIn)
        EntryPages(self).add(to: signedIn)
        CarePages(self).add(to: signedIn)
        VersionPages(self).add(to: signedIn)
        PlanPages(self).add(to: signedIn)
        ZonePages(self).add(to: signedIn)
        InteractionPages(self).add(to: signedIn)
        CalendarPages(self).add(to: signedIn)
        ClinicPages(self).add(to: signedIn)
        ChannelPages(self).add(to: signedIn)
        DraftPages(self).add(to: signedIn)
        HistoryPages(self).add(to: signedIn)
        ChartPages(self).add(to: signedIn)
        CaregiverPages(self).add(to: signedIn)
        EmergencyPages(self).add(to: signedIn)
        ExchangePages(self).add(to: signedIn)
        PDFPages(self).add(to: signedIn)
        TrailPages(self).add(to: signedIn)
        SettingsPages(self).add(to: signedIn)
        AccountPages(self).add(to: signedIn)
        TokenPages(self).add(to: signedIn)
    }

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
