import Crypto
package import FoundationEssentials

extension UUID {
    /// Creates the version 5 UUID of a name within a namespace.
    ///
    /// The same namespace and name always give the same UUID.
    package init(nameBased namespace: UUID, _ name: [UInt8]) {
        // RFC 9562 requires SHA-1; nothing here relies on its cryptographic strength.
        var hash = Array(Insecure.SHA1.hash(data: namespace.bytes + name))
        hash[6] = hash[6] & 0x0f | 0x50
        hash[8] = hash[8] & 0x3f | 0x80
        self.init(
            uuid: (
                hash[0], hash[1], hash[2], hash[3], hash[4], hash[5], hash[6], hash[7],
                hash[8], hash[9], hash[10], hash[11], hash[12], hash[13], hash[14], hash[15]
            )
        )
    }

    /// Creates the version 5 UUID of a name, as UTF-8, within a namespace.
    package init(nameBased namespace: UUID, _ name: String) {
        self.init(nameBased: namespace, Array(name.utf8))
    }
}
