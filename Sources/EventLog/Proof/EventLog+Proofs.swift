internal import LMDB

extension EventLog {
    /// Returns the root of the tree of the first `size` events, computed from the stored hashes.
    package func root(ofSize size: UInt64) throws(EventLogError) -> MerkleHash {
        try proving(size) { transaction in try tables.frontier(ofSize: size, transaction).root }
    }

    /// Returns a proof that an event is in the current log, verified before it is returned.
    package func proof(of position: UInt64) throws(EventLogError) -> InclusionProof {
        try proof(of: position, in: checkpoint())
    }

    /// Returns a proof that an event is in the log of a checkpoint of this log, verified before it is returned.
    package func proof(of position: UInt64, in signed: SignedCheckpoint) throws(EventLogError) -> InclusionProof {
        let path = try inclusionProof(of: position, in: signed.checkpoint.size)
        let leaf = MerkleHash.leaf(try event(at: position).bytes)
        let proof = InclusionProof(index: position - 1, leaf: leaf, path: path, checkpoint: signed)
        try requireSound { () throws(ProofError) in _ = try proof.check(leaf, verifiedBy: [try requiredVerifier()]) }
        return proof
    }

    /// Returns a proof that the current log extends the log of its first `size` events, verified before it is returned.
    package func proof(thatExtends size: UInt64) throws(EventLogError) -> ConsistencyProof {
        let signed = try checkpoint()
        let old = Checkpoint(origin: signed.checkpoint.origin, size: size, root: try root(ofSize: size))
        let proof = ConsistencyProof(
            from: old,
            path: try consistencyProof(from: size, to: signed.checkpoint.size),
            to: signed
        )
        try requireSound { () throws(ProofError) in _ = try proof.check(verifiedBy: [try requiredVerifier()]) }
        return proof
    }

    private func requiredVerifier() throws(ProofError) -> NoteVerifier {
        guard let verifier else { throw ProofError(.unknownKey, "the journal has no key") }
        return verifier
    }

    /// Throws `damaged` if `check` fails: the hashes of a damaged tree result in an invalid proof.
    private func requireSound(_ check: () throws(ProofError) -> Void) throws(EventLogError) {
        do throws(ProofError) {
            try check()
        } catch {
            throw EventLogError(
                .damaged,
                "the log is damaged, so no proof can be created: \(error); run: healthjournal-replay verify"
            )
        }
    }

    /// Returns the hashes that lead from an event to the root of the tree of the first `size` events.
    package func inclusionProof(of position: UInt64, in size: UInt64) throws(EventLogError) -> [MerkleHash] {
        guard position > 0, position <= size else {
            throw EventLogError(.notFound, "there is no position \(position) among \(size) events", position: position)
        }
        return try proving(size) { transaction in
            try MerkleProof.inclusionPath(to: position - 1, in: size) { end, level in
                try tables.node(endingAt: end, level: level, transaction)
            }
        }
    }

    /// Returns the hashes that prove that the tree of `size` leaves begins with the tree of `oldSize` leaves.
    package func consistencyProof(from oldSize: UInt64, to size: UInt64) throws(EventLogError) -> [MerkleHash] {
        guard oldSize > 0, oldSize <= size else {
            throw EventLogError(.notFound, "a log of \(size) events does not extend one of \(oldSize)")
        }
        return try proving(size) { transaction in
            try MerkleProof.consistencyPath(from: oldSize, to: size) { end, level in
                try tables.node(endingAt: end, level: level, transaction)
            }
        }
    }

    private func proving<Result>(
        _ size: UInt64,
        _ body: (borrowing ReadTransaction) throws -> Result
    ) throws(EventLogError) -> Result {
        try reading { transaction in
            let head = try tables.head(transaction)
            guard size <= head else {
                throw EventLogError(.notFound, "the log has \(head) events, not \(size)")
            }
            return try body(transaction)
        }
    }
}

extension LogTables {
    /// Returns the root of the complete subtree of 2^level leaves that ends at a position, with one get.
    func node(
        endingAt position: UInt64,
        level: Int,
        _ transaction: borrowing ReadTransaction
    ) throws -> MerkleHash {
        guard let row = try transaction.get(Key(position), in: tree) else {
            throw EventLogError.damaged("the tree has no hash", at: position)
        }
        return try TreeRow.hash(level: level, in: row, at: position)
    }
}
