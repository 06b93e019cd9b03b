import EventLog
import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Interchange
import JournalEvents
import NIOCore
import Testing

@testable import JournalCore
@testable import JournalServer

@Suite("Sessions over HTTP")
struct SessionTests {
    private static let host = "localhost"

    /// Headers of a request from the service's own pages, as a browser sends them.
    private func own(_ cookie: String) -> [(String, String)] {
        [("Cookie", cookie), ("Sec-Fetch-Site", "same-origin")]
    }

    private func fixture() async throws -> (ServiceFixture, UUID) {
        let fixture = try await ServiceFixture()
        let anna = try await fixture.account("anna").id
        _ = try await fixture.journal.accounts.setPassword(of: anna, to: "correct horse", fixture.owner)
        return (fixture, anna)
    }

    /// Returns the part of `Set-Cookie` that the browser sends back.
    private func cookie(_ answer: Answer) throws -> String {
        let line = try #require(answer.headers[.setCookie])
        return String(line.prefix { $0 != ";" })
    }

    @Test("A session can be started with a password, read and ended")
    func life() async throws {
        let (fixture, anna) = try await fixture()
        try await fixture.serve { client in
            let browser = client.with(nil)
            #expect(try await browser.get("/v1/session").status == 401)
            let begun = try await browser.post("/v1/session", #"{"name": "Anna", "password": "correct horse"}"#)
            #expect(begun.status == 201)
            #expect(begun.text("account") == anna.text)
            #expect(begun.text("kind") == "person")
            #expect(!begun.text.contains("hjs_"))
            let line = try #require(begun.headers[.setCookie])
            #expect(line.hasPrefix("hj_session=hjs_"))
            for part in ["HttpOnly", "SameSite=Strict", "Path=/"] { #expect(line.contains("; \(part)")) }
            #expect(!line.contains("Domain"))
            #expect(!line.contains("Secure"))
            let cookie = try cookie(begun)

            let shown = try await browser.send(.get, "/v1/session", nil, [("Cookie", "theme=dark; \(cookie)")])
            #expect(shown.status == 200)
            #expect(shown.text("name") == "anna")
            #expect(shown.text("scope") == "full")
            #expect(shown.text("session") == begun.text("session"))
            #expect(shown.text("expires") == begun.text("expires"))

            let again = try await browser.send(
                .post,
                "/v1/session",
                #"{"name": "anna", "password": "correct horse"}"#,
                own(cookie)
            )
            #expect(again.status == 201)
            let fresh = try self.cookie(again)
            #expect(fresh != cookie)
            // The new sign-in ends the earlier session, so a planted or copied cookie is of no use.
            #expect(try await browser.get("/v1/session", [("Cookie", cookie)]).status == 401)

            let ended = try await browser.send(.delete, "/v1/session", nil, own(fresh))
            #expect(ended.status == 204)
            #expect(ended.headers[.setCookie]?.contains("Max-Age=0") == true)
            #expect(try await browser.get("/v1/session", [("Cookie", fresh)]).status == 401)
        }
    }

    @Test(
        "A change must come from the service's own pages",
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
        let (fixture, _) = try await fixture()
        try await fixture.serve { client in
            let browser = client.with(nil)
            let begun = try await browser.post("/v1/session", #"{"name": "anna", "password": "correct horse"}"#)
            let shown = [("Cookie", try cookie(begun))]
            let answer = try await browser.send(.post, "/v1/records", #"{"subject": "human"}"#, shown + headers)
            #expect(answer.status == status)
            if status == 403 { #expect(answer.problem == "foreign-page") }
            // Reads are allowed from any page, because other sites cannot read the response.
            #expect(try await browser.get("/v1/records", shown + headers).status == 200)
            // A page of another site cannot sign in either.
            let other = try await browser.send(
                .post,
                "/v1/session",
                #"{"name": "anna", "password": "correct horse"}"#,
                headers
            )
            #expect(other.status == (headers.isEmpty ? 201 : status))
        }
    }

    @Test("Wrong names and passwords get the same answers, and further guesses must wait")
    func guesses() async throws {
        let (fixture, _) = try await fixture()
        try await fixture.serve { client in
            let browser = client.with(nil)
            var told: [Set<String>] = []
            for name in ["anna", "nobody"] {
                var words: Set<String> = []
                var status = 401
                // How many attempts are possible before a delay depends on the speed of the machine.
                for attempt in 1...20 where status == 401 {
                    let answer = try await browser.post("/v1/session", #"{"name": "\#(name)", "password": "guess"}"#)
                    #expect(answer.headers[.setCookie] == nil)
                    words.insert(answer.text)
                    status = answer.status
                    if attempt <= 5 { #expect(status == 401) }
                    if status == 429 { #expect((answer.headers[.retryAfter].flatMap(Int.init) ?? 0) >= 1) }
                }
                #expect(status == 429)
                told.append(words)
            }
            #expect(told.first == told.last)
            #expect(told.first?.count == 2)
        }
    }

    @Test(
        "A one-time code signs in once, and an incomplete body does not",
        arguments: [
            "{}", #"{"name": "anna"}"#, #"{"code": "hjc_x", "name": "anna", "password": "y"}"#,
            #"{"name": 1, "password": "x"}"#, #"["anna"]"#, #"{"user": "anna"}"#,
        ]
    )
    func codes(_ nonsense: String) async throws {
        let (fixture, anna) = try await fixture()
        let code = try fixture.journal.accounts.makeSignInCode(for: anna)
        try await fixture.serve { client in
            let browser = client.with(nil)
            let refused = try await browser.post("/v1/session", nonsense)
            #expect([400, 401].contains(refused.status))
            #expect(refused.headers[.setCookie] == nil)
            #expect(try await browser.post("/v1/session", #"{"code": "\#(code)"}"#).status == 201)
            #expect(try await browser.post("/v1/session", #"{"code": "\#(code)"}"#).status == 401)
        }
    }

    @Test("An invalid cookie does not authenticate, and neither do two cookies")
    func cookies() async throws {
        let (fixture, _) = try await fixture()
        let token = fixture.token
        try await fixture.serve { client in
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

    @Test(
        "Over JSON a session alone creates no lasting access: the current password is required",
        arguments: [
            ("POST", "tokens", #""scope": "full""#, 201),
            ("POST", "identities", #""issuer": "https://id.example.org", "subject": "x""#, 201),
            ("PUT", "password", #""password": "battery staple horse", "revoke": ["all"]"#, 200),
        ]
    )
    func confirmation(_ method: String, _ path: String, _ body: String, _ status: Int) async throws {
        let fixture = try await ServiceFixture()
        let owner = fixture.owner
        _ = try await fixture.journal.accounts.setPassword(of: owner.account, to: "correct horse battery", owner)
        let cookie = try await fixture.session(of: owner.account)
        try await fixture.serve { client in
            let browser = client.with(nil)
            let headers = [("Cookie", "hj_session=\(cookie)"), ("Sec-Fetch-Site", "same-origin")]
            let address = "/v1/accounts/\(owner.account.text)/\(path)"
            func send(_ more: String) async throws -> Answer {
                let method = try #require(HTTPRequest.Method(rawValue: method))
                return try await browser.send(method, address, "{\(body)\(more)}", headers)
            }
            let before = try fixture.journal.accounts.account(owner.account)
            let alone = try await send("")
            #expect(alone.status == 400, "\(alone.text)")
            #expect(alone.text("field") == "current", "\(alone.text)")
            #expect(try await send(#", "current": "a guess at it""#).status == 403)
            #expect(try fixture.journal.accounts.account(owner.account) == before)
            let done = try await send(#", "current": "correct horse battery""#)
            #expect(done.status == status, "\(done.text)")
            if path == "password" { #expect(done.items("tokens").isEmpty && done.items("identities").isEmpty) }
        }
    }

    @Test("With TLS, the cookie is sent over TLS only")
    func secure() throws {
        let now = Instant(microseconds: 0)
        let expires = Instant(microseconds: 3_600_000_000)
        let line = SessionCookie(isSecure: true).setting("hjs_x", until: expires, now: now)
        #expect(line == "__Host-hj_session=hjs_x; Max-Age=3600; Path=/; HttpOnly; SameSite=Strict; Secure")
    }

    @Test(
        "Attempts are counted by network, for mapped addresses by that of the IPv4 address",
        arguments: [
            ("192.0.2.7", "192.0.2.0/24"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2:0:0:0:0/64"),
            ("2001:db8::1", "2001:db8:0:0:0:0:0:0/64"), ("::ffff:192.0.2.7", "192.0.2.0/24"),
            ("2001:db8:1:2:ffff::", "2001:db8:1:2:0:0:0:0/64"),
        ]
    )
    func networks(_ address: String, _ network: String) throws {
        let socket = try SocketAddress(ipAddress: address, port: 1)
        #expect(IPAddress(socket)?.signInNetwork.description == network)
    }

    @Test("A session that nobody has used for too long ends, which its account's trail shows; a token does not")
    func idle() async throws {
        let (fixture, _) = try await fixture()
        var settings = ServerSettings()
        settings.idleSessions = .milliseconds(1)
        try await fixture.serve(settings: settings) { client in
            let browser = client.with(nil)
            let begun = try await browser.post("/v1/session", #"{"name": "Anna", "password": "correct horse"}"#)
            let session = try #require(begun.text("session").flatMap { UUID(uuidString: $0) })
            let headers = try own(cookie(begun))
            try await Task.sleep(for: .milliseconds(20))
            let before = try fixture.journal.log.head()
            #expect(try await browser.send(.get, "/v1/session", nil, headers).status == 401)
            let page = try await browser.send(.get, "/records", nil, headers)
            #expect(page.status == 303)
            #expect(page.location?.hasPrefix("/sign-in") == true)
            let ended = try fixture.journal.log.recorded(fixture.journal.log.event(at: before + 1))
            #expect((ended.event.data as? SessionEnded)?.session == session && ended.reason == "nobody used it")
            #expect(try fixture.journal.log.head() == before + 1)
            #expect(try await client.get("/v1/records").status == 200)
        }
    }

    @Test("A page says in how many seconds its session ends if nobody uses it, so that a device forgets what it keeps")
    func secondsLeft() async throws {
        let (fixture, _) = try await fixture()
        for (idle, range) in [(Duration.seconds(600), 600...600), (nil, 86_400...(366 * 86_400))] {
            var settings = ServerSettings()
            settings.idleSessions = idle
            try await fixture.serve(settings: settings) { client in
                let browser = client.with(nil)
                let stranger = try await browser.send(.get, "/sign-in", nil, [])
                #expect(stranger.headers[.sessionSeconds] == nil)
                #expect(!stranger.text.contains("data-session-seconds"))
                let begun = try await browser.post("/v1/session", #"{"name": "Anna", "password": "correct horse"}"#)
                let page = try await browser.send(.get, "/records", nil, try own(cookie(begun)))
                let text = try #require(page.headers[.sessionSeconds])
                #expect(range.contains(try #require(Int(text))))
                #expect(page.text.contains(#"data-session-seconds="\#(text)""#))
            }
        }
    }

    @Test("Each use lets a session go on; what the service does not remember counts from its start")
    func idleTimes() {
        func at(_ minute: Int64) -> Instant { Instant(microseconds: 1_800_000_000_000_000 + minute * 60_000_000) }
        func session(_ minute: Int64) -> UUID { UUID.timeOrdered(at: at(minute).microseconds) }
        let idle = IdleSessions(.seconds(900), now: at(0))
        let (old, new, other) = (session(-500), session(20), session(-10))
        #expect(idle.use(old, at: at(15)))
        #expect(idle.use(old, at: at(30)))
        #expect(idle.use(old, at: at(45)))
        #expect(!idle.use(old, at: at(61)))
        // Its end is recorded; until then, it is not admitted again.
        #expect(!idle.use(old, at: at(62)))
        #expect(idle.use(new, at: at(35)))
        #expect(!idle.use(session(20), at: at(36)))
        #expect(!idle.use(other, at: at(16)))
        #expect(IdleSessions(nil, now: at(0)).use(other, at: at(1_000_000)))
    }
}
