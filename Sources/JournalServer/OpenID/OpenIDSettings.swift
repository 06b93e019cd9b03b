import FoundationEssentials

/// The OpenID Connect provider whose tokens the service accepts.
package struct OpenIDSettings: Hashable, Sendable {
    /// The provider's issuer URL: the `iss` of its tokens, and the base of its discovery address.
    package var issuer: String
    /// The service's client name at the provider: one of the `aud` of its tokens.
    package var audience: String
    /// A file with the provider's public keys; nil to request them from the provider.
    package var keyFile: String?

    package init(issuer: String, audience: String, keyFile: String? = nil) {
        self.issuer = issuer
        self.audience = audience
        self.keyFile = keyFile
    }

    /// The reason why the service must not start with these settings; nil if it may.
    var objection: String? {
        if issuer.isEmpty || audience.isEmpty {
            return
                "a sign-in provider needs an issuer and an audience: give both --oidc-issuer and --oidc-audience"
        }
        if keyFile == nil, WebAddress(issuer)?.isTrusted != true {
            return "the address of the provider must begin with https://, unless its keys are given with --oidc-keys"
        }
        return nil
    }
}

/// A web address from which keys are requested.
struct WebAddress {
    let text: String
    private let url: URL

    init?(_ text: String) {
        guard let url = URL(string: text), url.host()?.isEmpty == false else { return nil }
        (self.text, self.url) = (text, url)
    }

    /// Whether the keys cannot be replaced in transit: HTTPS, or a loopback address.
    var isTrusted: Bool {
        switch url.scheme?.lowercased() {
        case "https": true
        case "http": ["127.0.0.1", "::1", "[::1]", "localhost"].contains(url.host()?.lowercased())
        default: false
        }
    }
}
