internal import CPlatform
internal import Glibc

/// Allocates disk space before a file is mapped.
///
/// Writing into a hole of a mapped file on a full disk kills the process.
package enum Room {
    /// Allocates space for the first bytes of a file, and extends a shorter file to that length.
    package static func reserve(_ byteCount: Int, of descriptor: Int32, during operation: String) throws(StorageError) {
        while fallocate(descriptor, 0, 0, off_t(byteCount)) != 0 {
            switch errno {
            case EINTR: continue
            // These filesystems cannot allocate space in advance.
            case EOPNOTSUPP, ENOSYS, ENODEV: return try fill(byteCount, of: descriptor, operation)
            default: throw StorageError(errno: errno, during: operation)
            }
        }
    }

    /// Writes zeros after the end of a file; existing bytes are not touched, because others may be writing to them.
    private static func fill(_ byteCount: Int, of descriptor: Int32, _ operation: String) throws(StorageError) {
        var offset = FileStatus(of: descriptor)?.size ?? 0
        while offset < byteCount {
            let zeros = [UInt8](repeating: 0, count: min(1 << 16, byteCount - offset))
            let written = unsafe zeros.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, offset) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw StorageError(errno: errno, during: operation) }
            offset += written
        }
    }
}
