import ArgumentParser
import EventLog
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

extension LocationOptions {
    /// The replica in the journal's folder; nil if the folder is not that of a replica.
    var replica: ReplicaFolder? {
        ReplicaFolder.isReplica(folder.path) ? ReplicaFolder(folder.path) : nil
    }

    /// Returns the replica; throws if the folder is not that of one.
    func requireReplica() throws -> ReplicaFolder {
        if let replica { return replica }
        throw JournalError(
            .notFound,
            "there is no replica in \(folder.path); create one with: healthjournal replica init DIR --url URL"
        )
    }

    /// Throws if the folder is that of a replica, for a command that needs the journal itself.
    func refuseReplica() throws {
        guard let replica else { return }
        let service = try replica.describe().service
        throw JournalError(
            .refused,
            "\(folder.path) is a replica, on which this is not possible: use the service, with --url \(service)"
        )
    }

    /// Opens the replica, runs `body` on it, and always closes it.
    func open<Result>(_ replica: ReplicaFolder, _ body: (Replica) async throws -> Result) async throws -> Result {
        let id = try replica.describe().id
        let path =
            namedMasterKeyFile
            ?? MasterKeyFile.path(for: id, of: replica.outbox, environment: ProcessEnvironment.variables)
        let opened = try await Replica(replica, masterKey: MasterKey(file: path))
        do {
            let result = try await body(opened)
            opened.close()
            return result
        } catch {
            opened.close()
            throw error
        }
    }
}

extension Session {
    /// Runs the command on a replica, without a connection to its service.
    static func run(_ work: Work, on folder: ReplicaFolder, _ body: (Session) async throws -> Void) async throws {
        guard work.account == nil else {
            throw ValidationError("a replica is that of one account: leave out --as")
        }
        let output = work.output()
        try await output.reporting {
            try await work.place.open(folder) { replica in
                let before = try replica.outbox.items().count
                let journal = try await replica.openJournal()
                do {
                    let local = LocalJournal(journal: journal, caller: replica.caller(reason: work.reason))
                    try await body(Session(journal: local, output: work.output(in: journal.zone)))
                } catch {
                    journal.close()
                    throw error
                }
                journal.close()
                let items = try replica.outbox.items()
                if items.count > before { output.note(items.waitingSentence) }
            }
        }
    }
}

extension [Outbox.Item] {
    /// How many changes wait to be sent, and since when.
    var waitingSentence: String {
        let waiting = filter(\.isWaiting)
        guard let since = waiting.map(\.change.madeAt).min() else { return "no changes wait here" }
        let what = waiting.count == 1 ? "1 change waits" : "\(waiting.count) changes wait"
        return "saved here: \(what) since \(since) for healthjournal sync"
    }
}
