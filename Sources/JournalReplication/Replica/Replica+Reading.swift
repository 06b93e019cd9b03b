internal import EventLog
internal import FoundationEssentials
internal import HealthModel
package import JournalCore
internal import Platform
internal import ProjectionKit

extension Replica {
    /// Opens the readable side: a copy of the mirror, with the changes on top that the mirror does not show yet.
    ///
    /// The copy is made anew if it is not of this mirror, or if it is damaged.
    package func openJournal() async throws(JournalError) -> Journal {
        do {
            return try await openWork()
        } catch {
            guard JournalError(error).code == .damaged else { throw JournalError(error) }
        }
        do {
            try discardWork()
            return try await openWork()
        } catch {
            throw JournalError(error)
        }
    }

    /// Returns a caller for the account of the replica.
    package func caller(reason: String) -> Caller {
        Caller(
            account: state.account,
            name: state.accountName,
            kind: .person,
            source: .commandLine,
            reason: reason,
            purpose: reason
        )
    }

    /// Makes the next command copy the mirror again.
    func discardWork() throws {
        try folder.invalidateCopy()
        try Folder.remove(folder.work.path)
    }

    private func openWork() async throws -> Journal {
        let state = state
        guard let mirror = state.mirror, DurableFile.exists(folder.mirror.log + "/data.mdb") else {
            throw JournalError(
                .failed,
                "nothing was fetched from the service yet, or the mirror was deleted: run healthjournal sync"
            )
        }
        let name = Array("\(mirror.text) \(state.through)\n".utf8)
        let mark = folder.copyMark
        let isCurrent = try DurableFile.exists(mark) && DurableFile.read(mark, atMost: 256) == name
        if !isCurrent {
            try discardWork()
            try Replica.copy(folder.mirror.path, to: folder.work.path)
            try DurableFile.replace(mark, with: name)
        }
        let log = try EventLog(folder: folder.work, masterKey: master, options: mirrorOptions)
        let side = ReplicaSide(state, outbox, base: state.through, invalidateCopy: folder.invalidateCopy)
        // The service does what follows from a change.
        let journal = try Journal(log: log, mapSize: mirrorOptions.mapSize, replica: side, capabilities: [])
        do {
            let missing = try outbox.items().filter { $0.isMissing(through: state.through) }.map(\.change)
            guard let last = missing.last, try !journal.offline.shows(last, side) else { return journal }
            for change in missing {
                do throws(JournalError) {
                    try await journal.offline.show(change, side)
                } catch {
                    // What the service will refuse is not shown; it stays in the outbox.
                    if error.isTransient { throw error }
                }
            }
            return journal
        } catch {
            journal.close()
            throw error
        }
    }

    /// Copies the files of a journal's folder that no process has open, and syncs them.
    private static func copy(_ from: String, to path: String) throws {
        try DurableFile.makeFolder(path)
        for name in try DurableFile.names(in: from) {
            let (source, target) = (from + "/" + name, path + "/" + name)
            guard FileStatus(of: source)?.isFolder != true else {
                try copy(source, to: target)
                continue
            }
            // LMDB makes its lock file itself.
            if name == "lock.mdb" { continue }
            try FileManager.default.copyItem(atPath: source, toPath: target)
            try DurableFile(path: target, mode: .readWrite).sync()
        }
        try DurableFile.syncFolder(of: path + "/.")
    }
}
