import Crypto
import Foundation
import HealthJournal
import HealthModel
import Testing

@testable import JournalServer

@Suite("Messages to browsers")
struct WebPushTests {
    private static func bytes(_ text: String) -> [UInt8] {
        guard let data = Data(base64URL: text) else { preconditionFailure("not base64url: \(text)") }
        return Array(data)
    }

    /// The receiver of the example in RFC 8291, section 5.
    private static let keys = PushKeys(
        publicKey: bytes("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
        authentication: bytes("BTBZMqHH6r4Tts7J_aSIgg")
    )

    @Test("The example of RFC 8291 is encrypted as the RFC says")
    func example() throws {
        let sender = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: WebPushTests.bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
        )
        let message = try WebPush.encrypt(
            Array("When I grow up, I want to be a watermelon".utf8),
            for: WebPushTests.keys,
            salt: WebPushTests.bytes("DGv6ra1nlYgDCS1FRnbzlw"),
            key: sender,
            isPadded: false
        )
        let expected = """
            DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6P\
            Bru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN
            """
        #expect(Data(message).base64URL == expected)
    }

    @Test("The length of a message tells nothing about its text, and no two messages are alike")
    func padding() throws {
        func message(_ length: Int) throws -> [UInt8] {
            try WebPush.encrypt([UInt8](repeating: 65, count: length), for: WebPushTests.keys)
        }
        #expect(Set(try [0, 1, 17, 400, 511].map { try message($0).count }).count == 1)
        #expect(try message(3_583).count <= 4_096)
        #expect(throws: WebPushError.tooLong) { try message(4_000) }
        #expect(try message(5) != message(5))
        let wrong = PushKeys(publicKey: [4] + [UInt8](repeating: 1, count: 64), authentication: [])
        #expect(throws: (any Error).self) { try WebPush.encrypt([1], for: wrong) }
    }

    @Test("The service identifies itself to the push service with a token that is valid for less than a day")
    func token() throws {
        let key = P256.Signing.PrivateKey()
        let now = try Instant(parsing: "2026-03-02T12:00:00Z")
        let header = try WebPush.authorization(
            key,
            for: "https://push.example.org:8443",
            contact: "https://journal.example.org",
            at: now
        )
        let found = try #require(header.wholeMatch(of: /vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)/))
        let (_, head, claims, signature, shown) = found.output
        #expect(WebPushTests.bytes(String(shown)) == Array(key.publicKey.x963Representation))
        let written = try P256.Signing.ECDSASignature(rawRepresentation: WebPushTests.bytes(String(signature)))
        #expect(key.publicKey.isValidSignature(written, for: Array("\(head).\(claims)".utf8)))
        #expect(String(decoding: WebPushTests.bytes(String(head)), as: UTF8.self) == #"{"alg":"ES256","typ":"JWT"}"#)
        let seconds = now.microseconds / 1_000_000
        #expect(
            String(decoding: WebPushTests.bytes(String(claims)), as: UTF8.self)
                == """
                {"aud":"https://push.example.org:8443","exp":\(seconds + 43_200),"sub":"https://journal.example.org"}
                """
        )
        #expect(try !WebPush.authorization(key, for: "https://a.example", contact: nil, at: now).contains("sub"))
    }
}
