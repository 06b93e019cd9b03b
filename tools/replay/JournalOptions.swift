import ArgumentParser
import EventLog
import Foundation
import JournalEvents

/// The options for the journal and its master key.
struct JournalOptions: ParsableArguments {
    @Option(help: "The journal's folder (default: $HEALTHJOURNAL_DIR, else ./journal).", completion: .directory)
    var journal: String?

    @Option(
        help: """
            The file of the master key (default: $HEALTHJOURNAL_MASTER_KEY_FILE, else \
            $XDG_CONFIG_HOME/healthjournal/<journal id>.key).
            """,
        completion: .file()
    )
    var masterKeyFile: String?

    @Flag(help: "Print each row of a table on one line, even if the terminal is narrower.")
    var wide = false

    @Flag(help: "Show times in UTC instead of the journal's time zone.")
    var utc = false

    /// The location of a journal, found before its log is opened.
    struct Place {
        let folder: JournalFolder
        let options: EventLog.Options
        let master: MasterKey?
        /// Why the master key is missing; nil if it was found.
        let keyProblem: String?
        /// Nil when not even the log's description can be read.
        let description: JournalDescription?
    }

    /// Finds the journal and its master key; without the key, much can still be read.
    func place(_ environment: [String: String] = ProcessInfo.processInfo.environment) throws -> Place {
        let folder = JournalFolder(journal ?? environment.nonEmpty("HEALTHJOURNAL_DIR") ?? "./journal")
        var options = EventLog.Options()
        options.isReadOnly = true
        if let size = environment.nonEmpty("HEALTHJOURNAL_MAP_SIZE") {
            guard let bytes = Int(size), bytes > 0 else {
                throw Failure(.usage, "HEALTHJOURNAL_MAP_SIZE must be a number of bytes, such as 1073741824")
            }
            options.mapSize = bytes
        }
        let description = EventLog.peek(folder)
        let named = masterKeyFile ?? environment.nonEmpty("HEALTHJOURNAL_MASTER_KEY_FILE")
        guard
            let path = named
                ?? description.map({ MasterKeyFile.path(for: $0.id, of: folder, environment: environment) })
        else {
            return Place(
                folder: folder,
                options: options,
                master: nil,
                keyProblem: "the log does not state its journal's id, so that the master key cannot be found",
                description: nil
            )
        }
        if let description {
            options.keep(try MasterKeyFile.witness(of: description.id, in: folder, besideKey: path))
        }
        var master: MasterKey?
        var problem: String?
        do {
            master = try MasterKeyFile.open(path, for: folder)
        } catch {
            guard error.code == .masterKeyMissing else { throw error }
            problem = error.message
        }
        return Place(folder: folder, options: options, master: master, keyProblem: problem, description: description)
    }

    /// Opens the log read-only, with its master key if there is one.
    func open(_ environment: [String: String] = ProcessInfo.processInfo.environment) throws -> OpenJournal {
        try open(place(environment))
    }

    /// With `assumesErasures`, nothing that was erased is shown, also if an older copy of the key file was put back.
    func open(_ place: Place, assumesErasures: Bool = true) throws -> OpenJournal {
        let log = try EventLog(folder: place.folder, masterKey: place.master, options: place.options)
        if let rollback = log.rollback { Messages.say("warning: \(rollback.message)") }
        if assumesErasures {
            let undone = try log.assumeErased(UndoneErasures(), upTo: 0)
            if !undone.isEmpty { Messages.say("warning: \(undone.sentence)") }
        }
        return OpenJournal(
            log: log,
            mapSize: place.options.mapSize,
            keyProblem: place.keyProblem,
            shownZone: utc ? .gmt : log.zone
        )
    }
}

extension [String: String] {
    fileprivate func nonEmpty(_ name: String) -> String? {
        self[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
