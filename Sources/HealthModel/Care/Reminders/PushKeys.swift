/// What a browser gives to a service so that it can encrypt messages for it (RFC 8291).
package struct PushKeys: Hashable, Sendable {
    /// A point of the curve P-256 in uncompressed form.
    package var publicKey: [UInt8]
    /// The secret that the browser shares with the service.
    package var authentication: [UInt8]

    package static let publicKeyLength = 65
    package static let authenticationLength = 16

    package init(publicKey: [UInt8], authentication: [UInt8]) {
        self.publicKey = publicKey
        self.authentication = authentication
    }
}

extension ReminderChannel {
    /// The keys of a browser; nil for other kinds.
    package var pushKeys: PushKeys? {
        guard kind == .webpush, secret.count == PushKeys.publicKeyLength + PushKeys.authenticationLength else {
            return nil
        }
        return PushKeys(
            publicKey: Array(secret.prefix(PushKeys.publicKeyLength)),
            authentication: Array(secret.dropFirst(PushKeys.publicKeyLength))
        )
    }
}

extension PushKeys {
    /// The keys as a channel stores them.
    package var stored: [UInt8] { publicKey + authentication }
}
