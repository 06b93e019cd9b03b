import FoundationEssentials
import Glibc
import HealthJournal

/// Reads files that somebody named, never more of one than is allowed.
enum BoundedFile {
    static func read(_ path: String, atMost limit: Int) throws(JournalError) -> [UInt8] {
        let descriptor = path == "-" ? STDIN_FILENO : unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw JournalError(errno == ENOENT ? .notFound : .failed, "\(path) cannot be read: \(unsafe String(cString: strerror(errno)))")
        }
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        var status = stat()
        if unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > limit {
            throw tooLarge(limit)
        }
        var bytes: [UInt8] = []
        while true {
            let chunk = try chunk(from: descriptor, path)
            if chunk.isEmpty { return bytes }
            bytes += chunk
            if bytes.count > limit { throw tooLarge(limit) }
        }
    }

    /// What can be read at once; empty at the end.
    static func chunk(from descriptor: Int32, _ path: String) throws(JournalError) -> [UInt8] {
        let chunk = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 18) { buffer, count in
            repeat {
                count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            } while count < 0 && errno == EINTR
            if count < 0 { count = 0 }
        }
        return chunk
    }

    private static func tooLarge(_ limit: Int) -> JournalError {
        JournalError(.invalid, "the input is larger than \(limit / (1 << 20)) MiB, and nothing of it was taken")
    }
}
