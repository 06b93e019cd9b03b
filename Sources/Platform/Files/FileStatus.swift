internal import CPlatform
internal import Glibc

/// The metadata of a path or of an open file.
package struct FileStatus: Hashable, Sendable {
    package let isFolder: Bool
    package let isFile: Bool
    package let isLink: Bool
    package let isSocket: Bool
    package let size: Int
    /// When the content was last changed, in nanoseconds since 1970.
    package let modified: Int64
    /// The user id of the owner.
    package let owner: UInt32
    package let group: UInt32
    /// The permission bits, such as 0o600, with the sticky bit.
    package let permissions: UInt32
    /// The number of hard links to the file.
    package let linkCount: Int
    package let identity: FileIdentity

    /// Nil when the path cannot be inspected, for example because it does not exist; links are not followed.
    package init?(of path: String) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    package init?(of descriptor: Int32) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Nil when the path cannot be inspected, for example because it does not exist; links are followed.
    package init?(following path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        let kind = status.st_mode & S_IFMT
        isFolder = kind == S_IFDIR
        isFile = kind == S_IFREG
        isLink = kind == S_IFLNK
        isSocket = kind == S_IFSOCK
        size = Int(status.st_size)
        modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
        owner = status.st_uid
        group = status.st_gid
        permissions = UInt32(status.st_mode) & 0o1777
        linkCount = Int(status.st_nlink)
        identity = FileIdentity(status)
    }

    /// Whether users other than the owner have any access.
    package var isOpenToOthers: Bool { permissions & 0o077 != 0 }
}

/// The identity of a file or folder on its filesystem, the same for every path or link that leads to it.
package struct FileIdentity: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64

    /// Whether both are on the same filesystem.
    package func isOnFilesystem(of other: FileIdentity) -> Bool { device == other.device }

    init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }

    package init(of path: String) throws(StorageError) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw StorageError(errno: errno, during: "open") }
        self.init(status)
    }
}

/// The user that this process runs as.
package enum User {
    package static var effective: UInt32 { geteuid() }
}
