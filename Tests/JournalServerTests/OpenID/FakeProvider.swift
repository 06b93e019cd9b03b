import EventLog
import Foundation
import HealthModel
import Interchange
import JWTKit
import Logging
import TestSupport

@testable import JournalServer

/// A sign-in provider for tests, which signs tokens with its own keys and publishes the public keys in a file.
final class FakeProvider: Sendable {
    static let issuer = "https://id.example.org"
    static let audience = "healthjournal"

    let folder: TemporaryFolder
    /// The keys that sign the tokens.
    let keys = JWTKeyCollection()

    /// The claims of a token; a test may change each of them.
    struct Claims: JWTPayload {
        var iss: String? = FakeProvider.issuer
        var sub: String? = "8a7f12"
        var aud: JSONText = .one(FakeProvider.audience)
        var exp: Double? = 4_000_000_000
        var nbf: Double?

        enum JSONText: Codable, Sendable {
            case one(String)
            case several([String])

            init(from decoder: any Decoder) throws { self = .several(try [String](from: decoder)) }

            func encode(to encoder: any Encoder) throws {
                switch self {
                case .one(let text): try text.encode(to: encoder)
                case .several(let texts): try texts.encode(to: encoder)
                }
            }
        }

        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    init() async throws {
        folder = try TemporaryFolder()
        try await publish(["a"])
    }

    var keyFile: String { folder.path + "/keys.json" }

    /// Creates keys with these names and publishes them in place of the earlier ones.
    func publish(_ names: [String], besides others: [JSONValue] = []) async throws {
        var listed: [JSONValue] = others
        for name in names {
            let key = ES256PrivateKey()
            await keys.add(ecdsa: key, kid: JWKIdentifier(string: name))
            listed.append(FakeProvider.published(key, name))
        }
        try FileBytes.write(JSONWriter.bytes(.object([.init("keys", .array(listed))])), to: keyFile)
    }

    static func published(_ key: ES256PrivateKey, _ name: String) -> JSONValue {
        // The keys contain no "alg", because many providers leave it out.
        [
            "kty": "EC", "crv": "P-256", "use": "sig", "kid": .string(name),
            "x": .string(key.publicKey.parameters?.x ?? ""), "y": .string(key.publicKey.parameters?.y ?? ""),
        ]
    }

    func token(_ claims: Claims = Claims(), key: String = "a") async throws -> String {
        try await keys.sign(claims, kid: JWKIdentifier(string: key))
    }

    /// Returns the service's client for this provider.
    func provider(now: @escaping @Sendable () -> Instant) -> OpenIDProvider {
        OpenIDProvider(
            OpenIDSettings(issuer: FakeProvider.issuer, audience: FakeProvider.audience, keyFile: keyFile),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            now: now
        )
    }
}
