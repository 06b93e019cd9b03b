import Foundation
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import JWTKit
import Logging
import Platform
import TestSupport
import Testing

@testable import JournalCore
@testable import JournalServer

@Suite("Tokens of an OpenID provider")
struct OpenIDTests {
    private static let now = Instant(microseconds: 2_000_000_000_000_000)

    /// A clock that the test sets.
    private final class Clock: Sendable {
        private let box = Guarded(OpenIDTests.now)

        var now: Instant { box.withLock(\.self) }

        func pass(seconds: Int64) {
            box.withLock { $0 = Instant(microseconds: $0.microseconds + seconds * 1_000_000) }
        }
    }

    private func refusal(_ provider: OpenIDProvider, _ token: String) async -> JournalError.Code? {
        do {
            _ = try await provider.subject(of: token)
            return nil
        } catch {
            return error.code
        }
    }

    @Test("A token authenticates the account that is linked to its identity, until it is unlinked")
    func linked() async throws {
        let fixture = try await ServiceFixture()
        let anna = try await fixture.account("anna")
        let other = try await FakeProvider()
        let shown = try await other.token()
        let owner = "/v1/accounts/\(fixture.owner.account.text)/identities"
        try await fixture.serve(provider: other.provider { OpenIDTests.now }) { client in
            let stranger = client.with(shown)
            #expect(try await stranger.get("/v1/records").status == 401)
            let identities = "/v1/accounts/\(anna.id.text)/identities"
            let body = #"{"issuer": "\#(FakeProvider.issuer)", "subject": "8a7f12"}"#
            // Naming an identity is not enough: it could be another person's, who would then write to this account.
            #expect(try await client.with(anna.token).post(identities, body).status == 403)
            let forged = try await client.with(anna.token).post(identities, #"{"token": "a.b.c"}"#)
            #expect(forged.status == 400)
            #expect(forged.text("field") == "token")
            let proof = #"{"token": "\#(shown)"}"#
            let linked = try await client.with(anna.token).post(identities, proof, [("Idempotency-Key", "k")])
            #expect(linked.status == 201)
            let again = try await client.with(anna.token).post(identities, proof, [("Idempotency-Key", "k")])
            #expect(again.status == 201)
            #expect(again.text("position") == linked.text("position"))
            #expect(try await client.with(anna.token).post(identities, proof).status == 409)
            let both = #"{"token": "\#(shown)", "issuer": "i", "subject": "s"}"#
            #expect(try await client.with(anna.token).post(identities, both).status == 400)

            let session = try await stranger.get("/v1/session")
            #expect(session.status == 200)
            #expect(session.text("account") == anna.id.text)
            #expect(try await stranger.get("/v1/records").status == 200)
            #expect(try await stranger.person().isEmpty == false)
            // An identity can be linked to only one account.
            let taken = try await client.post(owner, body)
            #expect(taken.status == 409)
            #expect(taken.text("field") == "subject")

            let listed = try await client.with(anna.token).get(identities).items("identities")
            let id = try #require(listed.first?.text("id"))
            #expect(listed.count == 1 && listed[0].text("subject") == "8a7f12")
            #expect(try await client.with(anna.token).send(.delete, "\(identities)/\(id)").status == 200)
            #expect(try await stranger.get("/v1/records").status == 401)
            // After that, the identity can be linked to another account.
            #expect(try await client.post(owner, body).status == 201)
        }
    }

    @Test("Invalid tokens are all refused with the same error")
    func wrong() async throws {
        let fake = try await FakeProvider()
        let provider = fake.provider { OpenIDTests.now }
        typealias Claims = FakeProvider.Claims
        let late = Double(OpenIDTests.now.microseconds / 1_000_000)
        let good = try await fake.token()
        #expect(await refusal(provider, good) == nil)
        #expect(try await refusal(provider, fake.token(Claims(aud: .several(["x", FakeProvider.audience])))) == nil)
        #expect(try await refusal(provider, fake.token(Claims(exp: late - 59))) == nil, "clocks differ a little")
        let wrong: [(String, Claims)] = [
            ("another issuer", Claims(iss: "https://id.example.com")), ("no issuer", Claims(iss: nil)),
            ("nobody", Claims(sub: nil)), ("an empty name", Claims(sub: "")),
            ("meant for another", Claims(aud: .one("another"))), ("meant for nobody", Claims(aud: .several([]))),
            ("expired", Claims(exp: late - 61)), ("without an end", Claims(exp: nil)),
            ("not yet", Claims(nbf: late + 61)),
        ]
        for (what, claims) in wrong {
            #expect(try await refusal(provider, fake.token(claims)) == .unauthenticated, "\(what)")
        }
        // This token is signed by another provider, whose key has the same name.
        let foreign = try await FakeProvider()
        #expect(try await refusal(provider, foreign.token()) == .unauthenticated)
        // Each byte of the signature, the claims and the header counts.
        var random = SeededGenerator()
        for _ in 0..<200 {
            var bytes = Array(good.utf8)
            let index = Int.random(in: bytes.indices, using: &random)
            bytes[index] = try #require("ABCDabcd0123-_".utf8.randomElement(using: &random))
            let text = String(decoding: bytes, as: UTF8.self)
            // Some bits of the last character of a part do not belong to any byte.
            let parts = zip(text.split(separator: "."), good.split(separator: "."))
            guard !parts.allSatisfy({ $0.dropLast() == $1.dropLast() }) else { continue }
            #expect(await refusal(provider, text) == .unauthenticated, "\(text)")
        }
        for text in ["..", "a.b.c", "eyJhbGciOiJub25lIn0.e30.", String(repeating: ".", count: 2)] {
            #expect(await refusal(provider, text) == .unauthenticated, "\(text)")
        }
    }

    @Test("A token cannot choose its algorithm: neither none, nor HMAC with a public key as the secret")
    func algorithms() async throws {
        let fake = try await FakeProvider()
        let key = ES256PrivateKey()
        let shared: JSONValue = [
            "kty": "oct", "k": "YSBzZWNyZXQgdGhhdCBib3RoIG9mIHRoZW0ga25vdyE", "kid": "shared", "alg": "HS256",
        ]
        try await fake.publish(["a"], besides: [shared, FakeProvider.published(key, "b")])
        let provider = fake.provider { OpenIDTests.now }
        let unsigned = JWTKeyCollection()
        await unsigned.addUnsecuredNone(kid: "a")
        #expect(try await refusal(provider, unsigned.sign(FakeProvider.Claims(), kid: "a")) == .unauthenticated)
        let secret = JWTKeyCollection()
        await secret.add(
            hmac: HMACKey(from: "a secret that both of them know!"),
            digestAlgorithm: .sha256,
            kid: "shared"
        )
        #expect(try await refusal(provider, secret.sign(FakeProvider.Claims(), kid: "shared")) == .unauthenticated)
        let public64 = try #require(key.publicKey.parameters?.x)
        await secret.add(hmac: HMACKey(from: public64), digestAlgorithm: .sha256, kid: "b")
        #expect(try await refusal(provider, secret.sign(FakeProvider.Claims(), kid: "b")) == .unauthenticated)
        #expect(try await refusal(provider, fake.token()) == nil)
    }

    @Test("An unknown key name reloads the keys at most twice a minute, and keys are reloaded after an hour")
    func rotation() async throws {
        let fake = try await FakeProvider()
        let clock = Clock()
        let provider = fake.provider { clock.now }
        let old = try await fake.token()
        #expect(await refusal(provider, old) == nil)
        try await fake.publish(["b"])
        let new = try await fake.token(key: "b")
        // Invented key names do not cause a request to the provider each time.
        #expect(await refusal(provider, new) == .unauthenticated)
        #expect(await refusal(provider, old) == nil)
        clock.pass(seconds: 31)
        #expect(await refusal(provider, new) == nil)
        #expect(await refusal(provider, old) == .unauthenticated)
        try await fake.publish(["c"])
        clock.pass(seconds: 3_601)
        #expect(await refusal(provider, new) == .unauthenticated, "taken back an hour ago")
    }

    @Test("Without keys the provider's tokens get 429, while the journal's own tokens work")
    func away() async throws {
        let fixture = try await ServiceFixture()
        let fake = try await FakeProvider()
        let token = try await fake.token()
        let clock = Clock()
        let keys = try FileBytes.read(fake.keyFile)
        try FileManager.default.removeItem(atPath: fake.keyFile)
        let provider = fake.provider { clock.now }
        try await fixture.serve(provider: provider) { client in
            let answer = try await client.with(token).get("/v1/records")
            #expect(answer.status == 429)
            #expect(answer.headers[.retryAfter] == "30")
            #expect(try await client.get("/v1/records").status == 200)
        }
        try FileBytes.write(Array("{}".utf8), to: fake.keyFile)
        clock.pass(seconds: 31)
        #expect(await refusal(provider, token) == .busy)
        try FileBytes.write(keys, to: fake.keyFile)
        clock.pass(seconds: 31)
        #expect(await refusal(provider, token) == nil)
        // Cached keys are used for a day if the provider does not answer.
        try FileManager.default.removeItem(atPath: fake.keyFile)
        clock.pass(seconds: 3_601)
        #expect(await refusal(provider, token) == nil)
        clock.pass(seconds: 86_400)
        #expect(await refusal(provider, token) == .busy)
    }

    @Test("The location of the keys is read from the provider, whose document must name it as the issuer")
    func discovery() async throws {
        let fake = try await FakeProvider()
        let keys = try FileBytes.read(fake.keyFile)
        let router = Router()
        let place = Guarded("")
        for name in ["one", "two"] {
            router.get("\(name)/.well-known/openid-configuration") { _, _ in
                let base = place.withLock(\.self)
                return #"{"issuer": "\#(base)/one", "jwks_uri": "\#(base)/keys"}"#
            }
        }
        router.get("keys") { _, _ in String(decoding: keys, as: UTF8.self) }
        let (ports, ready) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            responder: router.buildResponder(),
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { ready.yield($0.localAddress?.port ?? 0) },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            group.addTask {
                for await port in ports {
                    let base = "http://127.0.0.1:\(port)"
                    place.withLock { $0 = base }
                    for (name, taken) in [("one", true), ("two", false)] {
                        let provider = OpenIDProvider(
                            OpenIDSettings(issuer: "\(base)/\(name)", audience: FakeProvider.audience),
                            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
                            now: { OpenIDTests.now }
                        )
                        let token = try await fake.token(FakeProvider.Claims(iss: "\(base)/\(name)"))
                        let code = await self.refusal(provider, token)
                        #expect(code == (taken ? nil : .busy), "\(name)")
                    }
                    return
                }
            }
            try await group.next()
            group.cancelAll()
        }
    }

