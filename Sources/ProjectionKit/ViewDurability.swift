internal import EventLog
internal import FoundationEssentials
internal import LMDB
internal import Platform

/// The state file that records whether the unsynced tables in `views/` can be trusted.
///
/// They can be trusted after a clean shutdown, or within the same boot of the kernel. A killed process loses none of
/// their data. A power failure may corrupt them; then they are rebuilt.
///
/// The state file changes only while the write lock of the tables is held, except when it is created.
final class ViewDurability: @unchecked Sendable {
    private enum Word {
        static let magic = 0
        static let boot = 1
        static let state = 6
        static let count = 8
    }

    private static let magic: UInt64 = 0x0001_5357_4549_56
    private static let clean: UInt64 = 1
    private static let dirty: UInt64 = 2

    private let file: MappedFile

    /// Opens the state file that the last run left, under a lock shared by all processes.
    ///
    /// Removes tables that may be corrupted.
    init(folder: JournalFolder) throws {
        let lock = folder.views + "/lock"
        try DurableFile.makeIfMissing(lock)
        file = try DurableFile(path: lock, mode: .readWrite).locked { try ViewDurability.trustedFile(in: folder) }
    }

    private static func trustedFile(in folder: JournalFolder) throws -> MappedFile {
        let path = folder.views + "/state"
        if let file = try? MappedFile(path: path), isTrusted(file) { return file }
        try removeTables(folder)
        let file = try MappedFile(path: path, size: Word.count * 8)
        markDirty(file)
        try file.sync()
        return file
    }

    /// Removes the table files, for when they cannot be opened.
    static func clear(_ folder: JournalFolder) throws {
        try DurableFile(path: folder.views + "/lock", mode: .readWrite).locked { try removeTables(folder) }
    }

    private static func removeTables(_ folder: JournalFolder) throws {
        for name in ["data.mdb", "lock.mdb"] { try DurableFile.remove(folder.views + "/" + name) }
    }

    private static func isTrusted(_ file: MappedFile) -> Bool {
        guard file.byteCount == Word.count * 8, file[word: Word.magic] == magic else { return false }
        if file[word: Word.state] == clean { return true }
        // Without a boot id, the kernel may have been restarted since the file was written.
        return !Boot.id.isEmpty && boot.enumerated().allSatisfy { file[word: Word.boot + $0] == $1 }
    }

    private static func markDirty(_ file: MappedFile) {
        for (index, word) in boot.enumerated() { file[word: Word.boot + index] = word }
        file[word: Word.state] = dirty
        file[word: Word.magic] = magic
    }

    /// Marks the tables as not synced, durably, before they are written.
    func willWrite() throws {
        guard file[word: Word.state] == ViewDurability.clean else { return }
        ViewDurability.markDirty(file)
        try file.sync()
    }

    /// Marks the tables as fully synced.
    func didSync() throws {
        file[word: Word.state] = ViewDurability.clean
        try file.sync()
    }

    /// The kernel's boot id as 64-bit words.
    private static let boot: [UInt64] = {
        let bytes = Boot.id + [UInt8](repeating: 0, count: 40)
        return (0..<5).map { bytes.raw.integer(at: $0 * 8) }
    }()
}
