internal import Glibc

/// The environments that this process has open, by what they are on the disk and not by what they are called.
enum OpenEnvironments {
    private static let identities = Guarded<Set<FileIdentity>>([])

    static func insert(_ identity: FileIdentity) -> Bool {
        identities.withLock { $0.insert(identity).inserted }
    }

    static func remove(_ identity: FileIdentity) {
        _ = identities.withLock { $0.remove(identity) }
    }
}

/// A file or folder as the filesystem knows it: a link or another spelling of its path is still the same.
struct FileIdentity: Hashable {
    let device: UInt64
    let inode: UInt64

    init(of path: String) throws(LMDBError) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw LMDBError(status: errno, during: "open") }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }
}
