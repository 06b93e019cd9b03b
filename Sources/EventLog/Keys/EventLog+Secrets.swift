internal import Crypto
package import FoundationEssentials

extension EventLog {
    /// Derives a secret of 32 bytes from a subject's key, for one use.
    ///
    /// The same use and subject always give the same secret, which reveals nothing about the key or other secrets.
    package func secret(_ use: String, subject: UUID) throws(EventLogError) -> [UInt8] {
        try KeyStore.requireSubject(subject)
        try keys.ensure([subject])
        let derived = HKDF<SHA256>
            .deriveKey(
                inputKeyMaterial: try keys.key(for: subject),
                info: Array("secret:\(use)".utf8),
                outputByteCount: 32
            )
        return unsafe derived.withUnsafeBytes { unsafe [UInt8]($0) }
    }
}
