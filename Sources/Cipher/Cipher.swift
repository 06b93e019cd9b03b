package import Crypto
package import FoundationEssentials

/// AES-256-GCM and SHA-256 by libcrypto, for the code that processes every event.
///
/// swift-crypto allocates a context and several buffers for each call, which costs several times as much as the cipher
/// itself. Here each thread keeps one context and sets its key only when the key changes. This module contains the only
/// code that calls libcrypto. The output has the same format as swift-crypto's.
package enum Cipher {
    package static let nonceLength = 12
    package static let tagLength = 16

    /// The data could not be sealed, for lack of memory.
    package struct SealingFailed: Error {}
    /// The seal does not open: the key, the nonce, the ciphertext or the authenticated data differ from those of the
    /// sealing.
    package struct DoesNotOpen: Error {}

    /// Seals `payload` into `frame`, from the offset `start` to its end, as nonce, ciphertext and tag.
    ///
    /// Two ranges of `frame` are authenticated with the payload.
    package static func seal(
        _ payload: [UInt8],
        into frame: inout [UInt8],
        at start: Int,
        authenticating first: Range<Int>,
        _ second: Range<Int>,
        key: SymmetricKey
    ) throws(SealingFailed) {
        precondition(
            start >= 0 && frame.count == start + nonceLength + payload.count + tagLength,
            "no space for the seal"
        )
        let isSealed = unsafe payload.withUnsafeBytes { plain in
            unsafe frame.withUnsafeMutableBytes { bytes in
                unsafe ThreadContext.current.seal(
                    plain,
                    into: UnsafeMutableRawBufferPointer(rebasing: bytes[start...]),
                    authenticating: UnsafeRawBufferPointer(rebasing: bytes[first]),
                    UnsafeRawBufferPointer(rebasing: bytes[second]),
                    key
                )
            }
        }
        guard isSealed else { throw SealingFailed() }
    }

    /// Runs `body`, which seals many texts, with random bytes for the nonces requested from the system in batches.
    ///
    /// One system call per nonce would cost as much as the sealing. All texts must exist before the call: if the
    /// machine's memory is copied in the middle of `body` (as by a snapshot of a virtual machine) and both copies
    /// resume, they seal the same texts with the same nonces, which reveals nothing. Unused random bytes are discarded
    /// at the end.
    package static func sealingMany<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let context = ThreadContext.current
        context.random.keepsMore = true
        defer { context.random.keepsMore = false }
        return try body()
    }

    /// Seals `payload` as nonce, ciphertext and tag.
    package static func seal(
        _ payload: [UInt8],
        authenticating context: [UInt8],
        key: SymmetricKey
    ) throws(SealingFailed) -> [UInt8] {
        var bytes = context + [UInt8](repeating: 0, count: nonceLength + payload.count + tagLength)
        try seal(payload, into: &bytes, at: context.count, authenticating: context.indices, 0..<0, key: key)
        return Array(bytes.dropFirst(context.count))
    }

    /// Opens nonce, ciphertext and tag, and returns the plaintext.
    package static func open(
        _ sealed: RawSpan,
        authenticating first: RawSpan,
        _ second: RawSpan = RawSpan(),
        key: SymmetricKey
    ) throws(DoesNotOpen) -> [UInt8] {
        let length = sealed.byteCount - nonceLength - tagLength
        guard length >= 0 else { throw DoesNotOpen() }
        var isOpen = false
        let payload = unsafe sealed.withUnsafeBytes { bytes in
            unsafe first.withUnsafeBytes { first in
                unsafe second.withUnsafeBytes { second in
                    unsafe [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
                        isOpen = unsafe ThreadContext.current.open(
                            bytes,
                            into: UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: length),
                            authenticating: first,
                            second,
                            key
                        )
                        // Plaintext that failed authentication is not returned.
                        count = isOpen ? length : 0
                    }
                }
            }
        }
        guard isOpen else { throw DoesNotOpen() }
        return payload
    }

    /// Reports whether a seal opens, and discards the plaintext.
    package static func opens(
        _ sealed: RawSpan,
        authenticating first: RawSpan,
        _ second: RawSpan,
        key: SymmetricKey
    ) -> Bool {
        let length = sealed.byteCount - nonceLength - tagLength
        guard length >= 0 else { return false }
        return unsafe sealed.withUnsafeBytes { bytes in
            unsafe first.withUnsafeBytes { first in
                unsafe second.withUnsafeBytes { second in
                    let context = ThreadContext.current
                    return unsafe context.open(bytes, into: context.scratch(length), authenticating: first, second, key)
                }
            }
        }
    }

    /// Returns sixteen random bytes from the system, fit for keys and ids.
    package static func randomWords() -> (UInt64, UInt64) { ThreadContext.current.randomWords() }

    /// Returns the SHA-256 hash of a prefix byte followed by `bytes`.
    package static func hash(_ prefix: UInt8, _ bytes: RawSpan) -> SHA256Words {
        unsafe bytes.withUnsafeBytes { unsafe ThreadContext.current.hash(prefix, $0) }
    }

    /// Returns the SHA-256 hash of a prefix byte followed by two digests.
    package static func hash(_ prefix: UInt8, _ left: SHA256Words, _ right: SHA256Words) -> SHA256Words {
        var both = (left, right)
        return unsafe withUnsafeBytes(of: &both) { unsafe ThreadContext.current.hash(prefix, $0) }
    }

    /// Returns the SHA-256 hash of a prefix byte followed by a digest and an id: 49 bytes, which are one block.
    package static func hash(_ prefix: UInt8, _ left: SHA256Words, _ id: UUID) -> SHA256Words {
        var both = (left, id)
        return unsafe withUnsafeBytes(of: &both) { unsafe ThreadContext.current.hash(prefix, $0) }
    }
}

/// A SHA-256 digest as four words in the memory order of its bytes, which needs no heap allocation.
package typealias SHA256Words = SIMD4<UInt64>
