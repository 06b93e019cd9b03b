package import Crypto

/// AES-256-GCM and SHA-256 on the paths that every event takes, by libcrypto.
///
/// swift-crypto makes a context and several buffers anew for each call, and asks the system for each nonce: several
/// times the work of the cipher itself. Here each thread keeps one context, keyed again only where the key changes. It is the only
/// code that calls libcrypto; the bytes are the same as swift-crypto's.
package enum Cipher {
    package static let nonceLength = 12
    package static let tagLength = 16

    /// The seal could not be made, for want of memory.
    package struct SealingFailed: Error {}
    /// The seal does not open: key, nonce, bytes or what is authenticated are not what was sealed.
    package struct DoesNotOpen: Error {}

    /// Seals `payload` into `frame`, from an offset to its end, as nonce, ciphertext and tag; two parts of what stands before
    /// are authenticated.
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
            "no room for the seal"
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

    /// Opens nonce, ciphertext and tag.
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
                        // What did not open is not handed out.
                        count = isOpen ? length : 0
                    }
                }
            }
        }
        guard isOpen else { throw DoesNotOpen() }
        return payload
    }

    /// Whether a seal opens; what was sealed is thrown away.
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
                    return unsafe context.open(
                        bytes,
                        into: context.scratch(length),
                        authenticating: first,
                        second,
                        key
                    )
                }
            }
        }
    }

    /// Sixteen random bytes that nobody else gets, fit for keys and ids.
    package static func randomWords() -> (UInt64, UInt64) { ThreadContext.current.randomWords() }

    /// SHA-256 of a byte and what follows it.
    package static func hash(_ prefix: UInt8, _ bytes: RawSpan) -> SHA256Words {
        unsafe bytes.withUnsafeBytes { unsafe ThreadContext.current.hash(prefix, $0) }
    }

    /// SHA-256 of a byte and the two digests that follow it.
    package static func hash(_ prefix: UInt8, _ left: SHA256Words, _ right: SHA256Words) -> SHA256Words {
        var both = (left, right)
        return unsafe withUnsafeBytes(of: &both) { unsafe ThreadContext.current.hash(prefix, $0) }
    }
}
