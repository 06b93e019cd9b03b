internal import CPlatform
internal import Glibc

/// The type of the filesystem under a journal, and its free space.
package enum Filesystem {
    /// Filesystems whose locks and maps are not confined to one machine, by the magic numbers of statfs(2).
    private static let networkKinds: Set<UInt32> = [
        0x6969,  // NFS
        0x517B, 0xFF53_4D42, 0xFE53_4D42,  // SMB, CIFS, SMB2
        0x0102_1997,  // 9P
        0x5346_414F, 0x6B41_4653,  // AFS
        0x00C3_6400,  // Ceph
        0x0BD0_0BD0,  // Lustre
        0x0116_1970,  // GFS2
        0x7461_636F,  // OCFS2
        0x7375_7245, 0x564C,  // Coda, NCP
        0x4750_4653, 0x1983_0326, 0xAAD7_AAEA,  // GPFS, BeeGFS, PanFS
        0x786F_4256, 0xBACB_ACBC,  // folders shared by VirtualBox and VMware
        0x6573_5546,  // FUSE, such as sshfs: what backs it is unknown
    ]

    package static func isNetwork(kind: UInt32) -> Bool {
        networkKinds.contains(kind)
    }

    /// Whether less than 64 KiB are available on the filesystem of an open file.
    package static func isFull(_ descriptor: Int32) -> Bool {
        var status = statfs()
        guard unsafe fstatfs(descriptor, &status) == 0 else { return false }
        return UInt64(status.f_bavail) * UInt64(status.f_bsize) < 1 << 16
    }

    /// Throws if the folder is on a network filesystem, where LMDB would lose data.
    package static func refuseNetwork(at path: String) throws(StorageError) {
        var status = statfs()
        guard unsafe statfs(path, &status) == 0 else { throw StorageError(errno: errno, during: "open \(path)") }
        if isNetwork(kind: UInt32(truncatingIfNeeded: status.f_type)) {
            throw StorageError(.networkFilesystem, during: "open \(path)")
        }
    }

    /// The bytes that can still be written on the filesystem of a path; nil if it cannot be inspected.
    package static func freeBytes(at path: String) -> UInt64? {
        var status = statfs()
        guard unsafe statfs(path, &status) == 0 else { return nil }
        return UInt64(status.f_bavail) * UInt64(status.f_bsize)
    }
}
