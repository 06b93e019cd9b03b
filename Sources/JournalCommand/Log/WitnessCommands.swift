import ArgumentParser
import EventLog
import HealthJournal
import Interchange
import JournalServer
import Logging
import ServiceLifecycle
import UnixSignals

/// Groups the commands of a witness of other journals.
struct WitnessCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "witness",
        abstract: "Witness the logs of others: cosign what they publish, as long as each only grows.",
        subcommands: [WitnessCreateCommand.self, WitnessAddCommand.self, WitnessServeCommand.self]
    )
}

struct WitnessCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create a witness in a new folder, and print its key for the policies of others.",
        discussion: """
            Example:  healthjournal witness create ./witness --name zumsteg.example/witness

            A witness needs no journal. Two families who witness each other need nobody else to notice that a log was \
            rewritten.
            """
    )

    @Argument(help: "The folder of the witness.", completion: .directory)
    var folder: String

    @Option(name: .long, help: "The name of the witness, best an address without https://.")
    var name: String

    func run() async throws {
        let output = Output(.table)
        try await output.reporting {
            output.line(try LogWitness.create(folder, name: name).verifier.text)
        }
    }
}

struct WitnessAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Make a log known to a witness, by the verifier key of the log.",
        discussion: """
            Example:  healthjournal witness add ./witness "$(healthjournal-replay checkpoint --key)"
            """
    )

    @Argument(help: "The folder of the witness.", completion: .directory)
    var folder: String

    @Argument(help: "The verifier key of the log.")
    var key: String

    func run() async throws {
        let log: NoteVerifier
        do throws(ProofError) { log = try NoteVerifier(parsing: key) } catch { throw ValidationError("\(error)") }
        let output = Output(.table)
        try await output.reporting {
            try LogWitness(opening: folder).add(log)
            output.line("the witness knows \(TerminalText.escaped(log.name))")
        }
    }
}

struct WitnessServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Answer requests to cosign checkpoints (C2SP tlog-witness) until it is stopped.",
        discussion: """
            Example:  healthjournal witness serve ./witness --port 8421

            For others to reach it, put an HTTPS proxy in front of it.
            """
    )

    @Argument(help: "The folder of the witness.", completion: .directory)
    var folder: String

    @Option(name: .long, help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(name: .long, help: "The port to listen on; 0 for any free port.")
    var port = 8421

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("a port is a number from 0 to 65535") }
    }

    func run() async throws {
        let output = Output(.table)
        try await output.reporting {
            let witness = try LogWitness(opening: folder)
            let logger = Logger(label: "healthjournal-witness") { _ in SwiftLogNoOpLogHandler() }
            let service = WitnessService(witness, host: host, port: port, logger: logger) { port in
                output.line("witness \(witness.verifier.name) serves on http://\(host):\(port)")
            }
            let configuration = ServiceGroupConfiguration(
                services: [service],
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: logger
            )
            try await ServiceGroup(configuration: configuration).run()
        }
    }
}
