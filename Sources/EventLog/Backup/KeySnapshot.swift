internal import LMDB
internal import Platform

/// The content of a key file at one moment.
struct KeySnapshot {
    let path: String
    /// The identity of the file that it was read from.
    let identity: FileIdentity?
    private let bytes: [UInt8]

    init(_ file: DurableFile) throws(StorageError) {
        path = file.path
        identity = file.identity
        bytes = try file.read(at: 0, count: file.size)
    }

    var size: Int { bytes.count }

    /// Returns the bytes from `offset` on; fewer at the end.
    func read(at offset: Int, count: Int) -> [UInt8] {
        Array(bytes.dropFirst(offset).prefix(count))
    }

    /// Reports whether the file's count of changes is the same as in the snapshot.
    ///
    /// The count changes when a key is disabled, restored or erased, and when another file replaces this one.
    func hasAllErasures(of file: DurableFile) throws(StorageError) -> Bool {
        let word = KeyFile.changesWord * 8
        let count = try file.read(at: word, count: 8)
        return count == read(at: word, count: 8) && count.raw.integer(at: 0, as: UInt64.self) != KeyFile.changing
    }
}
