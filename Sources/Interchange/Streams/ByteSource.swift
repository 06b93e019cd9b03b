internal import Glibc
import HealthModel

/// Bytes that are read in order, one part after the other.
protocol ByteSource {
    /// Returns the next part; empty at the end.
    mutating func next() throws(ModelError) -> [UInt8]
}

/// A regular file, or bytes, that are read in parts, at any place.
final class ReadableFile: Sendable {
    /// The size of the parts, in bytes.
    static let partLength = 256 << 10

    /// -1 for bytes.
    private let descriptor: Int32
    private let bytes: [UInt8]
    let size: UInt64

    init(_ bytes: [UInt8]) { (self.bytes, descriptor, size) = (bytes, -1, UInt64(bytes.count)) }

    init(_ path: String) throws(ModelError) {
        bytes = []
        // Without `O_NONBLOCK`, opening a named pipe would block forever.
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw ModelError(errno == ENOENT ? .notFound : .invalid, "there is no file \(path), or it cannot be read")
        }
        var status = stat()
        let isFile = unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        size = isFile ? UInt64(max(0, status.st_size)) : 0
        guard isFile else {
            close(descriptor)
            throw ModelError(.invalid, "\(path) is not a file")
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Reads `count` bytes from an offset; fewer at the end of the file.
    func read(at offset: UInt64, count: Int) throws(ModelError) -> [UInt8] {
        if descriptor < 0 {
            let start = Int(min(offset, size))
            return Array(bytes[start..<start + min(count, bytes.count - start)])
        }
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let read = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe pread(
                    descriptor,
                    buffer.baseAddress.map { unsafe $0 + done },
                    count - done,
                    off_t(clamping: offset) + off_t(done)
                )
            }
            if read < 0, errno == EINTR { continue }
            guard read >= 0 else { throw ModelError(.invalid, "the file cannot be read") }
            if read == 0 { break }
            done += read
        }
        bytes.removeLast(count - done)
        return bytes
    }
}

/// A range of the bytes of a file.
struct FileSource: ByteSource {
    private let file: ReadableFile
    private var offset: UInt64
    private let end: UInt64

    init(_ file: ReadableFile, _ range: Range<UInt64>) {
        (self.file, offset, end) = (file, range.lowerBound, range.upperBound)
    }

    mutating func next() throws(ModelError) -> [UInt8] {
        let count = Int(min(UInt64(ReadableFile.partLength), end - offset))
        let bytes = try file.read(at: offset, count: count)
        guard bytes.count == count else { throw ModelError(.invalid, "the file became shorter while it was read") }
        offset += UInt64(count)
        return bytes
    }
}
