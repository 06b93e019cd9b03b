import ArgumentParser
import EventLog
import Interchange

struct CheckProofCommand: ReplayCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-proof",
        abstract:
            "Check a proof or the receipt of an erasure without a journal; exit with status 3 if it does not hold.",
        discussion: """
            An event's proof is checked against the event's frame or its hash; without either, against the hash that the \
            proof names. The key is the journal's verifier key (healthjournal-replay checkpoint --key): get it from \
            a source that you trust, and not with the proof.

            Example:
              healthjournal-replay check-proof 42.tlog-proof --key journal.vkey --frame 42.frame
              healthjournal-replay check-proof grown.proof --key journal.vkey --old-checkpoint 2026-01.checkpoint
              healthjournal-replay check-proof erased.receipt --key journal.vkey
              healthjournal-replay check-proof 42.tlog-proof --key journal.vkey --policy witnesses.policy --fresh 48h
            """
    )

    @Argument(help: "The proof, or the receipt.", completion: .file())
    var file: String

    @Option(help: "The journal's verifier key, or a file that contains it.", completion: .file())
    var key: String

    @Option(help: "The hash of the event's frame, as 64 hexadecimal digits.")
    var hash: String?

    @Option(help: "The file of the event's frame.", completion: .file())
    var frame: String?

    @Option(help: "The earlier checkpoint that the log is said to extend.", completion: .file())
    var oldCheckpoint: String?

    @OptionGroup var witnesses: WitnessOptions

    @Option(help: "The output format.")
    var format: ListFormat = .table

    func validate() throws {
        if hash != nil, frame != nil { throw ValidationError("give either --hash or --frame") }
    }

    func perform(_ output: ReplayOutput) async throws {
        let key = try ProofFile.key(key)
        let bytes = try ProofFile.read(file)
        var finding: ProofFinding
        do {
            switch ProofKind(of: bytes) {
            case .inclusion: finding = try inclusion(InclusionProof(parsing: bytes), key)
            case .consistency: finding = try consistency(ConsistencyProof(parsing: bytes), key)
            case .receipt: finding = try receipt(ErasureReceipt(parsing: bytes, verifiedBy: [key]), key)
            case nil: throw Failure(.failed, "\(file): line 1: this is not a proof of a known kind")
            }
            finding.cosigners = try witnesses.cosigners(of: finding.signed, from: key)
        } catch let error as ProofError {
            throw Failure(error, in: file)
        }
        switch format {
        case .table: try output.table(finding.table)
        case .json: try output.json(finding.json)
        }
    }

    private func inclusion(_ proof: InclusionProof, _ key: NoteVerifier) throws -> ProofFinding {
        guard oldCheckpoint == nil else {
            throw Failure(.usage, "\(file) proves that an event is in the log; --old-checkpoint does not apply to it")
        }
        guard let leaf = try givenLeaf() ?? proof.leaf else {
            throw Failure(.usage, "\(file) does not name its event; give the event's --frame or its --hash")
        }
        let signed = try proof.check(leaf, verifiedBy: [key])
        if hash == nil, frame == nil {
            Messages.say(
                "the event is identified by its hash alone; with --frame the proof is checked against the event itself"
            )
        }
        return ProofFinding(signed: signed, claim: .includes(position: proof.index + 1, leaf: leaf))
    }

    private func givenLeaf() throws -> MerkleHash? {
        if let frame { return .leaf(try ProofFile.read(frame, atMost: ProofFile.maximumFrameBytes)) }
        guard let hash else { return nil }
        guard let leaf = MerkleHash(hexadecimal: hash) else {
            throw Failure(.usage, "a hash must be 64 hexadecimal digits")
        }
        return leaf
    }

    private func receipt(_ receipt: ErasureReceipt, _ key: NoteVerifier) throws -> ProofFinding {
        guard hash == nil, frame == nil, oldCheckpoint == nil else {
            throw Failure(
                .usage,
                "\(file) is the receipt of an erasure; --hash, --frame and --old-checkpoint do not apply to it"
            )
        }
        let signed = try receipt.proof.checkpoint(verifiedBy: [key])
        return ProofFinding(signed: signed, claim: .erases(receipt))
    }

    private func consistency(_ proof: ConsistencyProof, _ key: NoteVerifier) throws -> ProofFinding {
        guard hash == nil, frame == nil else {
            throw Failure(.usage, "\(file) proves that the log grew; --hash and --frame do not apply to it")
        }
        let signed = try proof.check(verifiedBy: [key])
        if let oldCheckpoint {
            let old = try ProofFile.checkpoint(oldCheckpoint, verifiedBy: key)
            guard old.size == proof.oldSize, old.root == proof.oldRoot else {
                throw Failure(.mismatch, "\(file) starts from another checkpoint than \(oldCheckpoint)")
            }
        } else {
            Messages.say(
                "compare the earlier size and root with a checkpoint that you have, or give it with --old-checkpoint"
            )
        }
        return ProofFinding(signed: signed, claim: .extends(size: proof.oldSize, root: proof.oldRoot))
    }
}
