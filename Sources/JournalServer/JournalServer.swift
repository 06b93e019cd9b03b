import Glibc
package import HealthJournal
package import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
package import Logging
import NIOCore
import ServiceLifecycle

/// A journal's service: HTTP over the application, with no rules of its own.
package struct JournalServer: Service {
    private let journal: Journal
    private let settings: ServerSettings
    private let logger: Logger
    private let onReady: @Sendable (Int) async -> Void

    /// `onReady` is told the port once requests are taken.
    package init(
        _ journal: Journal,
        _ settings: ServerSettings,
        logger: Logger,
        onReady: @escaping @Sendable (Int) async -> Void = { _ in }
    ) {
        self.journal = journal
        self.settings = settings
        self.logger = logger
        self.onReady = onReady
    }

    package func run() async throws {
        do {
            try await application().run()
        } catch let error as IOError {
            throw JournalError(.failed, "cannot listen on \(settings.host), port \(settings.port): \(error.reason)")
        }
    }

    /// All routes, each behind what concerns all of them.
    static func router(
        _ journal: Journal,
        _ settings: ServerSettings = ServerSettings(),
        provider: OpenIDProvider? = nil
    ) -> Router<ServerContext> {
        let router = Router(context: ServerContext.self, options: .autoGenerateHeadEndpoints)
        let meter = RequestMeter()
        router.add(middleware: MeterMiddleware(meter: meter))
        router.add(middleware: SafetyMiddleware())
        let cookie = SessionCookie(isSecure: settings.speaksTLS)
        let pages = Pages(journal, cookie)
        router.add(middleware: ProblemMiddleware(pages: pages))
        OperationsRoutes(journal: journal, meter: meter).add(to: router)
        SchemaRoutes().add(to: router)
        let open = router.group("v1").add(middleware: AuthenticationMiddleware(journal: journal, provider: provider))
        SessionRoutes(journal: journal, cookie: cookie).add(to: open)
        let group = open.group().add(middleware: CallerMiddleware())
        RecordRoutes(journal: journal).add(to: group)
        EntryRoutes(journal: journal).add(to: group)
        DocumentRoutes(journal: journal).add(to: group)
        HistoryRoutes(journal: journal).add(to: group)
        CaregiverRoutes(journal: journal).add(to: group)
        AccountRoutes(journal: journal, provider: provider).add(to: group)
        OwnerRoutes(journal: journal).add(to: group)
        InvitationRoutes(journal: journal).add(to: group)
        EmergencyRoutes(journal: journal).add(to: group)
        LogRoutes(journal: journal).add(to: group)
        let streams = OpenStreams(settings.door)
        DoorRoutes(journal: journal, limits: settings.door, streams: streams).add(to: group)
        FeedRoutes(journal: journal, limits: settings.door, streams: streams).add(to: group)
        OpenAPIRoutes().add(to: router)
        pages.add(to: router, AuthenticationMiddleware(journal: journal, provider: provider))
        router.add(middleware: MethodMiddleware(router))
        return router
    }

    /// The application over its routes; a test drives it without a network.
    package func application() throws -> Application<RouterResponder<ServerContext>> {
        let provider = settings.openID.map { OpenIDProvider($0, logger: logger) { [journal] in journal.now } }
        return Application(
            responder: JournalServer.router(journal, settings, provider: provider).buildResponder(),
            server: try protocols(),
            configuration: ApplicationConfiguration(
                address: .hostname(settings.host, port: settings.port),
                backlog: 1_024,
                availableConnectionsDelegate: .maximum(settings.connections ?? ConnectionLimits.most(), logger: logger)
            ),
            services: [ViewKeeper(journal: journal)],
            onServerRunning: { [onReady] channel in await onReady(channel.localAddress?.port ?? 0) },
            logger: logger
        )
    }

    private func protocols() throws -> HTTPServerBuilder {
        let http1 = HTTP1Channel.Configuration(idleTimeout: ConnectionLimits.idle)
        guard let tls = try settings.tls() else { return .http1(configuration: http1) }
        return try .http2Upgrade(
            tlsConfiguration: tls,
            configuration: HTTP2UpgradeChannel.Configuration(streamConfiguration: http1)
        )
    }
}

/// Keeps the views up to date beside the requests.
private struct ViewKeeper: Service {
    let journal: Journal

    func run() async throws {
        await cancelWhenGracefulShutdown { await journal.keepViewsUpToDate() }
    }
}

extension IOError {
    /// Why it failed, for whoever chose the address.
    fileprivate var reason: String {
        switch errnoCode {
        case EADDRINUSE: "something listens there already"
        case EADDRNOTAVAIL: "this machine has no such address"
        case EACCES: "that is not allowed to this user"
        default: "error \(errnoCode) of the system"
        }
    }
}
