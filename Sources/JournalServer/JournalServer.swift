import Glibc
package import HealthJournal
import HealthModel
package import Hummingbird
import HummingbirdCore
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
            try await register.run(try application(register))
        } catch let error as IOError {
            throw JournalError(.failed, "cannot listen on \(settings.host), port \(settings.port): \(error.reason)")
        }
    }

    /// Builds the router with all routes and the middleware that applies to each.
    static func router(
        _ journal: Journal,
        _ settings: ServerSettings = ServerSettings(),
        provider: OpenIDProvider? = nil,
        pdfs: PDFJobs = PDFJobs(),
        connections: ConnectionRegister = ConnectionRegister(ConnectionLimits()),
        reminders: ReminderSender? = nil,
        meter: RequestMeter = RequestMeter()
    ) -> Router<ServerContext> {
        let router = Router(context: ServerContext.self, options: .autoGenerateHeadEndpoints)
        let site = PublicSite(settings)
        router.add(middleware: MeterMiddleware(meter: meter, loggedSite: settings.logsAddresses ? site : nil))
        router.add(middleware: SecurityHeadersMiddleware(isStrict: site.isStrict))
        router.add(middleware: HostMiddleware())
        router.add(middleware: PublicSiteMiddleware(site: site))
        let cookie = SessionCookie(isSecure: site.isSecure)
        let renders = RenderLimiters()
        let long = LongRequests(connections.hangUps)
        let reminders = reminders ?? ReminderSender(settings.sentReminders, settings.languages)
        let idle = IdleSessions(settings.idleSessions, now: journal.now)
        let pages = Pages(
            journal,
            cookie,
            pdfs: pdfs,
            renders: renders,
            long: long,
            reminders: reminders,
            idle: idle,
            languages: settings.languages
        )
        router.add(middleware: ProblemMiddleware(pages: pages))
        router.add(middleware: UnsentBytesMiddleware(unsent: connections.unsent))
        router.add(middleware: HeaderMiddleware())
        let authentication = AuthenticationMiddleware(
            journal: journal,
            provider: provider,
            limiter: RequestLimiter(settings.rates),
            idle: idle
        )
        let services = Services(
            journal: journal,
            provider: provider,
            cookie: cookie,
            meter: meter,
            renders: renders,
            long: long,
            languages: settings.languages,
            ingest: settings.ingest,
            streams: ConcurrencyLimiter(
                "streams",
                total: settings.ingest.streams,
                perAccount: settings.ingest.streamsPerAccount
            ),
            reminders: reminders,
            metrics: MetricsAccess(settings),
            calendarFailures: SignInLimiter { journal.now.microseconds }
        )
        router.addOperations(services, authentication)
        FHIRService(services).add(to: router, authentication)
        TileService(journal, isPublic: settings.publishesLog).add(to: router, authentication)
        pages.add(to: router, authentication)
        router.add(middleware: MethodMiddleware(router))
        return router
    }

    /// The listener for metrics; nil if they are shown at the service's address.
    private func metricsListener(
        _ register: ConnectionRegister,
        _ meter: RequestMeter,
        _ reminders: ReminderSender
    ) throws -> MetricsListener? {
        try settings.metrics.host.map { host in
            MetricsListener(
                host: host,
                port: settings.metrics.port,
                operations: OperationsAnswers(
                    journal: journal,
                    meter: meter,
                    reminders: reminders.monitor,
                    access: MetricsAccess(settings, isOwnAddress: true)
                ),
                server: try .guarded(by: register, tls: nil),
                logger: logger
            )
        }
    }

    /// Builds the application over its routes; a test can drive it without a network.
    package func application() throws -> Application<RouterResponder<ServerContext>> {
        try application(ConnectionRegister(settings.connections, trusted: settings.trustedProxies))
    }

    private func application(_ register: ConnectionRegister) throws -> Application<RouterResponder<ServerContext>> {
        journal.answerOnlyWhenViewsAreUpToDate()
        if settings.requiresSubscriptions { journal.accounts.requireSubscriptions() }
        let pdfs = PDFJobs()
        let provider = settings.openID.map { OpenIDProvider($0, logger: logger) { [journal] in journal.now } }
        let reminders = ReminderSender(settings.sentReminders, settings.languages)
        let meter = RequestMeter()
        var running: [any Service] = [
            ViewUpdateService(journal: journal), ReaderCleanupService(journal: journal),
            RefusalSummaryService(journal: journal, rates: settings.rates, logger: logger),
            PDFJobService(pdfs: pdfs), ReminderScheduler(journal, reminders, logger: logger),
            InteractionCheckService(journal: journal, logger: logger),
        ]
        if let listener = try metricsListener(register, meter, reminders) { running.append(listener) }
        return Application(
            responder:
                JournalServer.router(
                    journal,
                    settings,
                    provider: provider,
                    pdfs: pdfs,
                    connections: register,
                    reminders: reminders,
                    meter: meter
                )
                .buildResponder(),
            server: try .guarded(by: register, tls: try settings.tls()),
            configuration: ApplicationConfiguration(
                address: .hostname(settings.host, port: settings.port),
                backlog: 1_024,
                availableConnectionsDelegate: .maximum(register.ceiling, logger: logger)
            ),
            services: running,
            onServerRunning: { [onReady] channel in await onReady(channel.localAddress?.port ?? 0) },
            logger: logger
        )
    }
}

/// Keeps the views up to date while requests are served.
private struct ViewUpdateService: Service {
    let journal: Journal

    func run() async throws {
        await cancelWhenGracefulShutdown { await journal.maintenance.keepViewsUpToDate() }
    }
}

/// Cancels the PDF jobs of the pages when the service stops.
private struct PDFJobService: Service {
    let pdfs: PDFJobs

    func run() async throws {
        // Throws only if the task is cancelled, which ends the jobs as well.
        try? await gracefulShutdown()
        await pdfs.close()
    }
}

/// Releases the reader slots of killed processes while requests are served.
private struct ReaderCleanupService: Service {
    let journal: Journal

    func run() async throws {
        await cancelWhenGracefulShutdown { await journal.maintenance.clearStaleReaders() }
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
            try await journal.access.summariseRefusals(all: all)
        } catch {
            logger.error("counted refusals could not be recorded")
        }
    }
}

extension IOError {
    /// Describes the failure for the operator who chose the address.
    var reason: String {
        switch errnoCode {
        case EADDRINUSE: "the port is already in use"
        case EADDRNOTAVAIL: "this machine has no such address"
        case EACCES: "this user has no permission"
        default: "system error \(errnoCode)"
        }
    }
}
