import Foundation
import HTTPTypes
import HealthModel
import Interchange
import NIOCore
import Testing

@testable import HealthJournal
@testable import JournalServer

@Suite("Sessions over HTTP")
struct SessionTests {
    private static let host = "localhost"

    /// The service's own pages, as a browser says it.
    private func own(_ cookie: String) -> [(String, String)] {
        [("Cookie", cookie), ("Sec-Fetch-Site", "same-origin")]
    }

    private func ground() async throws -> (ServiceGround, UUID) {
        let ground = try await ServiceGround()
        let anna = try await ground.account("anna").id
        _ = try await ground.journal.setPassword(of: anna, to: "correct horse", ground.owner)
        return (ground, anna)
    }

    /// The part of `Set-Cookie` that the browser sends back.
    private func cookie(_ answer: Answer) throws -> String {
        let line = try #require(answer.headers[.setCookie])
        return String(line.prefix { $0 != ";" })
    }

    @Test("A session is begun with a password, looked at, and ended")
    func life() async throws {
        let (ground, anna) = try await ground()
        try await ground.serve { client in
            let browser = client.with(nil)
            #expect(try await browser.get("/v1/session").status == 401)
            let begun = try await browser.post("/v1/session", #"{"name": "Anna", "password": "correct horse"}"#)
            #expect(begun.status == 201)
            #expect(begun.text("account") == anna.text && begun.text("kind") == "person")
            #expect(!begun.text.contains("hjs_"))
            let line = try #require(begun.headers[.setCookie])
            #expect(line.hasPrefix("hj_session=hjs_"))
            for part in ["HttpOnly", "SameSite=Strict", "Path=/"] { #expect(line.contains("; \(part)")) }
            #expect(!line.contains("Domain") && !line.contains("Secure"))
            let cookie = try cookie(begun)

            let shown = try await browser.send(.get, "/v1/session", nil, [("Cookie", "theme=dark; \(cookie)")])
            #expect(shown.status == 200 && shown.text("name") == "anna" && shown.text("scope") == "full")
            #expect(shown.text("session") == begun.text("session") && shown.text("expires") == begun.text("expires"))

            let again = try await browser.send(
                .post,
                "/v1/session",
                #"{"name": "anna", "password": "correct horse"}"#,
                own(cookie)
            )
            #expect(again.status == 201)
            let fresh = try self.cookie(again)
            #expect(fresh != cookie)
            // The one that was there before is over: nobody who planted or copied it comes along.
            #expect(try await browser.get("/v1/session", [("Cookie", cookie)]).status == 401)

            let ended = try await browser.send(.delete, "/v1/session", nil, own(fresh))
            #expect(ended.status == 204)
            #expect(ended.headers[.setCookie]?.contains("Max-Age=0") == true)
            #expect(try await browser.get("/v1/session", [("Cookie", fresh)]).status == 401)
        }
    }

    @Test(
        "What changes something must come from the service's own pages",
        arguments: [
            ([], 403), ([("Origin", "https://evil.example")], 403), ([("Origin", "null")], 403),
            ([("Origin", "http://localhost.evil.example")], 403), ([("Origin", "http://localhost/")], 403),
            ([("Origin", "ftp://localhost")], 403), ([("Sec-Fetch-Site", "cross-site")], 403),
            ([("Sec-Fetch-Site", "same-site")], 403),
            ([("Sec-Fetch-Site", "cross-site"), ("Origin", "http://localhost")], 403),
            ([("Sec-Fetch-Site", "same-origin")], 201), ([("Sec-Fetch-Site", "none")], 201),
            ([("Origin", "http://localhost")], 201), ([("Origin", "https://LOCALHOST")], 201),
        ] as [([(String, String)], Int)]
    )
    func foreignPages(_ headers: [(String, String)], _ status: Int) async throws {
        let (ground, _) = try await ground()
        try await ground.serve { client in
            let browser = client.with(nil)
            let begun = try await browser.post("/v1/session", #"{"name": "anna", "password": "correct horse"}"#)
            let shown = [("Cookie", try cookie(begun))]
            let answer = try await browser.send(.post, "/v1/records", #"{"subject": "human"}"#, shown + headers)
            #expect(answer.status == status)
            if status == 403 { #expect(answer.problem == "foreign-page") }
            // Looking is let in whoever asks: the answer is the browser's own, and no other page reads it.
            #expect(try await browser.get("/v1/records", shown + headers).status == 200)
            // A page of another site signs nobody in either.
            let other = try await browser.send(
                .post,
                "/v1/session",
                #"{"name": "anna", "password": "correct horse"}"#,
                headers
            )
            #expect(other.status == (headers.isEmpty ? 201 : status))
        }
    }

    @Test("Whoever guesses is told nothing, and to wait")
    func guesses() async throws {
        let (ground, _) = try await ground()
        try await ground.serve { client in
            let browser = client.with(nil)
            var told: Set<String> = []
            for name in ["anna", "nobody"] {
                for _ in 0..<5 {
                    let answer = try await browser.post("/v1/session", #"{"name": "\#(name)", "password": "guess"}"#)
                    #expect(answer.status == 401 && answer.headers[.setCookie] == nil)
                    told.insert(answer.text)
                }
                let limited = try await browser.post(
                    "/v1/session",
                    #"{"name": "\#(name)", "password": "correct horse"}"#
                )
                #expect(limited.status == 429)
                #expect(Int(limited.headers[.retryAfter] ?? "") == 1)
                told.insert(limited.text)
            }
            #expect(told.count == 2)
        }
    }

    @Test(
        "A one-time code signs in once; nothing else in the body does",
        arguments: [
            "{}", #"{"name": "anna"}"#, #"{"code": "hjc_x", "name": "anna", "password": "y"}"#,
            #"{"name": 1, "password": "x"}"#, #"["anna"]"#, #"{"user": "anna"}"#,
        ]
    )
    func codes(_ nonsense: String) async throws {
        let (ground, anna) = try await ground()
        let code = try ground.journal.makeSignInCode(for: anna)
        try await ground.serve { client in
            let browser = client.with(nil)
            let refused = try await browser.post("/v1/session", nonsense)
            #expect([400, 401].contains(refused.status) && refused.headers[.setCookie] == nil)
            #expect(try await browser.post("/v1/session", #"{"code": "\#(code)"}"#).status == 201)
            #expect(try await browser.post("/v1/session", #"{"code": "\#(code)"}"#).status == 401)
        }
    }

    @Test("A cookie that is none of ours lets nobody in, and two let in nobody either")
    func cookies() async throws {
        let (ground, _) = try await ground()
        let token = ground.token
        try await ground.serve { client in
            let browser = client.with(nil)
            let begun = try await browser.post("/v1/session", #"{"name": "anna", "password": "correct horse"}"#)
            let good = try cookie(begun)
            for bad in [
                "hj_session=", "hj_session=hjs_guess", "hj_session=\(token)", "\(good); hj_session=hjs_guess",
                "hj_session=hjs_guess; \(good)", "HJ_SESSION=x", "=", ";;;",
            ] {
                #expect(try await browser.get("/v1/records", [("Cookie", bad)]).status == 401, "\(bad)")
            }
            #expect(try await browser.get("/v1/records", [("Cookie", good)]).status == 200)
        }
    }

    @Test("Over TLS alone, the cookie is for TLS alone")
    func secure() throws {
        let now = Instant(microseconds: 0)
        let expires = Instant(microseconds: 3_600_000_000)
        let line = SessionCookie(isSecure: true).setting("hjs_x", until: expires, now: now)
        #expect(line == "hj_session=hjs_x; Max-Age=3600; Path=/; HttpOnly; SameSite=Strict; Secure")
    }

    @Test(
        "Attempts are counted by address, of IPv6 by network",
        arguments: [
            ("192.0.2.7", "192.0.2.7"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2"), ("2001:db8::1", "2001:db8:0:0"),
            ("::1", "0:0:0:0"), ("2001:db8:1:2:ffff::", "2001:db8:1:2"),
        ]
    )
    func networks(_ address: String, _ network: String) throws {
        #expect(try SocketAddress(ipAddress: address, port: 1).network == network)
    }
}
