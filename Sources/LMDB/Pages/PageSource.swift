internal import Glibc
package import Platform

/// The bytes of a database file, read only with pread(2), because truncating a mapped file kills the process.
///
/// LMDB locks `lock.mdb` and never `data.mdb` (mdb.c passes only the lock file's descriptor to fcntl(2)), so closing a
/// descriptor of the data file releases no lock of this process. This type must never open the lock file.
package final class PageSource: Sendable {
    private enum Ground {
        case file(Int32)
        case bytes([UInt8])
    }

    private let ground: Ground

    /// Opens a file for reading.
    package init(file path: String) throws(StorageError) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StorageError(errno: errno, during: "open \(path)") }
        ground = .file(descriptor)
    }

    /// Uses bytes in place of a file.
    package init(bytes: [UInt8]) {
        ground = .bytes(bytes)
    }

    deinit {
        if case .file(let descriptor) = ground { close(descriptor) }
    }

    /// The current length of the file, in bytes.
    package var size: UInt64 {
        switch ground {
        case .bytes(let bytes): return UInt64(bytes.count)
        case .file(let descriptor):
            var status = stat()
            return unsafe fstat(descriptor, &status) == 0 ? UInt64(max(0, status.st_size)) : 0
        }
    }

    /// Fills the buffer from an offset, and returns whether the file had enough bytes.
    func read(at offset: UInt64, into buffer: inout [UInt8]) throws(StorageError) -> Bool {
        guard let start = Int(exactly: offset), start <= Int.max - buffer.count else { return false }
        switch ground {
        case .bytes(let bytes):
            guard start + buffer.count <= bytes.count else { return false }
            buffer.replaceSubrange(0..<buffer.count, with: bytes[start..<(start + buffer.count)])
        case .file(let descriptor):
            var done = 0
            while done < buffer.count {
                let (rest, from) = (buffer.count - done, done)
                let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                    unsafe pread(descriptor, bytes.baseAddress.map { unsafe $0 + from }, rest, start + from)
                }
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw StorageError(errno: errno, during: "read data.mdb") }
                if count == 0 { return false }
                done += count
            }
        }
        return true
    }
}
