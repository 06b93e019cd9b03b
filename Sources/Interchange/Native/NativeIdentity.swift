package import HealthModel

extension IdentityState {
    /// The identity as lists and the API show it.
    package var native: JSONValue {
        .object([
            .init("id", .string(id.text)), .init("issuer", .string(identity.issuer)),
            .init("subject", .string(identity.subject)), .init("linkedAt", .string(linked.recordedAt.description)),
        ])
    }
}
