import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JWTKit

/// The public signing keys of a provider, from its key document (JWKS).
struct OpenIDKeys: Sendable {
    private let keys: JWTKeyCollection
    private let names: Set<String>

    /// Reads the signing keys and ignores all others.
    ///
    /// Each key is bound to one algorithm: the token's own header never chooses how it is verified. Symmetric keys are
    /// ignored, because a provider that publishes one has disclosed its secret.
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

    /// Whether the key that a token names is listed; also true if the token names none.
    func has(keyOf token: String) -> Bool {
        OpenIDKeys.name(in: token).map(names.contains) ?? true
    }

    /// Returns the claims of a token that one of these keys signed.
    func claims(of token: String) async throws -> OpenIDClaims {
        // RFC 7515, 4.1.11: extensions that a token marks as critical must be understood, and none are supported.
        guard let header = OpenIDKeys.header(of: token), header["crit"] == nil else { throw OpenIDKeys.extended }
        return try await keys.verify(token, as: OpenIDClaims.self, iteratingKeys: OpenIDKeys.name(in: token) == nil)
    }

    /// The id of the key (`kid`) that a token names in its header.
    private static func name(in token: String) -> String? {
        header(of: token)?.text("kid")
    }

    private static func header(of token: String) -> JSONValue? {
        guard let header = token.split(separator: ".").first.map(String.init),
            let bytes = Data(base64URL: header)
        else { return nil }
        return try? JSONReader.read([UInt8](bytes))
    }

    private static let extended = JournalError(.unauthenticated, "the token requires an unknown extension")

    /// Normalizes a signing key: gives it one algorithm and, if it has no id, its index as the id; nil for other keys.
    private static func signing(_ key: JSONValue, at place: Int) -> JSONValue? {
        guard case .object(let members) = key, key.text("use") ?? "sig" == "sig",
            let algorithm = algorithm(of: key)
        else { return nil }
        // Drops the private members, in case a provider publishes them by mistake.
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
