import Crypto
import Foundation
import Hummingbird

extension Request {
    /// Seals bytes for the session of the request (AES-256-GCM), as text for an address.
    ///
    /// Only requests of the same session can open them. The length is hidden up to a multiple of 256 bytes.
    func sealed(_ bytes: [UInt8]) throws -> String {
        guard let key = addressKey else { throw Problem.staleForm }
        let padded = Padding.added(to: bytes)
        guard let box = try AES.GCM.seal(padded, using: key).combined else { throw Problem.staleForm }
        return box.base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Opens what `sealed(_:)` returned; nil if it is of another session or is damaged.
    func unsealed(_ text: String) -> Data? {
        let base64 = text.replacing("-", with: "+").replacing("_", with: "/")
        let missing = String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        guard let key = addressKey, let bytes = Data(base64Encoded: base64 + missing),
            let box = try? AES.GCM.SealedBox(combined: bytes), let padded = try? AES.GCM.open(box, using: key)
        else { return nil }
        return Padding.removed(from: padded)
    }

    /// The key of the session, derived from its secret.
    private var addressKey: SymmetricKey? {
        sessionSecret.map { secret in
            HKDF<SHA256>
                .deriveKey(
                    inputKeyMaterial: SymmetricKey(data: Array(secret.utf8)),
                    info: Array("an address of these pages".utf8),
                    outputByteCount: 32
                )
        }
    }
}

/// Padding to a multiple of 256 bytes: a byte 0x80, and then zeros (ISO/IEC 7816-4).
private enum Padding {
    private static let block = 256

    static func added(to bytes: [UInt8]) -> [UInt8] {
        let zeros = Padding.block - 1 - bytes.count % Padding.block
        return bytes + [0x80] + [UInt8](repeating: 0, count: zeros)
    }

    static func removed(from padded: Data) -> Data? {
        guard let end = padded.lastIndex(where: { $0 != 0 }), padded[end] == 0x80 else { return nil }
        return padded[..<end]
    }
}
