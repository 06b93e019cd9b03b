import ArgumentParser
import EventLog
import Foundation

/// Which journal, and what opens its payloads.
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

    /// Opens the log to be read only, with its master key if there is one.
    func open(_ environment: [String: String] = ProcessInfo.processInfo.environment) throws -> OpenJournal {
        let folder = JournalFolder(journal ?? environment.nonEmpty("HEALTHJOURNAL_DIR") ?? "./journal")
        var options = EventLog.Options()
        options.isReadOnly = true
        if let size = environment.nonEmpty("HEALTHJOURNAL_MAP_SIZE") {
            guard let bytes = Int(size), bytes > 0 else {
                throw Failure(.usage, "HEALTHJOURNAL_MAP_SIZE must be a number of bytes, as 1073741824")
            }
            options.mapSize = bytes
        }
        let path =
            try masterKeyFile ?? environment.nonEmpty("HEALTHJOURNAL_MASTER_KEY_FILE")
            ?? MasterKeyFile.defaultPath(
                for: EventLog.description(of: folder, options: options).id,
                environment: environment
            )
        var master: MasterKey?
        var problem: String?
        do {
            master = try MasterKeyFile.read(path, for: folder)
        } catch {
            guard error.code == .masterKeyMissing else { throw error }
            problem = error.message
        }
        let log = try EventLog(folder: folder, masterKey: master, options: options)
        return OpenJournal(log: log, mapSize: options.mapSize, keyProblem: problem)
    }
}

extension [String: String] {
    fileprivate func nonEmpty(_ name: String) -> String? {
        self[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
