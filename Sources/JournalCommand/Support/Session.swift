import ArgumentParser
import EventLog
import FoundationEssentials
import HealthJournal
import HealthModel
import Logging

/// An open journal and who acts on it, for the length of one command.
struct Session {
    let journal: Journal
    let caller: Caller
    let output: Output
    /// The file of the master key that opened the journal.
    let masterKeyFile: String

    /// Opens the journal, runs the command on it, and closes it whatever happens.
    ///
    /// Failures end in their exit status.
    static func run(
        _ options: CommonOptions,
        source: EventSource = .commandLine,
        onRollback: RollbackAnswer = .refuse,
        _ body: (Session) async throws -> Void
    ) async throws {
        try await run(options.work, source: source, onRollback: onRollback, body)
    }

    static func run(
        _ work: Work,
        source: EventSource = .commandLine,
        onRollback: RollbackAnswer = .refuse,
        _ body: (Session) async throws -> Void
    ) async throws {
        let output = Output(work.format)
        let steps = Steps(isTold: work.place.verbose)
        try await output.reporting {
            let path = try work.place.masterKeyPath()
            let journal = try open(work.place, masterKeyFile: path, onRollback)
            steps.tell(
                "opened the journal",
                ["journal": "\(journal.log.description.id.text)", "head": "\(try journal.log.head())"]
            )
            do {
                let caller = try journal.caller(
                    work.account,
                    source: source,
                    reason: work.reason,
                    purpose: work.reason
                )
                steps.tell("acting", ["account": "\(caller.account.text)", "kind": "\(caller.kind.name)"])
                try await body(Session(journal: journal, caller: caller, output: output, masterKeyFile: path))
            } catch {
                journal.close()
                throw error
            }
            steps.tell("done", ["head": "\(try journal.log.head())"])
            journal.close()
            if let problem = journal.log.checkpointProblem { output.warn(problem.message) }
        }
    }

    private static func open(
        _ place: PlaceOptions,
        masterKeyFile path: String,
        _ onRollback: RollbackAnswer
    ) throws -> Journal {
        try MasterKeyFile.settle(path, for: place.folder)
        var options = place.logOptions
        options.witness = try MasterKeyFile.witness(
            of: EventLog.description(of: place.folder, options: options).id,
            in: place.folder,
            besideKey: path
        )
        options.onRollback = onRollback
        return try Journal(folder: place.folder, masterKey: MasterKey(file: path), options: options)
    }
}

extension PlaceOptions {
    /// Where the journal's master key is: where it was said to be, or where it is kept unless that is said.
    func masterKeyPath() throws -> String {
        try namedMasterKeyFile
            ?? MasterKeyFile.defaultPath(
                for: EventLog.description(of: folder, options: logOptions).id,
                environment: Environment.variables
            )
    }
}
