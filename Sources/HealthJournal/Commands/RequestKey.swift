/// The name that a client gave a request, so that it may send it again without its being done twice.
package struct RequestKey: Hashable, Sendable {
    /// The client's own choice; it need be unique only among those of its account.
    package let key: String
    /// Of who asks, the key, and all that the request says: the same key with another digest is another request.
    package let digest: [UInt8]

    package init(_ key: String, digest: [UInt8]) {
        self.key = key
        self.digest = digest
    }
}
