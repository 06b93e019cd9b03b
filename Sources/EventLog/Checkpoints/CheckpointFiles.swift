internal import LMDB

/// The copies of a log's newest checkpoint: one in the journal's folder and, if it is asked for, a witness elsewhere.
struct CheckpointFiles: Sendable {
    let folder: JournalFolder
    let witness: String?

    /// A copy as it was found.
    struct Copy: Sendable {
        let path: String
        let content: Result<[UInt8], EventLogError>
    }

    var paths: [String] { [folder.checkpoint] + (witness.map { [$0] } ?? []) }

    /// Reads the copies that there are.
    func read() -> [Copy] {
        paths.compactMap { path in
            guard DurableFile.exists(path) else { return nil }
            do throws(LMDBError) {
                return Copy(path: path, content: .success(try DurableFile.read(path, atMost: SignedNote.maximumBytes)))
            } catch {
                return Copy(path: path, content: .failure(EventLogError(error)))
            }
        }
    }

    /// Runs `body` while no other process of this journal keeps a checkpoint.
    ///
    /// The folder itself is what is locked, so that no file need be made for it.
    func locked<Result>(_ body: () throws -> Result) throws -> Result {
        try DurableFile(path: folder.path, mode: .read).locked(body)
    }

    /// Puts a checkpoint in the place of a copy.
    func write(_ checkpoint: SignedCheckpoint, to path: String) throws(LMDBError) {
        try DurableFile.replace(path, with: Array(checkpoint.text.utf8))
    }

    /// Moves a copy that is no longer held to beside where it was; answers where it is now.
    func setAside(_ path: String, size: UInt64?) throws(LMDBError) {
        let name = path + ".refused" + (size.map { "-\($0)" } ?? "")
        let free = ([name] + (2...CheckpointFiles.refusedCopies).map { "\(name)-\($0)" })
            .first { !DurableFile.exists($0) }
        try DurableFile.rename(path, to: free ?? name)
    }

    /// Copies of one size that are kept when they are set aside.
    private static let refusedCopies = 1_000

    /// The verifier key that lies with the sealed keys.
    func readVerifier() -> NoteVerifier? {
        guard let bytes = try? DurableFile.read(folder.verifierKey, atMost: NoteVerifier.maximumBytes) else {
            return nil
        }
        return try? NoteVerifier(parsing: bytes)
    }

    /// Writes the verifier key, unless it is there.
    func write(_ verifier: NoteVerifier) throws(LMDBError) {
        guard readVerifier() != verifier else { return }
        try DurableFile.replace(folder.verifierKey, with: Array((verifier.text + "\n").utf8))
    }
}