    @Test(
        "The service does not start with incomplete settings, or if keys could be replaced by others",
        arguments: [
            (OpenIDSettings(issuer: "https://id.example.org", audience: ""), false),
            (OpenIDSettings(issuer: "", audience: "x", keyFile: "keys.json"), false),
            (OpenIDSettings(issuer: "http://id.example.org", audience: "x"), false),
            (OpenIDSettings(issuer: "id.example.org", audience: "x"), false),
            (OpenIDSettings(issuer: "id.example.org", audience: "x", keyFile: "keys.json"), true),
            (OpenIDSettings(issuer: "http://localhost:8080", audience: "x"), true),
            (OpenIDSettings(issuer: "https://id.example.org/realm", audience: "x"), true),
        ]
    )
    func settings(_ settings: OpenIDSettings, isTaken: Bool) {
        #expect((ServerSettings(openID: settings).objection == nil) == isTaken)
    }

    @Test("A token with a critical extension is refused")
    func critical() async throws {
        let other = try await FakeProvider()
        let provider = other.provider { OpenIDTests.now }
        var header = JWTHeader()
        header.kid = "a"
        let plain = try await other.keys.sign(FakeProvider.Claims(), kid: "a", header: header)
        #expect(await refusal(provider, plain) == nil)
        header.crit = ["b64"]
        let critical = try await other.keys.sign(FakeProvider.Claims(), kid: "a", header: header)
        #expect(await refusal(provider, critical) == .unauthenticated)
    }

