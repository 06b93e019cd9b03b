internal import FoundationEssentials
internal import LMDB
internal import Platform

extension EventLog {
    /// Verifies the whole log: every page of its file, positions, streams, recorded times, every hash and seal.
    ///
    /// It can run while a writer appends, and checks the events that exist when it begins. It does not read through
    /// LMDB, which trusts the pages it reads. With a checkpoint, it checks that the log extends the checkpoint, and
    /// then only the events after it. `progress` is called with the number of events checked and the number of all
    /// events.
    package func verify(
        since: Checkpoint? = nil,
        progress: (_ done: UInt64, _ of: UInt64) -> Void = { _, _ in }
    ) throws(EventLogError) -> Verification {
        // The stored checkpoints are read before the log, which may grow in the meantime.
        let kept = keeper.files.read(withFormer: true)
        var result: Verification
        do throws(StorageError) {
            result = LogVerifier(snapshot: try environment.snapshot(), keys: keys, since: since).run(progress)
        } catch {
            return try Verification(unreadable: error)
        }
        // The log is read through LMDB only if its file is undamaged.
        if result.isSound { try result.hold(against: keeper.held(kept), keeper.verifier()) }
        return result
    }

    /// Verifies the log of a journal that is not open in this process.
    ///
    /// A log that is too damaged to be opened is reported as a fault, like any other damage.
    package static func verify(
        _ folder: JournalFolder,
        masterKey: MasterKey?,
        options: Options = Options(),
        since: Checkpoint? = nil,
        progress: (_ done: UInt64, _ of: UInt64) -> Void = { _, _ in }
    ) throws(EventLogError) -> Verification {
        guard DurableFile.exists(folder.log + "/data.mdb") else {
            throw EventLogError(.notAJournal, "there is no journal in \(folder.path)")
        }
        let snapshot: Snapshot
        do throws(StorageError) {
            do throws(StorageError) {
                var settings = environmentOptions(options)
                settings.isReadOnly = true
                settings.mustExist = true
                snapshot = try Environment(folder: folder.log, options: settings).snapshot()
            } catch {
                guard error.code == .corrupted else { throw error }
                // No process can open this file, so no process writes to it. Its readable pages show where it is
                // damaged.
                snapshot = try Snapshot(PageSource(file: folder.log + "/data.mdb"))
            }
        } catch {
            return try Verification(unreadable: error)
        }
        let description = LogVerifier.description(in: snapshot)
        var keys: KeyStore?
        if let description, let masterKey {
            keys = try KeyStore(folder: folder, journal: description.id, master: masterKey, isReadOnly: true)
        }
        var result = LogVerifier(snapshot: snapshot, keys: keys, since: since).run(progress)
        guard result.isSound else { return result }
        var settings = options
        settings.isReadOnly = true
        settings.onRollback = .report
        let log = try EventLog(folder: folder, masterKey: masterKey, options: settings)
        try result.hold(against: log.keeper.held(log.keeper.files.read(withFormer: true)), log.verifier)
        return result
    }
}

extension EventLog {
    /// Returns a journal's description, read without LMDB, or nil if it cannot be read.
    ///
    /// For callers that need the journal's id to find its master key. Works also while the log is open in this process.
    package static func peek(_ folder: JournalFolder) -> JournalDescription? {
        for _ in 0..<8 {
            // A writer may reuse a page while it is being read, so the read is repeated.
            if let source = try? PageSource(file: folder.log + "/data.mdb"), let snapshot = try? Snapshot(source),
                let description = LogVerifier.description(in: snapshot)
            {
                return description
            }
        }
        return nil
    }
}

extension Verification {
    /// Adds the result of the comparison of the log with the checkpoints that are stored outside it.
    fileprivate mutating func hold(against kept: CheckpointKeeper.Held, _ verifier: NoteVerifier?) {
        (checkpoint, self.verifier) = (kept.newest?.checkpoint, verifier)
        if let rollback = kept.rollback {
            report(rollback.message, at: min(rollback.proven?.size ?? head, head))
        }
    }

    /// Creates the result for a log that cannot be read at all; throws errors that do not mean damage.
    init(unreadable error: StorageError) throws(EventLogError) {
        switch error.code {
        case .corrupted, .notADatabase, .versionMismatch: report(error.description, at: 0)
        default: throw EventLogError(error)
        }
    }
}
