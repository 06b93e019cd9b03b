import ArgumentParser
import Configuration
import Foundation
import HealthJournal
import HealthModel
import JournalServer
import Logging
import ServiceLifecycle
import UnixSignals

/// Runs the service.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Answer people and other tools over HTTP until it is told to stop.",
        discussion: """
            Example:  healthjournal serve
            Example:  healthjournal serve --host 0.0.0.0 --tls-certificate fullchain.pem --tls-key key.pem
            Example:  healthjournal serve --config /etc/healthjournal/serve.json

            What no flag says is read from the environment (HEALTHJOURNAL_HOST, HEALTHJOURNAL_PORT,
            HEALTHJOURNAL_TLS_CERTIFICATE, HEALTHJOURNAL_TLS_KEY, HEALTHJOURNAL_ALLOW_PLAIN_HTTP, HEALTHJOURNAL_OIDC_ISSUER,
            HEALTHJOURNAL_OIDC_AUDIENCE, HEALTHJOURNAL_OIDC_KEYS), and else from the file:
            {"host": "0.0.0.0", "port": 8420, "tls": {"certificate": "fullchain.pem", "key": "key.pem"},
             "oidc": {"issuer": "https://id.example.org", "audience": "healthjournal"}}

            Ctrl-C or SIGTERM stops it: what is under way is answered first, for at most ten seconds.
            """
    )

    @OptionGroup var options: CommonOptions

    @Option(name: .long, help: "The address to listen on (else 127.0.0.1).")
    var host: String?

    @Option(name: .long, help: "The port to listen on; 0 for any that is free (else 8420).")
    var port: Int?

    @Option(name: .long, help: "The certificate chain, a PEM file: speak HTTPS.")
    var tlsCertificate: String?

    @Option(name: .long, help: "The certificate's private key, a PEM file.")
    var tlsKey: String?

    @Flag(name: .long, help: "Speak plain HTTP on an address that others reach: behind a proxy that speaks HTTPS.")
    var allowPlainHTTP = false

    @Option(name: .long, help: "Take the tokens of this OpenID provider too, as https://id.example.org.")
    var oidcIssuer: String?

    @Option(name: .long, help: "The name under which that provider knows this service.")
    var oidcAudience: String?

    @Option(name: .long, help: "A file with that provider's public keys (a JWKS), else it is asked for them.")
    var oidcKeys: String?

    @Option(name: .long, help: "A JSON file of settings (else $HEALTHJOURNAL_CONFIG).")
    var config: String?

    @Flag(name: .long, help: "Print a code with which the account signs in once, within a quarter of an hour.")
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
        if allowPlainHTTP { values["allowPlainHTTP"] = ConfigValue(.bool(true), isSecret: false) }
        return values
    }

    func run() async throws {
        let settings = try await ServeConfiguration(flags: flags, file: config, environment: Environment.variables)
            .settings()
        try await FolderSession.run(options, source: .system) { session in
            try await session.journal.requireAdministrator(session.caller)
            var logger = Logger(label: "healthjournal", factory: { StreamLogHandler.standardError(label: $0) })
            logger.logLevel = options.place.verbose ? .info : .warning
            let output = session.output
            let code = signIn ? try session.journal.makeSignInCode(for: session.caller.account) : nil
            let server = JournalServer(session.journal, settings, logger: logger) { port in
                let scheme = settings.speaksTLS ? "https" : "http"
                let address = "\(scheme)://\(settings.host):\(port)"
                output.line("serving on \(address)")
                guard let code else { return }
                output.note(
                    """
                    Open \(address)/sign-in and sign in as \(session.caller.name), once and within a quarter of an hour, \
                    with the code
                      \(code)
                    """
                )
            }
            var configuration = ServiceGroupConfiguration(
                services: [server],
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: logger
            )
            // Whoever has not been answered by then is not: the log has all that was acknowledged.
            configuration.maximumGracefulShutdownDuration = .seconds(10)
            try await ServiceGroup(configuration: configuration).run()
        }
    }
}
