internal import COpenSSL
internal import Glibc

/// Random bytes, asked of the system many at a time: one system call for each nonce costs as much as the seal.
struct RandomBytes {
    private static let askedAtOnce = 1_536
    private var bytes: [UInt8] = []
    private var used = 0

    /// Fills a few bytes with what nobody had before.
    mutating func next(into target: UnsafeMutableRawBufferPointer) {
        precondition(target.count <= RandomBytes.askedAtOnce)
        if used + target.count > bytes.count { fill() }
        unsafe target.copyBytes(from: bytes[used..<(used + target.count)])
        used += target.count
    }

    private mutating func fill() {
        bytes = [UInt8](repeating: 0, count: RandomBytes.askedAtOnce)
        used = 0
        var filled = 0
        while filled < bytes.count {
            let count = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe getrandom(buffer.baseAddress.map { unsafe $0 + filled }, buffer.count - filled, 0)
            }
            // Interrupted by a signal: once more. Without random numbers nothing may be sealed.
            precondition(count > 0 || errno == EINTR, "the system gives no random numbers")
            filled += max(0, count)
        }
    }
}
