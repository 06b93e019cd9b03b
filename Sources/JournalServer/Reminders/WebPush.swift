import Crypto
import Foundation
import HealthJournal
import HealthModel

/// Encrypts and signs messages to browsers: Web Push as RFC 8030, RFC 8291 and RFC 8292 define it.
enum WebPush {
    /// The content coding of an encrypted message (RFC 8188).
    static let coding = "aes128gcm"

    /// The size of the only record; services must accept messages of this size.
    private static let recordSize = 4_096
    private static let saltLength = 16
    /// Messages are padded to a multiple of this, so that their length does not tell one text from another.
    private static let block = 512

    /// Encrypts a text for a browser with a salt and a key that are used only for this message.
    static func encrypt(
        _ text: [UInt8],
        for keys: PushKeys,
        salt: [UInt8] = (0..<saltLength).map { _ in UInt8.random(in: 0...255) },
        key: P256.KeyAgreement.PrivateKey = P256.KeyAgreement.PrivateKey(),
        isPadded: Bool = true
    ) throws -> [UInt8] {
        let receiver = try P256.KeyAgreement.PublicKey(x963Representation: keys.publicKey)
        let sender = Array(key.publicKey.x963Representation)
        // RFC 8291, section 3.4.
        let input = try key.sharedSecretFromKeyAgreement(with: receiver)
            .hkdfDerivedSymmetricKey(
                using: SHA256.self,
                salt: keys.authentication,
                sharedInfo: Array("WebPush: info\0".utf8) + keys.publicKey + sender,
                outputByteCount: 32
            )
        func derive(_ purpose: String, _ count: Int) -> SymmetricKey {
            HKDF<SHA256>
                .deriveKey(
                    inputKeyMaterial: input,
                    salt: salt,
                    info: Array("Content-Encoding: \(purpose)\0".utf8),
                    outputByteCount: count
                )
        }
        let nonce = unsafe derive("nonce", 12).withUnsafeBytes { unsafe [UInt8]($0) }
        var plain = text + [2]  // The delimiter of the last record.
        if isPadded { plain += [UInt8](repeating: 0, count: (block - plain.count % block) % block) }
        let sealed = try AES.GCM.seal(plain, using: derive(coding, 16), nonce: AES.GCM.Nonce(data: nonce))
        let header =
            salt + [0, 0, UInt8(recordSize >> 8), UInt8(recordSize & 0xFF)] + [UInt8(sender.count)] + sender
        let message = header + sealed.ciphertext + sealed.tag
        guard message.count <= recordSize else { throw WebPushError.tooLong }
        return message
    }

    /// The header with which a service identifies itself to the push service of a browser (RFC 8292).
    ///
    /// `origin` is that of the address to which the message is sent. `contact` is the address by which the operator can
    /// be reached; nil if it is not known.
    static func authorization(
        _ key: P256.Signing.PrivateKey,
        for origin: String,
        contact: String?,
        at time: Instant
    ) throws -> String {
        // A token may be valid for a day at most.
        let expires = time.microseconds / Instant.microsecondsPerSecond + 12 * 3_600
        var claims: [String: Any] = ["aud": origin, "exp": expires]
        if let contact { claims["sub"] = contact }
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        let parts = [
            Data(#"{"alg":"ES256","typ":"JWT"}"#.utf8),
            try JSONSerialization.data(withJSONObject: claims, options: options),
        ]
        let signed = parts.map(\.base64URL).joined(separator: ".")
        let signature = try key.signature(for: Array(signed.utf8)).rawRepresentation
        return "vapid t=\(signed).\(signature.base64URL), k=\(key.publicKey.x963Representation.base64URL)"
    }
}

/// Why a message cannot be sent to a browser.
enum WebPushError: Error {
    case tooLong
}
