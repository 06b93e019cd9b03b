import ArgumentParser
import EventLog
import FoundationEssentials
import HealthJournal
import HealthModel

/// An open journal and who acts on it, for the length of one command.
struct Session {
    let journal: Journal
    let caller: Caller
    let output: Output

    /// Opens the journal, runs the command on it, and closes it whatever happens. Failures end in their exit status.
    static func run(
        _ options: CommonOptions,
        source: EventSource = .commandLine,
        _ body: (Session) async throws -> Void
    ) async throws {
        let output = Output(options.format)
        try await output.reporting {
            let journal = try open(options)
            do {
                let caller = try journal.caller(
                    options.account,
                    source: source,
                    reason: options.reason,
                    purpose: options.reason
                )
                try await body(Session(journal: journal, caller: caller, output: output))
            } catch {
                journal.close()
                throw error
            }
            journal.close()
        }
    }

    private static func open(_ options: CommonOptions) throws -> Journal {
        let path =
            try options.namedMasterKeyFile
            ?? MasterKeyFile.defaultPath(
                for: EventLog.description(of: options.folder, options: options.logOptions).id,
                environment: Environment.variables
            )
        return try Journal(
            folder: options.folder,
            masterKey: MasterKey(file: path),
            options: options.logOptions
        )
    }
}
