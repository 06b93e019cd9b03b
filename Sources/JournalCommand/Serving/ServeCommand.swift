import ArgumentParser
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

            Ctrl-C or SIGTERM stops it: what is under way is answered first, for at most ten seconds.
            """
    )

    @OptionGroup var options: CommonOptions

    @Option(name: .long, help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(name: .long, help: "The port to listen on; 0 for any that is free.")
    var port = 8420

    @Option(name: .long, help: "The certificate chain, a PEM file: speak HTTPS.")
    var tlsCertificate: String?

    @Option(name: .long, help: "The certificate's private key, a PEM file.")
    var tlsKey: String?

    @Flag(name: .long, help: "Speak plain HTTP on an address that others reach: behind a proxy that speaks HTTPS.")
    var allowPlainHTTP = false

    private var settings: ServerSettings {
        ServerSettings(
            host: host,
            port: port,
            certificateFile: tlsCertificate,
            privateKeyFile: tlsKey,
            allowsPlainHTTP: allowPlainHTTP
        )
    }

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port takes 0 to 65535") }
        if let objection = settings.objection { throw ValidationError(objection) }
    }

    func run() async throws {
        try await Session.run(options, source: .system) { session in
            try await session.journal.requireAdministrator(session.caller)
            var logger = Logger(label: "healthjournal", factory: { StreamLogHandler.standardError(label: $0) })
            logger.logLevel = options.place.verbose ? .info : .warning
            let settings = settings
            let output = session.output
            let server = JournalServer(session.journal, settings, logger: logger) { port in
                let scheme = settings.speaksTLS ? "https" : "http"
                output.line("serving on \(scheme)://\(settings.host):\(port)")
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
