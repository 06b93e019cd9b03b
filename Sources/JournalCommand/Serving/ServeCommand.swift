import ArgumentParser
import Configuration
import Foundation
import HealthJournal
import HealthModel
import JournalPages
import JournalServer
import Logging
import ServiceLifecycle
import UnixSignals

/// Runs the service.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the HTTP service until it is stopped.",
        discussion: """
            Example:  healthjournal serve
            Example:  healthjournal serve --host 0.0.0.0 --tls-certificate fullchain.pem --tls-key key.pem
            Example:  healthjournal serve --public-url https://journal.example.org --trusted-proxy 127.0.0.1
            Example:  healthjournal serve --config /etc/healthjournal/serve.json

            Settings without a flag are read from the environment (HEALTHJOURNAL_HOST, HEALTHJOURNAL_PORT, \
            HEALTHJOURNAL_TLS_CERTIFICATE, HEALTHJOURNAL_TLS_KEY, HEALTHJOURNAL_ALLOW_PLAIN_HTTP, \
            HEALTHJOURNAL_OIDC_ISSUER, HEALTHJOURNAL_OIDC_AUDIENCE, HEALTHJOURNAL_OIDC_KEYS, \
            HEALTHJOURNAL_CONNECTIONS, HEALTHJOURNAL_CONNECTIONS_PER_ADDRESS, HEALTHJOURNAL_READS_PER_SECOND, \
            HEALTHJOURNAL_WRITES_PER_SECOND, HEALTHJOURNAL_REFUSALS_PER_MINUTE, HEALTHJOURNAL_PUBLIC_URL, \
            HEALTHJOURNAL_TRUSTED_PROXIES, HEALTHJOURNAL_PROXY_HEADER, HEALTHJOURNAL_REQUIRE_SUBSCRIPTION, \
            HEALTHJOURNAL_IDLE_MINUTES, HEALTHJOURNAL_PUBLIC_LOG, HEALTHJOURNAL_REMINDER_HOSTS, \
            HEALTHJOURNAL_REMINDER_SENDMAIL, HEALTHJOURNAL_METRICS_LISTEN, HEALTHJOURNAL_METRICS_TOKEN_FILE, \
            HEALTHJOURNAL_LOG_ADDRESSES), and otherwise from the file:
            {"host": "0.0.0.0", "port": 8420, "tls": {"certificate": "fullchain.pem", "key": "key.pem"},
             "oidc": {"issuer": "https://id.example.org", "audience": "healthjournal"}}

            Behind an HTTPS proxy, give --public-url, so that cookies are restricted to HTTPS, and --trusted-proxy, so \
            that sign-in attempts are counted by the client's address and not by the proxy's. /metrics is then shown only \
            with --metrics-listen or --metrics-token-file.

            Ctrl-C or SIGTERM stops it; requests in progress are answered first, for at most ten seconds.
            """
    )

    @OptionGroup var options: CommonOptions

    @Option(name: .long, help: "The address to listen on (default: 127.0.0.1).")
    var host: String?

    @Option(name: .long, help: "The port to listen on; 0 for any free port (default: 8420).")
    var port: Int?

    @Option(name: .long, help: "The certificate chain, a PEM file; enables HTTPS.")
    var tlsCertificate: String?

    @Option(name: .long, help: "The certificate's private key, a PEM file.")
    var tlsKey: String?

    @Flag(name: .long, help: "Allow plain HTTP on an address that others can reach, for use behind an HTTPS proxy.")
    var allowPlainHTTP = false

    @Option(name: .long, help: "The URL at which browsers reach the service, such as https://journal.example.org.")
    var publicURL: String?

    @Option(
        name: .long,
        help: "The address or network of a proxy that is trusted to report client addresses. May be repeated."
    )
    var trustedProxy: [String] = []

    @Option(name: .long, help: "The header with the client's address: x-forwarded-for (the default) or forwarded.")
    var proxyHeader: String?

    @Option(
        name: .long,
        help: "The maximum number of open connections (default: as many as the system has file descriptors for)."
    )
    var connections: Int?

    @Option(
        name: .long,
        help: "The maximum from one address (default: a quarter, at most 256); trusted proxies have no limit."
    )
    var connectionsPerAddress: Int?

    @Option(name: .long, help: "The maximum number of reads per second and account; 0 for no limit (default: 200).")
    var readsPerSecond: Int?

    @Option(
        name: .long,
        help: "The maximum number of changes per second and account; 0 for no limit (default: 200)."
    )
    var writesPerSecond: Int?

    @Option(
        name: .long,
        help:
            "The maximum number of refusals per minute and account that are recorded singly; 0 for no limit (default: 60)."
    )
    var refusalsPerMinute: Int?

    @Option(
        name: .long,
        help: "End a session in a browser that nobody has used for so many minutes; 0 for never (default: 0)."
    )
    var idleMinutes: Int?

    @Flag(
        name: .long,
        help: "Accounts whose subscription is over can read, export and erase their data, but not change it."
    )
    var requireSubscription = false

    @Flag(
        name: .long,
        help: "Serve the published checkpoint and the tree of the log below /tlog to everybody, not only to accounts."
    )
    var publicLog = false

    @Option(name: .long, help: "Also accept tokens of this OpenID provider, such as https://id.example.org.")
    var oidcIssuer: String?

    @Option(name: .long, help: "The name of this service at that provider (the audience of its tokens).")
    var oidcAudience: String?

    @Option(name: .long, help: "A file with that provider's public keys, a JWKS (default: they are requested from it).")
    var oidcKeys: String?

    @OptionGroup var sending: SendingOptions

    @Option(
        name: .long,
        help: "A file of the pages' texts in another language, made from that of: healthjournal words. May be repeated."
    )
    var words: [String] = []

    @Option(name: .long, help: "A JSON file of settings (default: $HEALTHJOURNAL_CONFIG).")
    var config: String?

    @Option(name: .long, help: "The form of the log on the standard error: text or json.")
    var logFormat: LogFormat = .text

    @Option(name: .long, help: "What is logged: info (each request too), notice, warning or error.")
    var logLevel: ServiceLogLevel = .info

    @Option(
        name: .long,
        help: "An address with a port for /metrics and the health checks, such as 127.0.0.1:9420 (default: none)."
    )
    var metricsListen: String?

    @Option(
        name: .long,
        help: """
            A file with the token that a request for /metrics must show (default: without --metrics-listen, /metrics is \
            shown to programs of this machine alone, and not behind a proxy).
            """
    )
    var metricsTokenFile: String?

    @Flag(
        name: .long,
        help: "Log the address of the client of each request, which is personal data (default: no addresses)."
    )
    var logAddresses = false

    @Flag(name: .long, help: "Print a code with which the account can sign in once, within 15 minutes.")
    var signIn = false

    private var flags: [AbsoluteConfigKey: ConfigValue] {
        var values: [AbsoluteConfigKey: ConfigValue] = [:]
        values["host"] = host.map { ConfigValue(.string($0), isSecret: false) }
        values["port"] = port.map { ConfigValue(.int($0), isSecret: false) }
        values["tls.certificate"] = tlsCertificate.map { ConfigValue(.string($0), isSecret: false) }
        values["tls.key"] = tlsKey.map { ConfigValue(.string($0), isSecret: false) }
        values["oidc.issuer"] = oidcIssuer.map { ConfigValue(.string($0), isSecret: false) }
        values["oidc.audience"] = oidcAudience.map { ConfigValue(.string($0), isSecret: false) }
        values["oidc.keys"] = oidcKeys.map { ConfigValue(.string($0), isSecret: false) }
        values["publicURL"] = publicURL.map { ConfigValue(.string($0), isSecret: false) }
        if !trustedProxy.isEmpty { values["trustedProxies"] = ConfigValue(.stringArray(trustedProxy), isSecret: false) }
        values["proxyHeader"] = proxyHeader.map { ConfigValue(.string($0), isSecret: false) }
        if !sending.reminderHosts.isEmpty {
            values["reminderHosts"] = ConfigValue(.stringArray(sending.reminderHosts), isSecret: false)
        }
        values["reminderSendmail"] = sending.reminderSendmail.map { ConfigValue(.string($0), isSecret: false) }
        values["connections"] = connections.map { ConfigValue(.int($0), isSecret: false) }
        values["connectionsPerAddress"] = connectionsPerAddress.map { ConfigValue(.int($0), isSecret: false) }
        values["readsPerSecond"] = readsPerSecond.map { ConfigValue(.int($0), isSecret: false) }
        values["writesPerSecond"] = writesPerSecond.map { ConfigValue(.int($0), isSecret: false) }
        values["refusalsPerMinute"] = refusalsPerMinute.map { ConfigValue(.int($0), isSecret: false) }
        values["idleMinutes"] = idleMinutes.map { ConfigValue(.int($0), isSecret: false) }
        if !words.isEmpty { values["words"] = ConfigValue(.stringArray(words), isSecret: false) }
        if publicLog { values["publicLog"] = ConfigValue(.bool(true), isSecret: false) }
        if requireSubscription { values["requireSubscription"] = ConfigValue(.bool(true), isSecret: false) }
        values["metricsListen"] = metricsListen.map { ConfigValue(.string($0), isSecret: false) }
        values["metricsTokenFile"] = metricsTokenFile.map { ConfigValue(.string($0), isSecret: false) }
        if logAddresses { values["logAddresses"] = ConfigValue(.bool(true), isSecret: false) }
        if allowPlainHTTP { values["allowPlainHTTP"] = ConfigValue(.bool(true), isSecret: false) }
        return values
    }

    func run() async throws {
        let settings = try await ServeConfiguration(
            flags: flags,
            file: config,
            environment: ProcessEnvironment.variables
        )
        .settings()
        try await FolderSession.run(options, source: .system) { session in
            try await session.journal.access.require(.administer(.manage), session.caller)
            let writer = LogWriter()
            let logger = Logger(label: "healthjournal") { _ in
                ServiceLog(logFormat, level: logLevel.level) { writer.write($0) }
            }
            let output = session.output
            for missing in settings.languages.incomplete {
                output.warn(
                    "the words of \(missing.tag) lack \(missing.names.count) texts, which will be in English, such as "
                        + missing.names.prefix(3).joined(separator: ", ")
                )
            }
            let code = signIn ? try session.journal.accounts.makeSignInCode(for: session.caller.account) : nil
            let server = JournalServer(session.journal, settings, logger: logger) { port in
                let scheme = settings.speaksTLS ? "https" : "http"
                let address = "\(scheme)://\(settings.host):\(port)"
                output.line("serving on \(address)")
                logger.notice("started", metadata: ["address": "\(address)"])
                guard let code else { return }
                output.note(
                    """
                    Open \(settings.publicURL ?? address)/sign-in and sign in as \(session.caller.name) with this code, \
                    once and within 15 minutes:
                      \(code)
                    """
                )
            }
            var configuration = ServiceGroupConfiguration(
                services: [server],
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: logger
            )
            // Requests that are not answered by then are dropped; the log contains all acknowledged writes.
            configuration.maximumGracefulShutdownDuration = .seconds(10)
            defer {
                logger.notice("stopped")
                writer.flush()
            }
            try await ServiceGroup(configuration: configuration).run()
        }
    }
}
