import FoundationEssentials
import HealthJournal
import Interchange
import JWTKit

/// The public keys of a provider, as its document of keys (a JWKS) has them.
struct OpenIDKeys: Sendable {
    private let keys: JWTKeyCollection
    private let names: Set<String>

    /// Takes the keys that sign, and passes over all others.
    ///
    /// Each is bound to one algorithm: what a token says of itself never chooses how it is checked. Keys that both sides
    /// have are not taken, for a provider that publishes one has given it away.
    init(_ document: [UInt8]) async throws(JournalError) {
        do {
            let all = try JSONReader.read(document)["keys"]
            guard case .array(let listed)? = all else { throw OpenIDKeys.unreadable }
            let signing = listed.enumerated().compactMap { OpenIDKeys.signing($1, at: $0) }
            guard !signing.isEmpty else { throw OpenIDKeys.unreadable }
            let text = JSONWriter.bytes(.object([.init("keys", .array(signing))]))
            keys = try await JWTKeyCollection().add(jwksJSON: String(decoding: text, as: UTF8.self))
            names = Set(signing.compactMap { $0.text("kid") })
        } catch {
            throw OpenIDKeys.unreadable
        }
    }

    private static let unreadable = JournalError(.failed, "the keys of the sign-in provider cannot be read")

    /// Whether there is the key that a token names, or the token names none.
    func has(keyOf token: String) -> Bool {
        OpenIDKeys.name(in: token).map(names.contains) ?? true
    }

    /// What a token says, if one of these keys signed it.
    func claims(of token: String) async throws -> OpenIDClaims {
        try await keys.verify(token, as: OpenIDClaims.self, iteratingKeys: OpenIDKeys.name(in: token) == nil)
    }

    /// The name of the key by which a token says it was signed.
    private static func name(in token: String) -> String? {
        guard let header = token.split(separator: ".").first, let bytes = Data(base64URL: header) else { return nil }
        return try? JSONReader.read([UInt8](bytes)).text("kid")
    }

    /// A key as it is taken: with one algorithm, and a name, which where it has none is its place.
    private static func signing(_ key: JSONValue, at place: Int) -> JSONValue? {
        guard case .object(let members) = key, key.text("use") ?? "sig" == "sig",
            let algorithm = algorithm(of: key)
        else { return nil }
        // Never the private part, should a provider have let it slip.
        let kept = members.filter { ["kty", "n", "e", "crv", "x", "y"].contains($0.name) }
        return .object(
            kept + [.init("alg", .string(algorithm)), .init("kid", .string(key.text("kid") ?? "#\(place)"))]
        )
    }

    private static func algorithm(of key: JSONValue) -> String? {
        let named = key.text("alg")
        switch (key.text("kty"), key.text("crv")) {
        case ("RSA", _): return ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"].first { $0 == named ?? "RS256" }
        case ("EC", "P-256"): return "ES256"
        case ("EC", "P-384"): return "ES384"
        case ("EC", "P-521"): return "ES512"
        case ("OKP", "Ed25519"): return "EdDSA"
        default: return nil
        }
    }
}

extension JSONValue {
    fileprivate func text(_ name: String) -> String? {
        if case .string(let text)? = self[name] { text } else { nil }
    }
}

extension Data {
    /// The bytes of base64 in the alphabet of addresses, without padding.
    fileprivate init?(base64URL text: some StringProtocol) {
        let standard = text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        self.init(base64Encoded: String(standard) + String(repeating: "=", count: (4 - standard.count % 4) % 4))
    }
}
