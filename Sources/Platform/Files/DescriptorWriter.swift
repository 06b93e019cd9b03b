internal import Glibc

/// Writes to open file descriptors.
package enum DescriptorWriter {
    /// Writes all bytes to a descriptor, also to one that does not block.
    ///
    /// The error's code is `.other(EPIPE)` if no process reads from the other end any more.
    package static func write(
        _ bytes: [UInt8],
        to descriptor: Int32,
        during operation: @autoclosure () -> String
    ) throws(StorageError) {
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(descriptor, buffer.baseAddress.map { unsafe $0 + done }, buffer.count - done)
            }
            if count > 0 {
                done += count
            } else if count < 0, errno == EAGAIN {
                waitUntilWritable(descriptor)
            } else if count == 0 || errno != EINTR {
                throw StorageError(errno: count == 0 ? EIO : errno, during: operation())
            }
        }
    }

    private static func waitUntilWritable(_ descriptor: Int32) {
        var waited = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // An error of the descriptor is found by the next write.
        _ = unsafe poll(&waited, 1, -1)
    }
}

extension StorageError {
    /// Whether the reader of a pipe, socket or terminal has gone.
    package var isReaderGone: Bool { code == .other(EPIPE) }
}
