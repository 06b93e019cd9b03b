import ArgumentParser
import EventLog
import Foundation

/// Files of proofs, as they come and go.
enum ProofFile {
    /// A frame is no larger than the largest payload and what is around it.
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

    static func write(_ bytes: some Sequence<UInt8>, to path: String) throws {
        do {
            try Data(bytes).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw Failure(.failed, "\(path) cannot be written")
        }
    }

    /// A verifier key: the text itself, or a file that holds it.
    static func key(_ textOrPath: String) throws -> NoteVerifier {
        if let key = try? NoteVerifier(parsing: textOrPath) { return key }
        guard FileManager.default.fileExists(atPath: textOrPath) else {
            throw Failure(.usage, "\(textOrPath) is neither a verifier key nor a file that holds one")
        }
        do {
            return try NoteVerifier(parsing: read(textOrPath, atMost: NoteVerifier.maximumBytes))
        } catch let error as ProofError {
            throw Failure(.failed, "\(textOrPath): \(error)")
        }
    }

    /// A checkpoint that somebody holds: as a note of its own, or at the end of a proof.
    static func checkpoint(_ path: String, verifiedBy key: NoteVerifier) throws -> Checkpoint {
        let bytes = try read(path)
        do {
            let signed =
                switch ProofKind(of: bytes) {
                case .inclusion: try InclusionProof(parsing: bytes).checkpoint(verifiedBy: [key])
                case .consistency: try ConsistencyProof(parsing: bytes).checkpoint(verifiedBy: [key])
                case nil: try SignedCheckpoint(parsing: bytes[...], verifiedBy: [key])
                }
            return signed.checkpoint
        } catch {
            throw Failure(error, in: path)
        }
    }
}

/// What a file proves, by its first line.
enum ProofKind {
    case inclusion
    case consistency

    init?(of bytes: [UInt8]) {
        if bytes.starts(with: InclusionProof.header.utf8) {
            self = .inclusion
        } else if bytes.starts(with: ConsistencyProof.header.utf8) {
            self = .consistency
        } else {
            return nil
        }
    }
}

extension Failure {
    /// What cannot be read is a failure; what can be read and proves nothing is a mismatch.
    init(_ error: ProofError, in path: String) {
        self.init(error.code == .malformed ? .failed : .mismatch, "\(path): \(error)")
    }
}
