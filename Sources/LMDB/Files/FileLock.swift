internal import Glibc

/// The right to work on a file or a folder, seen by all processes, as long as this is held.
package final class FileLock: Sendable {
    private let descriptor: Int32

    /// What others may do meanwhile.
    package enum Kind: Sendable {
        case alone
        case shared
    }

    /// Takes the lock; nil when somebody else has it.
    package init?(of path: String, _ kind: Kind) throws(LMDBError) {
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw LMDBError(status: errno, during: "open \(path)") }
        while flock(descriptor, (kind == .alone ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            if errno == EWOULDBLOCK { return nil }
            throw LMDBError(status: errno, during: "lock \(path)")
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }
}
