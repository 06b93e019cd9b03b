import ArgumentParser
import EventLog
import Foundation

/// Reads files that contain proofs, verifier keys or checkpoints.
enum ProofFile {
    /// The maximum size of a frame: the largest payload and the data around it.
    static let maximumFrameBytes = 17 << 20

    static func read(_ path: String, atMost limit: Int = InclusionProof.maximumBytes) throws -> [UInt8] {
        do {
            let handle = try FileHandle(forReadingFrom: URL(filePath: path))
            defer { try? handle.close() }
            let bytes = try handle.read(upToCount: limit + 1) ?? Data()
            guard bytes.count <= limit else { throw Failure(.failed, "\(path) has more than \(limit) bytes") }
            return [UInt8](bytes)
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(.failed, "\(path) cannot be read")
        }
    }

    /// Returns a verifier key from its text, or from a file that contains it.
    static func key(_ textOrPath: String) throws -> NoteVerifier {
        if let key = try? NoteVerifier(parsing: textOrPath) { return key }
        guard FileManager.default.fileExists(atPath: textOrPath) else {
            throw Failure(.usage, "\(textOrPath) is neither a verifier key nor a file that contains one")
        }
        do {
            return try NoteVerifier(parsing: read(textOrPath, atMost: NoteVerifier.maximumBytes))
        } catch let error as ProofError {
            throw Failure(.failed, "\(textOrPath): \(error)")
        }
    }

    /// Returns a checkpoint from a file, in which it is a note of its own or the end of a proof.
    static func checkpoint(_ path: String, verifiedBy key: NoteVerifier) throws -> Checkpoint {
        let bytes = try read(path)
        do {
            let signed =
                switch ProofKind(of: bytes) {
                case .inclusion: try InclusionProof(parsing: bytes).checkpoint(verifiedBy: [key])
                case .consistency: try ConsistencyProof(parsing: bytes).checkpoint(verifiedBy: [key])
                case .receipt: try ErasureReceipt(parsing: bytes, verifiedBy: [key]).proof.checkpoint(verifiedBy: [key])
                case nil: try SignedCheckpoint(parsing: bytes[...], verifiedBy: [key])
                }
            return signed.checkpoint
        } catch {
            throw Failure(error, in: path)
        }
    }
}

/// The kind of a proof, determined by the first line of its file.
enum ProofKind {
    case inclusion
    case consistency
    /// A receipt of an erasure, which contains a proof of inclusion.
    case receipt

    init?(of bytes: [UInt8]) {
        if bytes.starts(with: InclusionProof.header.utf8) {
            self = .inclusion
        } else if bytes.starts(with: ConsistencyProof.header.utf8) {
            self = .consistency
        } else if bytes.starts(with: ErasureReceipt.header.utf8) {
            self = .receipt
        } else {
            return nil
        }
    }
}

extension Failure {
    /// Converts a proof error: a file that cannot be parsed is a failure, a proof that does not hold is a mismatch.
    init(_ error: ProofError, in path: String) {
        self.init(error.code == .malformed ? .failed : .mismatch, "\(path): \(error)")
    }
}
