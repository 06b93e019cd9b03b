import Glibc
import HealthJournal

/// Writes files that somebody asked for, readable by that person alone.
enum OutputFile {
    static func write(_ bytes: [UInt8], to path: String) throws(JournalError) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        var done = 0
        while done < bytes.count {
            let written = bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(descriptor, buffer.baseAddress.map { unsafe $0 + done }, buffer.count - done)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw failure(path) }
            done += written
        }
    }

    private static func failure(_ path: String) -> JournalError {
        JournalError(.failed, "\(path) cannot be written: \(unsafe String(cString: strerror(errno)))")
    }
}
