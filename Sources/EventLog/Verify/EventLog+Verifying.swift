internal import FoundationEssentials
internal import LMDB

extension EventLog {
    /// Checks everything that the log claims: every page of its file, positions, streams, recorded times, every hash and seal.
    ///
    /// It works beside a running writer, on the events that were there when it began, and reads nothing through LMDB, which
    /// believes what it finds. With a checkpoint, only what came after it is checked, and that the log extends it. `progress`
    /// is told how far it is.
    package func verify(
        since: Checkpoint? = nil,
        progress: (_ done: UInt64, _ of: UInt64) -> Void = { _, _ in }
    ) throws(EventLogError) -> Verification {
        // Before the log, which may grow in the meantime.
        let kept = keeper.files.read()
        var result: Verification
        do throws(LMDBError) {
            result = LogVerifier(snapshot: try environment.snapshot(), keys: keys, since: since).run(progress)
        } catch {
            return try Verification(unreadable: error)
        }
        // LMDB is asked only about a file in which all is as it should be.
        if result.isSound { try result.hold(against: keeper.held(kept), keeper.verifier()) }
        return result
    }

    /// Checks the log of a journal that is not open in this process.
    ///
    /// A log that is too damaged to be opened is told as a fault, like any other.
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
        do throws(LMDBError) {
            do throws(LMDBError) {
                var settings = environmentOptions(options)
                settings.isReadOnly = true
                settings.mustExist = true
                snapshot = try Environment(folder: folder.log, options: settings).snapshot()
            } catch {
                guard error.code == .corrupted else { throw error }
                // Nobody can open this file, so that nobody writes to it: what can be read of it tells where it is damaged.
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
        settings.onRollback = .tell
        let log = try EventLog(folder: folder, masterKey: masterKey, options: settings)
        try result.hold(against: log.keeper.held(log.keeper.files.read()), log.verifier)
        return result
    }
}

extension EventLog {
    /// What a journal says of itself, read without LMDB, for who must know its id to find its master key; nil if it cannot be
    /// read.
    ///
    /// Also while the log is open in this process.
    package static func peek(_ folder: JournalFolder) -> JournalDescription? {
        for _ in 0..<8 {
            // A writer may take a page that is being read, and then it is not the same the next time.
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
    /// Takes over what the checkpoints that are kept outside the log say of it.
    fileprivate mutating func hold(against kept: CheckpointKeeper.Held, _ verifier: NoteVerifier?) {
        (checkpoint, self.verifier) = (kept.newest?.checkpoint, verifier)
        if let rollback = kept.rollback {
            report(rollback.message, at: min(rollback.proven?.size ?? head, head))
        }
    }

    /// A log of which nothing could be read; throws what is no damage.
    init(unreadable error: LMDBError) throws(EventLogError) {
        switch error.code {
        case .corrupted, .notADatabase, .versionMismatch: report(error.description, at: 0)
        default: throw EventLogError(error)
        }
    }
}