    @Test("Keys are not fetched through redirects")
    func redirect() async throws {
        let router = Router()
        router.get("keys") { _, _ in "{}" }
        router.get("moved") { _, _ in Response.redirect(to: "/moved/.well-known/real", type: .found) }
        router.get("moved/.well-known/openid-configuration") { request, _ in
            Response.redirect(to: "/moved/real", type: .found)
        }
        router.get("moved/real") { request, _ in
            let base = "http://127.0.0.1:\(request.head.authority?.split(separator: ":").last ?? "")"
            return #"{"issuer": "\#(base)/moved", "jwks_uri": "\#(base)/keys"}"#
        }
        router.get("straight/.well-known/openid-configuration") { request, _ in
            let base = "http://127.0.0.1:\(request.head.authority?.split(separator: ":").last ?? "")"
            return #"{"issuer": "\#(base)/straight", "jwks_uri": "\#(base)/keys"}"#
        }
        let (ports, ready) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { ready.yield($0.localAddress?.port ?? 0) },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            let port = try #require(await ports.first { _ in true })
            let document = try await OpenIDDiscovery(issuer: "http://127.0.0.1:\(port)/straight").document()
            #expect(document == Array("{}".utf8))
            await #expect(throws: JournalError.self) {
                try await OpenIDDiscovery(issuer: "http://127.0.0.1:\(port)/moved").document()
            }
            group.cancelAll()
        }
    }
}
