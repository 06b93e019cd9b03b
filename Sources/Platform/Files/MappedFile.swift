internal import Glibc
internal import Synchronization

/// A file of a fixed size, mapped as memory that all processes share.
///
/// It is synced only on demand.
///
/// Words are read and written as a whole, so that another process sees the old value or the new one.
@safe package final class MappedFile {
    package let byteCount: Int
    @usableFromInline
    let start: UnsafeMutableRawPointer

    /// Opens a file, or replaces it by a new one of `size` zero bytes if that is given; refuses a symbolic link.
    package init(path: String, size: Int? = nil) throws(StorageError) {
        if size != nil { try DurableFile.remove(path) }
        let flags = size == nil ? O_RDWR : O_RDWR | O_CREAT | O_EXCL
        let descriptor = unsafe open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw StorageError(errno: errno, during: "open an index file") }
        defer { close(descriptor) }
        if size != nil { Ownership.adopt(descriptor, at: path) }
        if let size { try Room.reserve(size, of: descriptor, during: "create an index file") }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_size > 0 else {
            throw StorageError(.notADatabase, during: "open an index file")
        }
        byteCount = Int(status.st_size)
        // A copied file may have holes in place of zeros.
        try Room.reserve(byteCount, of: descriptor, during: "open an index file")
        unsafe start = try unsafe MappedFile.map(descriptor, byteCount, PROT_READ | PROT_WRITE)
    }

    /// Maps an open file at its present length.
    package init(_ file: DurableFile, isReadOnly: Bool) throws(StorageError) {
        byteCount = file.size
        if !isReadOnly { try Room.reserve(byteCount, of: file.descriptor, during: "open \(file.path)") }
        let protection = isReadOnly ? PROT_READ : PROT_READ | PROT_WRITE
        unsafe start = try unsafe MappedFile.map(file.descriptor, byteCount, protection)
    }

    private static func map(
        _ descriptor: Int32,
        _ byteCount: Int,
        _ protection: Int32
    ) throws(StorageError) -> UnsafeMutableRawPointer {
        let map = unsafe mmap(nil, byteCount, protection, MAP_SHARED, descriptor, 0)
        guard let map = unsafe map, unsafe map != MAP_FAILED else {
            throw StorageError(errno: errno, during: "map a file")
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

    /// Loads a word with acquire ordering: later reads see at least the data written before the word was stored.
    package func loadAcquiring(word index: Int) -> UInt64 {
        unsafe UInt64(littleEndian: atomic(index).pointee.load(ordering: .acquiring))
    }

    /// Stores a word after all that was written before (release ordering).
    package func storeReleasing(_ value: UInt64, word index: Int) {
        unsafe atomic(index).pointee.store(value.littleEndian, ordering: .releasing)
    }

    private func atomic(_ index: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
        precondition(index >= 0 && index < byteCount / 8)
        return unsafe (start + index * 8).assumingMemoryBound(to: Atomic<UInt64>.self)
    }

    /// Waits until the first `bytes` bytes, or all bytes, are on the disk.
    package func sync(first bytes: Int? = nil) throws(StorageError) {
        guard unsafe msync(start, bytes ?? byteCount, MS_SYNC) == 0 else {
            throw StorageError(errno: errno, during: "sync an index file")
        }
    }
}
