import EventLog

extension FuzzTarget {
    /// Targets for what an auditor receives from untrusted parties.
    static let proofTargets = [
        FuzzTarget("note") { bytes in
            guard let note = try? SignedNote(parsing: bytes[...]) else { return }
            require(!note.text.isEmpty && !note.signatures.isEmpty, "a note has a text and a signature")
            _ = try? note.signers(among: verifiers)
        },
        FuzzTarget("checkpoint") { bytes in
            guard let checkpoint = try? Checkpoint(parsing: bytes[...]) else { return }
            require(Array(checkpoint.text.utf8) == bytes, "a checkpoint has one text")
        },
        FuzzTarget("verifier-key") { bytes in
            guard let key = try? NoteVerifier(parsing: bytes) else { return }
            let again = try? NoteVerifier(parsing: key.text)
            require(again?.text == key.text, "a key that was read is written and read as the same")
        },
        FuzzTarget("inclusion-proof") { bytes in
            guard let proof = try? InclusionProof(parsing: bytes) else { return }
            require(Array(proof.text.utf8) == bytes, "a proof has one text")
            _ = try? proof.check(proof.leaf ?? .empty, verifiedBy: verifiers)
        },
        FuzzTarget("consistency-proof") { bytes in
            guard let proof = try? ConsistencyProof(parsing: bytes) else { return }
            require(Array(proof.text.utf8) == bytes, "a proof has one text")
            _ = try? proof.check(verifiedBy: verifiers)
        },
        FuzzTarget("merkle-path") { bytes in
            // Two numbers and hashes: no path, whatever its length, may be accepted for a tree that it does not fit.
            guard bytes.count >= 4 else { return }
            let (index, size) = (UInt64(bytes[0]), UInt64(bytes[1]))
            let hashes = stride(from: 4, to: bytes.count - 31, by: 32)
                .compactMap { MerkleHash(Array(bytes[$0..<($0 + 32)])) }
            guard let root = hashes.first else { return }
            let path = Array(hashes.dropFirst())
            if (try? MerkleProof.checkInclusion(of: .empty, at: index, in: size, root: root, path: path)) != nil {
                require(index < size && path.count <= 64, "an index lies in its tree")
            }
            _ = try? MerkleProof.checkConsistency(
                from: index,
                root: root,
                to: size,
                newRoot: path.last ?? root,
                path: path
            )
        },
    ]

    private static let verifiers =
        (try? NoteSigner(name: "healthjournal/fuzz", seed: [UInt8](repeating: 7, count: 32)))
        .map { [$0.verifier] } ?? []
}
