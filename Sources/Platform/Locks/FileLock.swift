internal import Glibc

/// A lock on a file or a folder that all processes see, held as long as this object exists.
package final class FileLock: Sendable {
    private let descriptor: Int32

    /// Whether others may hold the lock at the same time.
    package enum Kind: Sendable {
        case alone
        case shared
    }

    /// Takes the lock without waiting; nil when another holder excludes it.
    ///
    /// A symbolic link is refused.
    package init?(of path: String, _ kind: Kind) throws(StorageError) {
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw errno == ELOOP
                ? StorageError(.symbolicLink, during: "open \(path)")
                : StorageError(errno: errno, during: "open \(path)")
        }
        while flock(descriptor, (kind == .alone ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            if errno == EWOULDBLOCK { return nil }
            throw StorageError(errno: errno, during: "lock \(path)")
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }
}
