internal import Glibc

/// A file of a fixed size, seen as memory that all processes share.
///
/// Not synced but on demand.
///
/// Words are read and written whole, so that another process sees the old one or the new one.
@safe package final class MappedFile {
    package let byteCount: Int
    @usableFromInline
    let start: UnsafeMutableRawPointer

    /// Opens a file, making it of `size` zero bytes if one is given.
    package init(path: String, size: Int? = nil) throws(LMDBError) {
        let flags = size == nil ? O_RDWR : O_RDWR | O_CREAT | O_TRUNC
        let descriptor = unsafe open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw LMDBError(status: errno, during: "open an index file") }
        defer { close(descriptor) }
        // Space is taken now: writing into a hole of a mapped file on a full disk kills the process.
        if let size {
            let status = posix_fallocate(descriptor, 0, size)
            guard status == 0 else { throw LMDBError(status: status, during: "make an index file") }
        }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_size > 0 else {
            throw LMDBError(.notADatabase, during: "open an index file")
        }
        byteCount = Int(status.st_size)
        unsafe start = try unsafe MappedFile.map(descriptor, byteCount, PROT_READ | PROT_WRITE)
    }

    /// Maps a file that is open already, as long as it is now.
    package init(_ file: DurableFile, isReadOnly: Bool) throws(LMDBError) {
        byteCount = file.size
        let protection = isReadOnly ? PROT_READ : PROT_READ | PROT_WRITE
        unsafe start = try unsafe MappedFile.map(file.descriptor, byteCount, protection)
    }

    private static func map(
        _ descriptor: Int32,
        _ byteCount: Int,
        _ protection: Int32
    ) throws(LMDBError) -> UnsafeMutableRawPointer {
        let map = unsafe mmap(nil, byteCount, protection, MAP_SHARED, descriptor, 0)
        guard let map = unsafe map, unsafe map != MAP_FAILED else {
            throw LMDBError(status: errno, during: "map a file")
        }
        return unsafe map
    }

    deinit {
        unsafe munmap(start, byteCount)
    }

    @inlinable
    package subscript(word index: Int) -> UInt64 {
        get {
            precondition(index >= 0 && index < byteCount / 8)
            return unsafe UInt64(littleEndian: start.load(fromByteOffset: index * 8, as: UInt64.self))
        }
        set {
            precondition(index >= 0 && index < byteCount / 8)
            unsafe start.storeBytes(of: newValue.littleEndian, toByteOffset: index * 8, as: UInt64.self)
        }
    }

    /// Waits until the first `bytes` bytes, or all, are on the disk.
    package func sync(first bytes: Int? = nil) throws(LMDBError) {
        guard unsafe msync(start, bytes ?? byteCount, MS_SYNC) == 0 else {
            throw LMDBError(status: errno, during: "sync an index file")
        }
    }
}
