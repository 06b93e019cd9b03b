internal import COpenSSL
internal import Glibc

/// Random bytes from the system.
///
/// They are buffered only while many events that exist already are sealed: see `Cipher.sealingMany`. A copy of the
/// machine's memory, such as a snapshot of a virtual machine, must not contain a nonce that two resumed copies would
/// use for two different texts.
struct RandomBytes {
    /// The number of bytes requested from the system at once (128 nonces), and the maximum of one call of `next`.
    static let askedAtOnce = 1_536
    private var bytes: [UInt8] = []
    private var used = 0
    /// Whether more bytes may be requested than are needed at once; the buffer is discarded when this is set to false.
    var keepsMore = false {
        didSet { if !keepsMore { (bytes, used) = ([], 0) } }
    }

    /// The number of buffered bytes that are not used yet.
    var kept: Int { bytes.count - used }

    /// Fills `target` with random bytes that have not been used before.
    mutating func next(into target: UnsafeMutableRawBufferPointer) {
        precondition(target.count <= RandomBytes.askedAtOnce)
        guard keepsMore else { return unsafe RandomBytes.fill(target) }
        if target.count > kept {
            bytes = [UInt8](repeating: 0, count: RandomBytes.askedAtOnce)
            used = 0
            unsafe bytes.withUnsafeMutableBytes { unsafe RandomBytes.fill($0) }
        }
        unsafe target.copyBytes(from: bytes[used..<(used + target.count)])
        used += target.count
    }

    private static func fill(_ target: UnsafeMutableRawBufferPointer) {
        var filled = 0
        while filled < target.count {
            let count = unsafe getrandom(target.baseAddress.map { unsafe $0 + filled }, target.count - filled, 0)
            // A call that a signal interrupts is repeated. Without random numbers nothing may be sealed.
            precondition(count > 0 || errno == EINTR, "the system returns no random numbers")
            filled += max(0, count)
        }
    }
}
