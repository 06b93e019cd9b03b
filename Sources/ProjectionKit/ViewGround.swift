internal import EventLog
internal import FoundationEssentials
internal import LMDB

/// Says whether the unsynced tables of `views/` can be trusted: after a clean end, or within the same run of the kernel.
///
/// A killed process loses nothing of them; a power cut may tear them, and then they are built anew.
/// What it says is changed under the write lock of the tables alone.
final class ViewGround: @unchecked Sendable {
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

    /// Looks at what the last run left, under a lock of all processes, and removes tables that may be torn.
    init(folder: JournalFolder) throws {
        let lock = folder.views + "/lock"
        try DurableFile.makeIfMissing(lock)
        file = try DurableFile(path: lock, mode: .readWrite).locked { try ViewGround.trustedFile(in: folder) }
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

    /// Removes tables that cannot be opened.
    static func clear(_ folder: JournalFolder) throws {
        try DurableFile(path: folder.views + "/lock", mode: .readWrite).locked { try removeTables(folder) }
    }

    private static func removeTables(_ folder: JournalFolder) throws {
        for name in ["data.mdb", "lock.mdb"] { try DurableFile.remove(folder.views + "/" + name) }
    }

    private static func isTrusted(_ file: MappedFile) -> Bool {
        guard file.byteCount == Word.count * 8, file[word: Word.magic] == magic else { return false }
        if file[word: Word.state] == clean { return true }
        // A kernel that does not say which run it is might be another one.
        return !Boot.id.isEmpty && boot.enumerated().allSatisfy { file[word: Word.boot + $0] == $1 }
    }

    private static func markDirty(_ file: MappedFile) {
        for (index, word) in boot.enumerated() { file[word: Word.boot + index] = word }
        file[word: Word.state] = dirty
        file[word: Word.magic] = magic
    }

    /// Says on the disk that what follows is not synced, before it is written.
    func willWrite() throws {
        guard file[word: Word.state] == ViewGround.clean else { return }
        ViewGround.markDirty(file)
        try file.sync()
    }

    /// Says that all was synced.
    func didSync() throws {
        file[word: Word.state] = ViewGround.clean
        try file.sync()
    }

    /// The kernel's boot id as words.
    private static let boot: [UInt64] = {
        let bytes = Boot.id + [UInt8](repeating: 0, count: 40)
        return (0..<5).map { bytes.raw.integer(at: $0 * 8) }
    }()
}
