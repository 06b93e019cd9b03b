/// Which provider's tokens the service takes, as OpenID Connect has them.
package struct OpenIDSettings: Hashable, Sendable {
    /// The provider: the `iss` of its tokens, and where it describes itself.
    package var issuer: String
    /// The name under which the provider knows this service: one of the `aud` of its tokens.
    package var audience: String
    /// A file with the provider's public keys; without one the provider is asked for them.
    package var keyFile: String?

    package init(issuer: String, audience: String, keyFile: String? = nil) {
        self.issuer = issuer
        self.audience = audience
        self.keyFile = keyFile
    }

    /// Why the service must not start like this; nil if it may.
    var objection: String? {
        if issuer.isEmpty || audience.isEmpty {
            return
                "a provider and the name it knows this service by go together: give --oidc-issuer and --oidc-audience"
        }
        if keyFile == nil, WebAddress(issuer)?.isTrusted != true {
            return "the address of the provider must begin with https://, or its keys be given with --oidc-keys"
        }
        return nil
    }
}
