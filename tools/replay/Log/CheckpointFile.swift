import EventLog
import Foundation

/// A checkpoint that an auditor has stored in a file.
enum CheckpointFile {
    private static let maximumBytes = 1 << 20

    /// Reads a signed checkpoint, and returns it if it was signed with the key of this journal's log.
    static func read(_ path: String, in place: JournalOptions.Place) throws -> Checkpoint {
        let text = try bytes(path, "the checkpoint")
        let keyPath = place.folder.verifierKey
        let signed: SignedCheckpoint
        do {
            let verifier = try NoteVerifier(parsing: bytes(keyPath, "the verifier key of checkpoints"))
            signed = try SignedCheckpoint(parsing: text[...], verifiedBy: [verifier])
        } catch let error as ProofError {
            throw Failure(.failed, "\(path): \(error)")
        }
        if let description = place.description, signed.checkpoint.origin != Checkpoint.origin(of: description.id) {
            throw Failure(.failed, "\(path) is a checkpoint of another log: \(signed.checkpoint.origin)")
        }
        return signed.checkpoint
    }

    private static func bytes(_ path: String, _ what: String) throws -> [UInt8] {
        guard let file = FileHandle(forReadingAtPath: path), let data = try file.read(upToCount: maximumBytes) else {
            throw Failure(.notFound, "\(what) cannot be read: \(path)")
        }
        return [UInt8](data)
    }
}
