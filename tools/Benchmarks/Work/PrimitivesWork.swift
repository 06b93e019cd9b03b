import Crypto
import Dispatch
import EventLog
import FoundationEssentials
import LMDB
import Synchronization

/// SHA-256 and the decryption of AES-GCM alone, on all cores, over as many pieces of the same size as the log has.
///
/// An upper bound for the rate of `verify`.
public struct PrimitivesWork: Sendable {
    private static let samples: UInt64 = 16_384

    /// Creates the workload.
    public init() {}

    /// Runs the workload, and returns the measured values.
    public func run(in folder: WorkFolder) throws -> WorkResult {
        let log = try folder.open()
        defer { log.close() }
        let head = Int(try log.head())
        let pieces = try samples(of: log)
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let failures = Atomic(0)
        let taken = ContinuousClock()
            .measure {
                DispatchQueue.concurrentPerform(iterations: cores) { core in
                    for index in stride(from: core, to: head, by: cores) where !pieces[index % pieces.count].holds() {
                        failures.add(1, ordering: .relaxed)
                    }
                }
            }
        guard failures.load(ordering: .relaxed) == 0 else { throw WorkError.wrongAnswer }
        return WorkResult("primitives", events: head, in: taken).with("cores", cores)
    }

    /// A frame, and the key under which its payload is sealed.
    private struct Piece: Sendable {
        let frame: [UInt8]
        let key: SymmetricKey

        /// Hashes the frame as a leaf, and a node above it, and opens the seal; returns whether the seal is authentic.
        func holds() -> Bool {
            let leaf = MerkleHash.leaf(frame)
            return FrameSeal.opens(frame.raw, key: key) && leaf != .node(leaf, leaf)
        }
    }

    private func samples(of log: EventLog) throws -> [Piece] {
        var pieces: [Piece] = []
        try log.forEachFrame(through: PrimitivesWork.samples) { frame in
            pieces.append(Piece(frame: frame.bytes.copy, key: try log.keys.key(for: frame.subject)))
            return true
        }
        return pieces
    }
}
