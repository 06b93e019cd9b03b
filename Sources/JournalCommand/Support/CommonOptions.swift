import ArgumentParser
import EventLog
import FoundationEssentials
import HealthJournal
import HealthModel

/// The options of every command.
struct CommonOptions: ParsableArguments {
    @OptionGroup var place: PlaceOptions

    @Option(
        name: .customLong("as"),
        help: "Act as this account, by name or id (else the journal's owner). In a service the token says who acts."
    )
    var account: String?

    @Option(name: .long, help: "How results are printed: table or json.")
    var format: OutputFormat = .table

    @Option(name: .long, help: "Why this is done; kept with the events and the access that it leaves behind.")
    var reason: String = ""

    var work: Work { Work(place: place, account: account, reason: reason, format: format) }
}

/// Where the journal and its key are.
struct PlaceOptions: ParsableArguments {
    @Option(name: .long, help: "The journal's folder (else $HEALTHJOURNAL_DIR, else ./journal).")
    var journal: String?

    @Option(
        name: .long,
        help:
            "The master key's file (else $HEALTHJOURNAL_MASTER_KEY_FILE, else ~/.config/healthjournal/<journal id>.key)."
    )
    var masterKeyFile: String?

    @OptionGroup var service: ServiceOptions

    @Flag(name: .long, help: "Say on standard error what is being done.")
    var verbose = false

    var folder: JournalFolder {
        JournalFolder(journal ?? Environment.value("HEALTHJOURNAL_DIR") ?? "./journal")
    }

    var namedMasterKeyFile: String? {
        masterKeyFile ?? Environment.value("HEALTHJOURNAL_MASTER_KEY_FILE")
    }

    /// Where the master key of a journal is.
    func masterKeyFile(of journal: UUID) -> String {
        namedMasterKeyFile ?? MasterKeyFile.defaultPath(for: journal, environment: Environment.variables)
    }

    var logOptions: EventLog.Options {
        var options = EventLog.Options()
        if let size = Environment.variables["HEALTHJOURNAL_MAP_SIZE"].flatMap(Int.init), size > 0 {
            options.mapSize = size
        }
        return options
    }
}

/// On which journal something is done, by whom, why, and how it is answered.
struct Work {
    let place: PlaceOptions
    /// Nil for the journal's owner, and for whom a token stands for.
    let account: String?
    let reason: String
    let format: OutputFormat
}

/// How results are printed.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case table
    case json
}

/// The process's environment.
enum Environment {
    static let variables = ProcessInfo.processInfo.environment

    /// A variable that is set to something.
    static func value(_ name: String) -> String? {
        variables[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
