/// The idempotency key of a request, with which the client may repeat the request without repeating its effect.
package struct RequestKey: Hashable, Sendable {
    /// The key that the client chose; it must be unique only within its account.
    package let key: String
    /// The digest of the account, the key and the content: the same key with another digest is another request.
    package let digest: [UInt8]

    package init(_ key: String, digest: [UInt8]) {
        self.key = key
        self.digest = digest
    }
}
