internal import Platform

/// The copies of a log's newest checkpoint: one in the journal's folder and, optionally, a witness elsewhere.
struct CheckpointFiles: Sendable {
    let folder: JournalFolder
    let witness: String?
    /// Copies that are read when the log is opened or a rollback is accepted, and never written.
    var former: [String] = []
    /// The place of the folder, to be stored in the folder.
    var place: FolderLocation?

    /// The content of a copy when it was read.
    struct Copy: Sendable {
        let path: String
        let content: Result<[UInt8], EventLogError>
    }

    var paths: [String] { [folder.checkpoint] + (witness.map { [$0] } ?? []) }

    /// Reads the copies that exist.
    func read(withFormer: Bool = false) -> [Copy] {
        (paths + (withFormer ? former : []))
            .compactMap { path in
                guard DurableFile.exists(path) else { return nil }
                do throws(StorageError) {
                    return Copy(
                        path: path,
                        content: .success(try DurableFile.read(path, atMost: SignedNote.maximumBytes))
                    )
                } catch {
                    return Copy(path: path, content: .failure(EventLogError(error)))
                }
            }
    }

    /// Runs `body` while no other process keeps a checkpoint of this journal.
    ///
    /// The lock is taken on the folder itself, so that no lock file is needed.
    func locked<Result>(_ body: () throws -> Result) throws -> Result {
        try DurableFile(path: folder.path, mode: .read, followsLinks: true).locked(body)
    }

    /// Replaces a copy with a checkpoint.
    func write(_ checkpoint: SignedCheckpoint, to path: String) throws(StorageError) {
        try DurableFile.replace(path, with: Array(checkpoint.text.utf8))
    }

    /// Stores the place of the folder in the folder.
    func rememberPlace() throws(StorageError) { try place?.remember(in: folder) }

    /// Renames a copy that the log does not extend to `<name>.refused-<size>`, with a number if that name is taken.
    func setAside(_ path: String, size: UInt64?) throws(StorageError) {
        let name = path + ".refused" + (size.map { "-\($0)" } ?? "")
        let free = ([name] + (2...CheckpointFiles.refusedCopies).map { "\(name)-\($0)" })
            .first { !DurableFile.exists($0) }
        try DurableFile.rename(path, to: free ?? name)
    }

    /// The maximum number of renamed copies of one size.
    private static let refusedCopies = 1_000

    /// Reads the public key that is stored beside the sealed keys; nil if there is none or it cannot be parsed.
    func readVerifier() -> NoteVerifier? {
        guard let bytes = try? DurableFile.read(folder.verifierKey, atMost: NoteVerifier.maximumBytes) else {
            return nil
        }
        return try? NoteVerifier(parsing: bytes)
    }

    /// Writes the public key, unless it is stored already.
    func write(_ verifier: NoteVerifier) throws(StorageError) {
        guard readVerifier() != verifier else { return }
        try DurableFile.replace(folder.verifierKey, with: Array((verifier.text + "\n").utf8))
    }
}
