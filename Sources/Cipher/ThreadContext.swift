internal import COpenSSL
internal import Crypto
internal import Glibc

/// The libcrypto state of one thread: a cipher context with the last key, a digest context, and the source of random
/// bytes.
@safe final class ThreadContext {
    private let cipher: OpaquePointer
    private let digest: OpaquePointer
    /// The key that the cipher context is set to.
    private var key = SIMD32<UInt8>()
    private var isKeyed = false
    var random = RandomBytes()
    private var spare: UnsafeMutableRawBufferPointer

    private init() {
        guard let cipher = unsafe EVP_CIPHER_CTX_new(), let digest = unsafe EVP_MD_CTX_new(),
            unsafe EVP_CipherInit_ex(cipher, EVP_aes_256_gcm(), nil, nil, nil, -1) == 1,
            unsafe EVP_DigestInit_ex(digest, EVP_sha256(), nil) == 1
        else {
            // If the process continued, it would report every event as damaged.
            fatalError("libcrypto has no AES-256-GCM or no SHA-256, or there is no memory left")
        }
        unsafe self.cipher = cipher
        unsafe self.digest = digest
        unsafe spare = UnsafeMutableRawBufferPointer.allocate(byteCount: 4_096, alignment: 16)
    }

    deinit {
        key = SIMD32()
        unsafe EVP_CIPHER_CTX_free(cipher)
        unsafe EVP_MD_CTX_free(digest)
        unsafe spare.deallocate()
    }

    /// The context of the current thread, which is freed when the thread ends.
    static var current: ThreadContext {
        if let known = unsafe pthread_getspecific(slot) {
            return unsafe Unmanaged<ThreadContext>.fromOpaque(known).takeUnretainedValue()
        }
        let context = ThreadContext()
        unsafe pthread_setspecific(slot, Unmanaged.passRetained(context).toOpaque())
        return context
    }

    private static let slot: pthread_key_t = {
        var slot = pthread_key_t()
        let status = unsafe pthread_key_create(&slot) { context in
            guard let context = unsafe context else { return }
            unsafe Unmanaged<ThreadContext>.fromOpaque(context).release()
        }
        precondition(status == 0, "the process has no key left for a thread's context")
        return slot
    }()

    func seal(
        _ plain: UnsafeRawBufferPointer,
        into sealed: UnsafeMutableRawBufferPointer,
        authenticating first: UnsafeRawBufferPointer,
        _ second: UnsafeRawBufferPointer,
        _ key: SymmetricKey
    ) -> Bool {
        let nonce = unsafe UnsafeMutableRawBufferPointer(rebasing: sealed[..<Cipher.nonceLength])
        unsafe random.next(into: nonce)
        let text = unsafe UnsafeMutableRawBufferPointer(
            rebasing: sealed[Cipher.nonceLength...].dropLast(Cipher.tagLength)
        )
        let tag = unsafe UnsafeMutableRawBufferPointer(rebasing: sealed.suffix(Cipher.tagLength))
        return unsafe begin(key, UnsafeRawBufferPointer(nonce), isSealing: 1) && authenticate(first)
            && authenticate(second)
            && update(plain, into: text.baseAddress) && finish()
            && EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_GCM_GET_TAG, Int32(Cipher.tagLength), tag.baseAddress) == 1
    }

    func open(
        _ sealed: UnsafeRawBufferPointer,
        into plain: UnsafeMutableRawBufferPointer,
        authenticating first: UnsafeRawBufferPointer,
        _ second: UnsafeRawBufferPointer,
        _ key: SymmetricKey
    ) -> Bool {
        let nonce = unsafe UnsafeRawBufferPointer(rebasing: sealed[..<Cipher.nonceLength])
        let text = unsafe UnsafeRawBufferPointer(rebasing: sealed[Cipher.nonceLength...].dropLast(Cipher.tagLength))
        let tag = unsafe UnsafeMutableRawPointer(mutating: sealed.suffix(Cipher.tagLength).base.baseAddress)
        guard let tag = unsafe tag else { return false }
        return unsafe begin(key, nonce, isSealing: 0) && authenticate(first) && authenticate(second)
            && update(text, into: plain.baseAddress)
            && EVP_CIPHER_CTX_ctrl(
                cipher,
                EVP_CTRL_GCM_SET_TAG,
                Int32(Cipher.tagLength),
                tag + sealed.count - Cipher.tagLength
            ) == 1 && finish()
    }

    func hash(_ prefix: UInt8, _ bytes: UnsafeRawBufferPointer) -> SHA256Words {
        var prefix = prefix
        var words = SHA256Words()
        let isDone = unsafe withUnsafeMutableBytes(of: &words) { result in
            unsafe EVP_DigestInit_ex(digest, nil, nil) == 1 && EVP_DigestUpdate(digest, &prefix, 1) == 1
                && EVP_DigestUpdate(digest, bytes.baseAddress, bytes.count) == 1
                && EVP_DigestFinal_ex(digest, result.baseAddress, nil) == 1
        }
        // These calls do not allocate, so that they do not run out of memory; the result of a failed call must not be
        // used.
        precondition(isDone, "libcrypto could not hash")
        return words
    }

    func randomWords() -> (UInt64, UInt64) {
        var words: (UInt64, UInt64) = (0, 0)
        unsafe withUnsafeMutableBytes(of: &words) { unsafe random.next(into: $0) }
        return words
    }

    /// Returns a buffer of at least `length` bytes for output that is discarded.
    func scratch(_ length: Int) -> UnsafeMutableRawBufferPointer {
        if unsafe spare.count < length {
            unsafe spare.deallocate()
            unsafe spare = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 16)
        }
        return unsafe spare
    }

    private func begin(_ key: SymmetricKey, _ nonce: UnsafeRawBufferPointer, isSealing: Int32) -> Bool {
        unsafe key.withUnsafeBytes { bytes in
            guard bytes.count == 32 else { return false }
            let wanted = unsafe bytes.loadUnaligned(as: SIMD32<UInt8>.self)
            if isKeyed, wanted == self.key {
                return unsafe EVP_CipherInit_ex(cipher, nil, nil, nil, nonce.baseAddress, isSealing) == 1
            }
            self.key = wanted
            isKeyed = unsafe EVP_CipherInit_ex(cipher, nil, nil, bytes.baseAddress, nonce.baseAddress, isSealing) == 1
            return isKeyed
        }
    }

    private func authenticate(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var count: Int32 = 0
        return unsafe bytes.isEmpty || EVP_CipherUpdate(cipher, nil, &count, bytes.baseAddress, Int32(bytes.count)) == 1
    }

    private func update(_ bytes: UnsafeRawBufferPointer, into target: UnsafeMutableRawPointer?) -> Bool {
        var count: Int32 = 0
        return unsafe bytes.isEmpty
            || EVP_CipherUpdate(cipher, target, &count, bytes.baseAddress, Int32(bytes.count)) == 1
    }

    private func finish() -> Bool {
        var count: Int32 = 0
        // GCM has no output left at this point, but libcrypto requires a buffer.
        return unsafe withUnsafeTemporaryAllocation(byteCount: 16, alignment: 1) { rest in
            unsafe EVP_CipherFinal_ex(cipher, rest.baseAddress, &count) == 1
        }
    }
}
