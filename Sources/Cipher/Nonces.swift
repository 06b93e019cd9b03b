internal import COpenSSL
internal import Glibc

/// Random nonces, asked of the system many at a time: one system call for each costs as much as the seal.
struct Nonces {
    private static let askedAtOnce = 128
    private var bytes: [UInt8] = []
    private var used = 0

    /// Hands out a nonce that nobody had before.
    mutating func next(into nonce: UnsafeMutableRawBufferPointer) {
        if used + nonce.count > bytes.count { fill() }
        unsafe nonce.copyBytes(from: bytes[used..<(used + nonce.count)])
        used += nonce.count
    }

    private mutating func fill() {
        bytes = [UInt8](repeating: 0, count: Nonces.askedAtOnce * Cipher.nonceLength)
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
