internal import FoundationEssentials
internal import LMDB

/// Signs checkpoints of a log, keeps the newest outside of it, and holds the log against it.
final class CheckpointKeeper: Sendable {
    let files: CheckpointFiles
    let journal: UUID
    private let environment: Environment
    private let tables: LogTables
    private let keys: KeyStore
    private let isReadOnly: Bool
    /// Why the last checkpoint could not be kept.
    private let failure = Guarded<EventLogError?>(nil)

    init(
        files: CheckpointFiles,
        journal: UUID,
        environment: Environment,
        tables: LogTables,
        keys: KeyStore,
        isReadOnly: Bool
    ) {
        self.files = files
        self.journal = journal
        self.environment = environment
        self.tables = tables
        self.keys = keys
        self.isReadOnly = isReadOnly
    }

    var problem: EventLogError? { failure.withLock { $0 } }

    // MARK: - Keys

    /// Makes the signing key if there is none, and lays its public half beside the sealed keys.
    func makeKey() throws(EventLogError) {
        try keys.ensure([KeyStore.checkpointSigner])
        let verifier = try keys.signer(of: journal).verifier
        do throws(LMDBError) {
            try files.write(verifier)
        } catch {
            throw EventLogError(error)
        }
    }

    /// The key that checks checkpoints: of the sealed signing key, or, for who cannot open that, as it lies there for all.
    ///
    /// A writer takes no other: a key that anybody could have put there would let them put back any log.
    func verifier() -> NoteVerifier? {
        if keys.hasMasterKey {
            if let signer = try? keys.signer(of: journal) { return signer.verifier }
            if !isReadOnly { return nil }
        }
        return files.readVerifier()
    }

    // MARK: - Opening

    /// Holds the log against the copies that were read before it was opened.
    func examine(_ copies: [CheckpointFiles.Copy], isReadOnly: Bool) throws(EventLogError) -> Rollback? {
        do throws(EventLogError) {
            return try held(copies).rollback
        } catch {
            // Who only looks may look at a damaged log too.
            guard isReadOnly, let copy = copies.first else { throw error }
            return Rollback(finding: .unusable(error.message), path: copy.path, proven: nil, found: 0)
        }
    }

    // MARK: - Signing

    /// A checkpoint of the head.
    ///
    /// A snapshot shows what is on the disk already, so that no checkpoint is ahead of the log after a power cut.
    func sign() throws(EventLogError) -> SignedCheckpoint {
        let signer = try keys.signer(of: journal)
        let (head, root) = try reading { transaction in
            let head = try tables.head(transaction)
            return (head, try tables.frontier(ofSize: head, transaction).root)
        }
        do throws(ProofError) {
            return try SignedCheckpoint(
                Checkpoint(origin: Checkpoint.origin(of: journal), size: head, root: root),
                signedBy: signer
            )
        } catch {
            throw EventLogError(.storage, "the checkpoint could not be signed: \(error)")
        }
    }

    // MARK: - Keeping

    /// Signs the head and keeps that, unless it is kept already; refuses if the log does not extend what is kept.
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

    /// Keeps the head in the place of checkpoints that the log does not extend; they are set aside.
    @discardableResult
    func replace() throws(EventLogError) -> SignedCheckpoint {
        try locked {
            try makeKey()
            let copies = try held(files.read())
            for (path, rollback) in copies.refused { try files.setAside(path, size: rollback.proven?.size) }
            return try write(over: copies)
        }
    }

    private func write(over copies: Held) throws(EventLogError) -> SignedCheckpoint {
        let signed = try sign()
        let stale = files.paths.filter { copies.good[$0]?.checkpoint != signed.checkpoint }
        if stale.isEmpty { return signed }
        // A witness that cannot be written does not keep the other copy from being.
        var failed: LMDBError?
        for path in stale {
            do throws(LMDBError) {
                try files.write(signed, to: path)
            } catch {
                failed = error
            }
        }
        if let failed {
            let error = EventLogError(failed)
            throw EventLogError(error.code, "the checkpoint cannot be kept: \(error.message)")
        }
        return signed
    }

    // MARK: - Holding the log against what is kept

    /// What the copies are worth.
    struct Held {
        /// By path: signed by this journal, and extended by its log.
        var good: [String: SignedCheckpoint] = [:]
        var refused: [(path: String, rollback: Rollback)] = []

        var newest: SignedCheckpoint? { good.values.max { $0.checkpoint.size < $1.checkpoint.size } }

        /// The one that proves most.
        var rollback: Rollback? { refused.map(\.rollback).max { $0.proven?.size ?? 0 < $1.proven?.size ?? 0 } }
    }

    /// Holds the log against copies that were read before it: it only grows, so that it must extend them.
    func held(_ copies: [CheckpointFiles.Copy]) throws(EventLogError) -> Held {
        guard !copies.isEmpty else { return Held() }
        let verifier = verifier()
        return try reading { transaction in
            let head = try tables.head(transaction)
            var held = Held()
            for copy in copies {
                func refuse(_ finding: Rollback.Finding, _ proven: Checkpoint? = nil) {
                    let rollback = Rollback(finding: finding, path: copy.path, proven: proven, found: head)
                    held.refused.append((copy.path, rollback))
                }
                switch CheckpointKeeper.verified(copy, verifier) {
                // That this process cannot read it says nothing of the log, and is nothing to accept.
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

    private static func verified(
        _ copy: CheckpointFiles.Copy,
        _ verifier: NoteVerifier?
    ) -> Result<SignedCheckpoint, EventLogError> {
        do throws(EventLogError) {
            let bytes = try copy.content.get()
            guard let verifier else {
                throw EventLogError(.damaged, "its key is not among the journal's keys")
            }
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
            throw EventLogError(error, "the checkpoint cannot be kept")
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
