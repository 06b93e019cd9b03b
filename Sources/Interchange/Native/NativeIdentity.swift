package import HealthModel

extension IdentityState {
    /// The JSON form of the identity, for lists and the API.
    package var native: JSONValue {
        .object([
            .init("id", .string(id.text)), .init("issuer", .string(identity.issuer)),
            .init("subject", .string(identity.subject)), .init("linkedAt", .string(linked.recordedAt.description)),
        ])
    }
}
