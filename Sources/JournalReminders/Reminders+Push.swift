internal import Crypto
internal import EventLog
package import Foundation
package import HealthModel
package import JournalCore

extension Journal.Reminders {
    /// The key with which the service identifies itself to the push services of browsers, as 32 bytes (RFC 8292).
    ///
    /// It is derived from the journal's own key: it is stored nowhere, and is the same after a restore and after a
    /// change of the master key. Browsers accept messages only from the key for which they subscribed.
    package func pushKey() throws(JournalError) -> [UInt8] {
        do {
            // A derived number is not a valid key once in 2^32 times.
            for attempt in 0...255 {
                let bytes = try journal.log.secret("web-push-\(attempt)", subject: journal.log.description.id)
                if (try? P256.Signing.PrivateKey(rawRepresentation: bytes)) != nil { return bytes }
            }
            throw JournalError(.failed, "the key for push messages cannot be derived")
        } catch {
            throw JournalError(error)
        }
    }

    /// The public key for which browsers subscribe, in base64url.
    package func publicPushKey() throws(JournalError) -> String {
        do {
            return try P256.Signing.PrivateKey(rawRepresentation: pushKey()).publicKey.x963Representation.base64URL
        } catch {
            throw JournalError(error)
        }
    }

    /// Removes a channel whose subscription the browser has ended.
    package func endChannel(_ channel: UUID, of account: UUID) async throws(JournalError) {
        try await journal.retrying {
            _ = try await changeChannels(.remove(channel), reminderCaller(account))
        }
    }
}

extension PushKeys {
    /// Parses the keys of a subscription, each in base64url, as browsers give them.
    package init(publicKey: String, authentication: String) throws(JournalError) {
        guard let bytes = Data(base64URL: publicKey), bytes.count == PushKeys.publicKeyLength,
            (try? P256.KeyAgreement.PublicKey(x963Representation: bytes)) != nil
        else { throw JournalError(.invalid, field: "p256dh", "must be the browser's public key, in base64url") }
        guard let secret = Data(base64URL: authentication), secret.count == PushKeys.authenticationLength else {
            throw JournalError(.invalid, field: "auth", "must be the browser's secret of 16 bytes, in base64url")
        }
        self.init(publicKey: Array(bytes), authentication: Array(secret))
    }
}

extension Data {
    /// The bytes in base64url without padding (RFC 4648).
    package var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Decodes base64url, with or without padding.
    package init?(base64URL text: String) {
        let bare = text.replacing("-", with: "+").replacing("_", with: "/").replacing("=", with: "")
        self.init(base64Encoded: bare + String(repeating: "=", count: (4 - bare.count % 4) % 4))
    }
}
