import Glibc
package import HealthJournal
import HealthModel
package import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
package import Logging
import NIOCore
import ServiceLifecycle

/// The HTTP service of a journal; contains no domain rules of its own.
package struct JournalServer: Service {
    private let journal: Journal
    private let settings: ServerSettings
    private let logger: Logger
    private let onReady: @Sendable (Int) async -> Void

    /// `onReady` is called with the port when the server accepts requests.
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
        let register = ConnectionRegister(settings.connections, trusted: settings.trustedProxies)
        do {
            let application = try application(register)
            let limits = settings.connections
            try await withGracefulShutdownHandler {
                try await application.run()
            } onGracefulShutdown: {
                // Closes the connections that are still open then, so that the stop ends without a cancellation.
                Task {
                    try? await Task.sleep(for: limits.draining)
                    register.closeAll()
                }
            }
        } catch let error as IOError {
            throw JournalError(.failed, "cannot listen on \(settings.host), port \(settings.port): \(error.reason)")
        }
    }

    /// Builds the router with all routes and the middleware that applies to each.
    static func router(
        _ journal: Journal,
        _ settings: ServerSettings = ServerSettings(),
        provider: OpenIDProvider? = nil,
        pdfs: PDFJobs = PDFJobs()
    ) -> Router<ServerContext> {
        let router = Router(context: ServerContext.self, options: .autoGenerateHeadEndpoints)
        let meter = RequestMeter()
        router.add(middleware: MeterMiddleware(meter: meter))
        let site = PublicSite(settings)
        router.add(middleware: SecurityHeadersMiddleware(isStrict: site.isStrict))
        router.add(middleware: PublicSiteMiddleware(site: site))
        let cookie = SessionCookie(isSecure: site.isSecure)
        let renders = RenderLimiters()
        let reminders = ReminderSender(settings.sentReminders, settings.languages)
        let pages = Pages(
            journal,
            cookie,
            pdfs: pdfs,
            renders: renders,
            reminders: reminders,
            languages: settings.languages
        )
        router.add(middleware: ProblemMiddleware(pages: pages))
        router.add(middleware: HeaderMiddleware())
        let authentication = AuthenticationMiddleware(
            journal: journal,
            provider: provider,
            limiter: RequestLimiter(settings.rates),
            idle: IdleSessions(settings.idleSessions, now: journal.now)
        )
        let services = Services(
            journal: journal,
            provider: provider,
            cookie: cookie,
            meter: meter,
            renders: renders,
            languages: settings.languages,
            ingest: settings.ingest,
            streams: ConcurrencyLimiter(
                "streams",
                total: settings.ingest.streams,
                perAccount: settings.ingest.streamsPerAccount
            ),
            reminders: reminders,
            calendarFailures: SignInLimiter { journal.now.microseconds }
        )
        router.addOperations(services, authentication)
        FHIRService(services).add(to: router, authentication)
        TileService(journal, isPublic: settings.publishesLog).add(to: router, authentication)
        pages.add(to: router, authentication)
        router.add(middleware: MethodMiddleware(router))
        return router
    }

    /// Builds the application over its routes; a test can drive it without a network.
    package func application() throws -> Application<RouterResponder<ServerContext>> {
        try application(ConnectionRegister(settings.connections, trusted: settings.trustedProxies))
    }

    private func application(_ register: ConnectionRegister) throws -> Application<RouterResponder<ServerContext>> {
        journal.answerOnlyWhenViewsAreUpToDate()
        if settings.requiresSubscriptions { journal.requireSubscriptions() }
        let pdfs = PDFJobs()
        let provider = settings.openID.map { OpenIDProvider($0, logger: logger) { [journal] in journal.now } }
        return Application(
            responder: JournalServer.router(journal, settings, provider: provider, pdfs: pdfs).buildResponder(),
            server: try protocols(register),
            configuration: ApplicationConfiguration(
                address: .hostname(settings.host, port: settings.port),
                backlog: 1_024,
                availableConnectionsDelegate: .maximum(register.ceiling, logger: logger)
            ),
            services: [
                ViewUpdateService(journal: journal), ReaderCleanupService(journal: journal),
                RefusalSummaryService(journal: journal, rates: settings.rates, logger: logger),
                PDFJobService(pdfs: pdfs),
                ReminderScheduler(journal, ReminderSender(settings.sentReminders, settings.languages), logger: logger),
                InteractionCheckService(journal: journal, logger: logger),
            ],
            onServerRunning: { [onReady] channel in await onReady(channel.localAddress?.port ?? 0) },
            logger: logger
        )
    }

    private func protocols(_ register: ConnectionRegister) throws -> HTTPServerBuilder {
        let limits = settings.connections
        let http1 = HTTP1Channel.Configuration(
            additionalChannelHandlers: [StalledAnswerHandler(limits.stalled)],
            idleTimeout: TimeAmount(limits.idle),
            httpDecoderConfiguration: HTTP1Channel.Configuration.DecoderConfiguration(
                maxHeaderFieldSize: HeaderLimits.field,
                maxHeaderListSize: HeaderLimits.all,
                maxHeaderFieldCount: HeaderLimits.count
            )
        )
        guard let tls = try settings.tls() else {
            return HTTPServerBuilder { responder in
                GuardedChannel(
                    base: HTTP1Channel(responder: register.responder(responder), configuration: http1),
                    register: register,
                    limits: limits
                )
            }
        }
        let http2 = HTTP2UpgradeChannel.Configuration(
            idleTimeout: limits.idle,
            gracefulCloseTimeout: limits.draining,
            streamConfiguration: http1
        )
        return HTTPServerBuilder { responder in
            GuardedChannel(
                base: try HTTP2UpgradeChannel(
                    tlsConfiguration: tls,
                    configuration: http2,
                    responder: register.responder(responder)
                ),
                register: register,
                limits: limits
            )
        }
    }
}

/// Keeps the views up to date while requests are served.
private struct ViewUpdateService: Service {
    let journal: Journal

    func run() async throws {
        await cancelWhenGracefulShutdown { await journal.keepViewsUpToDate() }
    }
}

/// Cancels the PDF jobs of the pages when the service stops.
private struct PDFJobService: Service {
    let pdfs: PDFJobs

    func run() async throws {
        try? await gracefulShutdown()
        await pdfs.close()
    }
}

/// Releases the reader slots of killed processes while requests are served.
private struct ReaderCleanupService: Service {
    let journal: Journal

    func run() async throws {
        await cancelWhenGracefulShutdown { await journal.clearStaleReaders() }
    }
}

/// Configures the counting of equal refusals, and records the counts periodically and at shutdown.
private struct RefusalSummaryService: Service {
    let journal: Journal
    let rates: RequestRates
    let logger: Logger

    func run() async throws {
        journal.refusals.configure(window: rates.refusalWindow, perMinute: rates.refusalsPerMinute)
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: rates.refusalWindow / 2)) != nil { await summarise(all: false) }
        }
        await summarise(all: true)
    }

    private func summarise(all: Bool) async {
        do {
            try await journal.summariseRefusals(all: all)
        } catch {
            logger.error("counted refusals could not be recorded")
        }
    }
}

extension IOError {
    /// Describes the failure for the operator who chose the address.
    fileprivate var reason: String {
        switch errnoCode {
        case EADDRINUSE: "the port is already in use"
        case EADDRNOTAVAIL: "this machine has no such address"
        case EACCES: "this user has no permission"
        default: "system error \(errnoCode)"
        }
    }
}
