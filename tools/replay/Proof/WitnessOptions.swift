import ArgumentParser
import EventLog
import Foundation

/// Which cosignatures a checkpoint must have.
struct WitnessOptions: ParsableArguments {
    @Option(
        help: "A policy (C2SP tlog-policy): its quorum of witnesses must have cosigned the checkpoint.",
        completion: .file()
    )
    var policy: String?

    @Option(help: "The maximum age of the cosignatures, such as 48h or 7d.")
    var fresh: String?

    func validate() throws {
        if fresh != nil, policy == nil { throw ValidationError("--fresh requires --policy") }
        if let fresh, Self.seconds(fresh) == nil { throw ValidationError("an age is written as 48h or 7d") }
    }

    private static func seconds(_ text: String) -> UInt64? {
        guard let count = UInt64(text.dropLast()), count > 0, count <= 100_000 else { return nil }
        return switch text.last {
        case "h": count * 3_600
        case "d": count * 86_400
        default: nil
        }
    }

    /// Returns the witnesses that cosigned a checkpoint, sorted; nil without a policy.
    ///
    /// Throws `mismatch`, with the names of those that are missing, if they are too few.
    func cosigners(of signed: SignedCheckpoint, from log: NoteVerifier) throws -> [String]? {
        guard let path = policy else { return nil }
        let policy: WitnessPolicy
        do {
            policy = try WitnessPolicy(parsing: ProofFile.read(path, atMost: WitnessPolicy.maximumBytes))
        } catch let error as ProofError {
            throw Failure(.failed, "\(path): \(error)")
        }
        guard policy.accepts(log) else {
            throw Failure(.mismatch, "the policy does not accept checkpoints of the log \(log.name)")
        }
        let now = UInt64(max(0, Date().timeIntervalSince1970))
        let found = try policy.cosigners(of: signed, now: now, within: fresh.flatMap(Self.seconds))
        guard policy.isMet(by: found) else {
            let missing = policy.missing(found).joined(separator: ", ")
            throw Failure(.mismatch, "too few witnesses have cosigned the checkpoint; missing: \(missing)")
        }
        return found.sorted()
    }
}
