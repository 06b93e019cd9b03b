import ArgumentParser
import EventLog
import FoundationEssentials
import HealthJournal
import HealthModel
import Logging

/// The open journal of a folder, and the account for which a command acts.
struct FolderSession {
    let journal: Journal
    let caller: Caller
    let output: Output
    /// The file of the master key that opened the journal.
    let masterKeyFile: String

    /// Opens the journal, runs the command on it, and always closes it.
    ///
    /// An error is printed and determines the exit status.
    static func run(
        _ options: CommonOptions,
        source: EventSource = .commandLine,
        onRollback: RollbackPolicy = .refuse,
        _ body: (FolderSession) async throws -> Void
    ) async throws {
        try await run(options.work, source: source, onRollback: onRollback, body)
    }

    static func run(
        _ work: Work,
        source: EventSource = .commandLine,
        onRollback: RollbackPolicy = .refuse,
        _ body: (FolderSession) async throws -> Void
    ) async throws {
        try work.place.requireFolder()
        let output = work.output()
        let steps = Steps(isVerbose: work.place.verbose)
        try await output.reporting {
            try work.place.refuseReplica()
            let id = try EventLog.description(of: work.place.folder, options: work.place.logOptions).id
            let path = work.place.masterKeyFile(of: id)
            var options = work.place.logOptions
            options.onRollback = onRollback
            let journal = try Journal(folder: work.place.folder, masterKeyFile: path, options: options)
            steps.log("opened the journal", ["journal": "\(journal.id.text)", "head": "\(try journal.head())"])
            do {
                let caller = try journal.accounts.caller(
                    work.account ?? Journal.ownerName,
                    source: source,
                    reason: work.reason,
                    purpose: work.reason
                )
                steps.log("acting", ["account": "\(caller.account.text)", "kind": "\(caller.kind.name)"])
                let local = work.output(in: journal.zone)
                try await body(FolderSession(journal: journal, caller: caller, output: local, masterKeyFile: path))
            } catch {
                journal.close()
                throw error
            }
            steps.log("done", ["head": "\(try journal.head())"])
            journal.close()
            if let problem = journal.checkpointProblem { output.warn(problem.message) }
        }
    }
}
