internal import FoundationEssentials
internal import LMDB
internal import Platform

/// Signs checkpoints of a log, keeps the newest one outside of the log, and checks the log against it.
final class CheckpointKeeper: Sendable {
    let files: CheckpointFiles
    let journal: UUID
    private let environment: Environment
    private let tables: LogTables
    private let keys: KeyStore
    private let isReadOnly: Bool
    private let reserve: DiskReserve?
    /// The error of the last attempt to keep a checkpoint; nil if it succeeded.
    private let failure = Guarded<EventLogError?>(nil)

    init(
        files: CheckpointFiles,
        journal: UUID,
        environment: Environment,
        tables: LogTables,
        keys: KeyStore,
        isReadOnly: Bool,
        reserve: DiskReserve?
    ) {
        self.files = files
        self.journal = journal
        self.environment = environment
        self.tables = tables
        self.keys = keys
        self.isReadOnly = isReadOnly
        self.reserve = reserve
    }

    var problem: EventLogError? { failure.withLock { $0 } }

    // MARK: - Keys

    /// Creates the signing key if there is none, and stores its public key beside the sealed keys.
    func makeKey() throws(EventLogError) {
        try keys.ensure([KeyStore.checkpointSigner])
        let verifier = try keys.signer(of: journal).verifier
        do throws(StorageError) {
            try files.write(verifier)
        } catch {
            throw EventLogError(error)
        }
    }

    /// Returns the public key that verifies checkpoints, if there is one.
    ///
    /// With the master key, it is derived from the sealed signing key. Without it, or if a read-only log has no usable
    /// signing key, it is read from the plaintext file beside the sealed keys. A writer with the master key never uses
    /// that file: anyone who can replace the file could make an older or altered log pass the check.
    func verifier() -> NoteVerifier? {
        if keys.hasMasterKey {
            if let signer = try? keys.signer(of: journal) { return signer.verifier }
            if !isReadOnly { return nil }
        }
        return files.readVerifier()
    }

    // MARK: - Opening

    /// Checks the log against the copies that were read before it was opened.
    func examine(_ copies: [CheckpointFiles.Copy], isReadOnly: Bool) throws(EventLogError) -> Rollback? {
        do throws(EventLogError) {
            return try held(copies).rollback
        } catch {
            // A read-only log can be opened even if it is damaged.
            guard isReadOnly, let copy = copies.first else { throw error }
            return Rollback(finding: .unusable(error.message), path: copy.path, proven: nil, found: 0)
        }
    }

    // MARK: - Signing

    /// Returns a signed checkpoint of the first `size` events; by default, of all.
    ///
    /// A snapshot contains only events that are already on the disk, so that no checkpoint is ahead of the log after a
    /// power cut.
    func sign(_ size: UInt64? = nil) throws(EventLogError) -> SignedCheckpoint {
        let signer = try keys.signer(of: journal)
        let (size, root) = try reading { transaction in
            let head = try tables.head(transaction)
            let size = size ?? head
            guard size <= head else { throw EventLogError(.notFound, "the log has \(head) events, not \(size)") }
            return (size, try tables.frontier(ofSize: size, transaction).root)
        }
        do throws(ProofError) {
            return try SignedCheckpoint(
                Checkpoint(origin: Checkpoint.origin(of: journal), size: size, root: root),
                signedBy: signer
            )
        } catch {
            throw EventLogError(.storage, "the checkpoint could not be signed: \(error)")
        }
    }

    // MARK: - Keeping

    /// Signs the head and stores the checkpoint in all copies; throws if the log does not extend the stored copies.
    @discardableResult
    func keep() throws(EventLogError) -> SignedCheckpoint {
        do throws(EventLogError) {
            let kept = try locked {
                try makeKey()
                let copies = try held(files.read())
                if let rollback = copies.rollback { throw rollback.error }
                return try write(over: copies)
            }
            failure.withLock { $0 = nil }
            return kept
        } catch {
            failure.withLock { $0 = error }
            throw error
        }
    }

    /// Stores a checkpoint of the head; copies that the log does not extend are renamed.
    @discardableResult
    func replace() throws(EventLogError) -> SignedCheckpoint {
        try locked {
            try makeKey()
            let copies = try held(files.read(withFormer: true))
            for (path, rollback) in copies.refused { try files.setAside(path, size: rollback.proven?.size) }
            return try write(over: copies)
        }
    }

    private func write(over copies: Held) throws(EventLogError) -> SignedCheckpoint {
        let signed = try sign()
        let stale = files.paths.filter { copies.good[$0]?.checkpoint != signed.checkpoint }
        // If one copy cannot be written, the other one is still written.
        var failed: StorageError?
        for path in stale {
            do throws(StorageError) {
                try spendingReserve(at: path) { () throws(StorageError) in try files.write(signed, to: path) }
            } catch {
                failed = error
            }
        }
        // Only after the copy of this place is written: until then the copy of the former place is needed.
        if failed == nil {
            do throws(StorageError) {
                try files.rememberPlace()
            } catch {
                failed = error
            }
        }
        if let failed {
            let error = EventLogError(failed)
            throw EventLogError(error.code, "the checkpoint cannot be stored: \(error.message)")
        }
        return signed
    }

