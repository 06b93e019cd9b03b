internal import Glibc

/// The standard output of the process.
///
/// The first failed write is kept and later writes are dropped, so that the program can report the failure and exit with
/// an error even where a caller ignores the error of its own write.
package enum StandardOutput {
    /// Why a write failed.
    package enum Failure: Error, Hashable {
        /// The reader has closed its end, as `head` does: the program ends without a message.
        case readerGone
        case failed(StorageError)
    }

    private enum State {
        case intact
        case broken(Failure, isReported: Bool)
    }

    private static let state = Guarded(State.intact)
    private static let operation = "write to the standard output"

    /// Makes failed writes observable; is called once, before anything is opened or written.
    package static func prepare() {
        // Writing to a pipe without a reader then fails instead of ending the process halfway.
        signal(SIGPIPE, SIG_IGN)
        // If the caller closed a standard descriptor, the next file that is opened, such as the log, would get its
        // number, and output would be written into that file. The access is the wrong one, so that each use fails.
        for (descriptor, access) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
            // Returns the lowest free number, which is this one.
            _ = unsafe open("/dev/null", access)
        }
    }

    /// Writes all bytes.
    package static func write(_ bytes: [UInt8]) throws(Failure) {
        try check()
        do throws(StorageError) {
            try DescriptorWriter.write(bytes, to: STDOUT_FILENO, during: operation)
        } catch {
            throw keep(error)
        }
    }

    /// Keeps a failure of a write that reaches the standard output by another way, such as a pager.
    @discardableResult
    package static func keep(_ error: StorageError) -> Failure {
        let failure = error.isReaderGone ? Failure.readerGone : .failed(error)
        state.withLock { state in
            if case .intact = state { state = .broken(failure, isReported: false) }
        }
        return failure
    }

    /// Throws the first failure, if a write has failed.
    package static func check() throws(Failure) {
        if case .broken(let failure, _) = state.withLock({ $0 }) { throw failure }
    }

    /// Returns the error of the first failed write, once; nil if all writes succeeded or the reader has gone.
    package static func takeError() -> StorageError? {
        state.withLock { state in
            guard case .broken(.failed(let error), isReported: false) = state else { return nil }
            state = .broken(.failed(error), isReported: true)
            return error
        }
    }

    /// Finds the errors that a filesystem, such as NFS, reports only when a file is closed.
    package static func finish() {
        let copy = dup(STDOUT_FILENO)
        // Without a descriptor there is nothing to find, and a write has failed before.
        guard copy >= 0 else { return }
        if close(copy) != 0, errno != EINTR { keep(StorageError(errno: errno, during: operation)) }
    }
}
