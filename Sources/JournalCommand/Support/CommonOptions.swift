import ArgumentParser
import CommandRun
import EventLog
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer

/// The options of every command; the help lists them behind its own ones.
struct CommonOptions: ParsableArguments {
    @OptionGroup(title: HelpText.commonOptions) var place: LocationOptions
    @OptionGroup(title: HelpText.commonOptions) private var acting: ActingOptions

    var account: String? { acting.account }
    var format: OutputFormat { acting.format }
    var reason: String { acting.reason }

    var work: Work {
        Work(place: place, account: account, reason: reason, format: format, isWide: acting.wide, isUTC: acting.utc)
    }

    /// The output of a command that opens no session.
    var out: Output { Output(format, isWide: acting.wide) }
}

/// The options for who acts and why, and for how the result is printed.
private struct ActingOptions: ParsableArguments {
    @Option(
        name: .customLong("as"),
        help: "Act as this account, by name or id (default: the journal's owner). A service uses the token's account."
    )
    var account: String?

    @Option(name: .long, help: "The output format: table or json.")
    var format: OutputFormat = .table

    @Option(name: .long, help: "The reason; it is recorded with the events and the reads of the command.")
    var reason: String = ""

    @Flag(name: .long, help: "Print each row of a table on one line, even if the terminal is narrower.")
    var wide = false

    @Flag(name: .long, help: "Show times in UTC instead of the journal's time zone.")
    var utc = false
}

/// The options for the location of the journal and of its key, or for the service through which it is reached.
///
/// These are in one group, because a debug build validates each group several times for each group around it.
struct LocationOptions: ParsableArguments {
    @Option(
        name: .long,
        help: "The journal's folder (default: $HEALTHJOURNAL_DIR, else ./journal).",
        completion: .directory
    )
    var journal: String?

    @Option(
        name: .long,
        help:
            "The master key file (default: $HEALTHJOURNAL_MASTER_KEY_FILE, else ~/.config/healthjournal/<journal id>.key).",
        completion: .file()
    )
    var masterKeyFile: String?

    @Option(name: .long, help: "The URL of a service to use (default: $HEALTHJOURNAL_URL, else the journal's folder).")
    var url: String?

    @Option(
        name: .long,
        help: """
            The token that authenticates the account. All users of this machine can see it in the list of processes: \
            better set $HEALTHJOURNAL_TOKEN, or give --token-file.
            """
    )
    var token: String?

    @Option(name: .long, help: "A file whose first line is the token.", completion: .file())
    var tokenFile: String?

    @Option(
        name: .customLong("ca"),
        help: "A PEM file of certificates to trust besides the system's, for a service with a certificate of its own.",
        completion: .file()
    )
    var certificateFile: String?

    @Flag(
        name: .customLong("insecure-http"),
        help: "Use plain HTTP to another machine; the data and the token can then be read on the network."
    )
    var allowsPlainHTTP = false

    @Flag(name: .long, help: "Print each step on standard error.")
    var verbose = false

    var folder: JournalFolder {
        JournalFolder(journal ?? ProcessEnvironment.value("HEALTHJOURNAL_DIR") ?? "./journal")
    }

    var namedMasterKeyFile: String? {
        masterKeyFile ?? ProcessEnvironment.value("HEALTHJOURNAL_MASTER_KEY_FILE")
    }

    /// Returns the path of the master key of a journal.
    func masterKeyFile(of journal: UUID) -> String {
        namedMasterKeyFile ?? MasterKeyFile.path(for: journal, of: folder, environment: ProcessEnvironment.variables)
    }

    var logOptions: EventLog.Options { .standard }
}

/// What a command works on: the journal, the acting account, the reason and the output format.
struct Work {
    let place: LocationOptions
    /// Nil for the journal's owner or, through a service, for the account of the token.
    let account: String?
    let reason: String
    let format: OutputFormat
    var isWide = false
    var isUTC = false

    /// The output of a command on a journal with a time zone; through a service, the zone is that of this machine.
    func output(in zone: TimeZone = .current) -> Output {
        Output(format, isWide: isWide, zone: isUTC ? .gmt : zone, typedZone: zone)
    }
}

/// The format of printed results.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case table
    case json
}

/// The process's environment.
enum ProcessEnvironment {
    static let variables = ProcessInfo.processInfo.environment

    /// Returns a variable that is set and not empty.
    static func value(_ name: String) -> String? {
        variables[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// The argument RECORD of commands on a record.
struct RecordArgument: ParsableArguments {
    @Argument(help: "The record: a name, an id, or the first 8 or more characters of one.")
    var record: String

    /// Returns the id of the record; if only the beginning of a name was typed on a terminal, prints the whole name.
    ///
    /// A script gets no name: what it prints on the standard error is often kept in a log.
    func id(in session: Session) async throws -> UUID {
        let found = try await session.journal.named(record: record)
        if let name = found.name, Terminal.isInteractive, !session.output.isJSON {
            session.output.note("the record is that of \(TerminalText.escaped(name))")
        }
        return found.id
    }
}

/// The argument ACCOUNT of commands on an account.
struct AccountArgument: ParsableArguments {
    @Argument(help: "The account, by name or id.")
    var account: String

    func id(in session: Session) async throws -> UUID { try await session.journal.account(account) }
}

/// The argument of commands on a grant: whom it gives access.
struct GranteeArgument: ParsableArguments {
    @Argument(help: "The account or the practice, by name or id.")
    var account: String

    func id(in session: Session) async throws -> UUID {
        do {
            return try await session.journal.account(account)
        } catch let refusal as JournalError where [.notFound, .refused, .invalid].contains(refusal.code) {
            let practices = try await session.perform(PracticeEndpoints.list, nil)
            let named = try? practices.one(account, "practice", "account") { ($0.id, $0.profile.name) }
            guard let named else { throw refusal }
            return named.id
        }
    }
}