    /// The checkpoint covers the events that record reads and erasures, so it may use the reserve as they do.
    private func spendingReserve(
        at path: String,
        _ work: () throws(StorageError) -> Void
    ) throws(StorageError) {
        guard let reserve else { return try work() }
        try reserve.spending(at: path, work)
    }

    // MARK: - Checking the log against the copies

    /// The result of checking the copies against the log.
    struct Held {
        /// The copies, by path, that are signed by this journal and that its log extends.
        var good: [String: SignedCheckpoint] = [:]
        var refused: [(path: String, rollback: Rollback)] = []

        var newest: SignedCheckpoint? { good.values.max { $0.checkpoint.size < $1.checkpoint.size } }

        /// The rollback whose checkpoint covers the most events.
        var rollback: Rollback? { refused.map(\.rollback).max { $0.proven?.size ?? 0 < $1.proven?.size ?? 0 } }
    }

    /// Checks the log against copies that were read before it.
    ///
    /// The log only grows, so it must extend them.
    func held(_ copies: [CheckpointFiles.Copy]) throws(EventLogError) -> Held {
        guard !copies.isEmpty else { return Held() }
        let verifier = verifier()
        return try reading { transaction in
            let head = try tables.head(transaction)
            var held = Held()
            guard let verifier else {
                let why = try lossOfKey(head, transaction)
                for copy in copies {
                    let rollback = Rollback(finding: .keyLost(why), path: copy.path, proven: nil, found: head)
                    held.refused.append((copy.path, rollback))
                }
                return held
            }
            for copy in copies {
                func refuse(_ finding: Rollback.Finding, _ proven: Checkpoint? = nil) {
                    let rollback = Rollback(finding: finding, path: copy.path, proven: proven, found: head)
                    held.refused.append((copy.path, rollback))
                }
                switch CheckpointKeeper.verified(copy, verifier) {
                // A copy that this process cannot read is no evidence of a rollback, so there is nothing to accept.
                case .failure(let why) where why.isOfTheReader: throw why
                case .failure(let why): refuse(.unusable(why.message))
                case .success(let signed):
                    let checkpoint = signed.checkpoint
                    if checkpoint.size > head {
                        refuse(.shorter, checkpoint)
                    } else if try tables.frontier(ofSize: checkpoint.size, transaction).root != checkpoint.root {
                        refuse(.rewritten, checkpoint)
                    } else {
                        held.good[copy.path] = signed
                    }
                }
            }
            return held
        }
    }

    /// Returns why there is no key that verifies checkpoints.
    ///
    /// Throws if the key of the log's first event is missing too: then the key file is not the one with which the log
    /// was written, and nothing may be added to either.
    private func lossOfKey(_ head: UInt64, _ transaction: borrowing ReadTransaction) throws -> String {
        guard keys.hasMasterKey else { return "the file \(files.folder.verifierKey) is missing or damaged" }
        if !isReadOnly, !tables.isMirror, head > 0 {
            do {
                _ = try keys.key(of: tables.frame(at: 1, transaction).bytes)
            } catch let error as EventLogError where error.code == .damaged {
                throw EventLogError(
                    .damaged,
                    "the key file \(files.folder.keyFile) lacks the key of the log's first event, or it is damaged: "
                        + "it is not the key file with which the log was written. \(KeyFile.remedy)"
                )
            } catch let error as EventLogError where error.code == .subjectErased {
                // Erased on purpose, so this says nothing about the file.
            }
        }
        return
            "the key file \(files.folder.keyFile) lacks the key that signs the journal's checkpoints, or it is damaged"
    }

    private static func verified(
        _ copy: CheckpointFiles.Copy,
        _ verifier: NoteVerifier
    ) -> Result<SignedCheckpoint, EventLogError> {
        do throws(EventLogError) {
            let bytes = try copy.content.get()
            do throws(ProofError) {
                return .success(try SignedCheckpoint(parsing: bytes[...], verifiedBy: [verifier]))
            } catch {
                throw EventLogError(.damaged, error.description)
            }
        } catch {
            return .failure(error)
        }
    }

    private func locked<Result>(_ body: () throws -> Result) throws(EventLogError) -> Result {
        do {
            return try files.locked(body)
        } catch {
            throw EventLogError(error, "the checkpoint cannot be stored")
        }
    }

    private func reading<Result>(_ body: (borrowing ReadTransaction) throws -> Result) throws(EventLogError) -> Result {
        do {
            return try environment.read(body)
        } catch {
            throw EventLogError(error, "the log cannot be read")
        }
    }
}
