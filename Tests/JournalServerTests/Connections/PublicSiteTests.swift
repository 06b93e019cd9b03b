import HTTPTypes
import HealthJournal
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Testing

@testable import JournalCore
@testable import JournalServer

@Suite("Service behind a proxy")
struct PublicSiteTests {
    private func client(
        _ peer: String,
        _ header: ProxyHeader = .xForwardedFor,
        _ fields: [(HTTPField.Name, String)]
    ) throws -> String? {
        var settings = ServerSettings()
        settings.trustedProxies = [
            try #require(IPNetwork("127.0.0.1")), try #require(IPNetwork("10.0.0.0/8")),
            try #require(IPNetwork("2001:db8::/32")),
        ]
        settings.proxyHeader = header
        var headers = HTTPFields()
        for (name, value) in fields { headers.append(HTTPField(name: name, value: value)) }
        let request = Request(
            head: HTTPRequest(method: .get, scheme: nil, authority: "x", path: "/", headerFields: headers),
            body: RequestBody(buffer: ByteBuffer())
        )
        return PublicSite(settings).client(of: request, connectedFrom: IPAddress(peer))?.description
    }

    @Test("A public address is stored without a trailing slash, so that a path can be appended")
    func slash() {
        var settings = ServerSettings()
        for address in ["https://journal.example.org", "https://journal.example.org/"] {
            settings.publicURL = address
            #expect(settings.publicURL == "https://journal.example.org")
            #expect(settings.objection == nil)
        }
        settings.publicURL = nil
        #expect(settings.publicURL == nil)
    }

    @Test("The client's address is taken from the headers of trusted proxies only")
    func addresses() throws {
        let name = HTTPField.Name.xForwardedFor
        #expect(try client("203.0.113.9", [(name, "198.51.100.1")]) == "203.0.113.9")
        #expect(try client("127.0.0.1", [(name, "198.51.100.1")]) == "198.51.100.1")
        #expect(try client("::ffff:127.0.0.1", [(name, "198.51.100.1")]) == "198.51.100.1")
        // Addresses that the client sent come before those that the proxies appended.
        #expect(try client("127.0.0.1", [(name, "192.0.2.66, 198.51.100.1, 10.1.2.3")]) == "198.51.100.1")
        #expect(try client("127.0.0.1", [(name, "192.0.2.66"), (name, "198.51.100.1")]) == "198.51.100.1")
        #expect(try client("127.0.0.1", [(name, "192.0.2.66, unknown, 10.1.2.3")]) == "10.1.2.3")
        #expect(try client("127.0.0.1", []) == "127.0.0.1")
        #expect(try client("127.0.0.1", [(name, "198.51.100.1:4711")]) == "198.51.100.1")
        #expect(try client("127.0.0.1", [(name, "[2001:db9::1]:4711")]) == "2001:db9:0:0:0:0:0:1")
        #expect(try client("127.0.0.1", [(.forwarded, "for=198.51.100.1")]) == "127.0.0.1")
        let forwarded = #"for=192.0.2.66, proto=https;For="[2001:db9::1]:47";by=10.0.0.1"#
        #expect(try client("127.0.0.1", .forwarded, [(.forwarded, forwarded)]) == "2001:db9:0:0:0:0:0:1")
    }

    private func client(_ peer: String, _ fields: [(HTTPField.Name, String)]) throws -> String? {
        try client(peer, .xForwardedFor, fields)
    }

    @Test(
        "With a public HTTPS address, cookies and responses require HTTPS, and only that origin's pages count as own"
    )
    func secure() async throws {
        let fixture = try await ServiceFixture()
        _ = try await fixture.journal.accounts.setPassword(
            of: fixture.owner.account,
            to: "correct horse",
            fixture.owner
        )
        var settings = ServerSettings()
        settings.publicURL = "https://journal.example.org"
        #expect(settings.objection == nil)
        let application = Application(
            responder: JournalServer.router(fixture.journal, settings).buildResponder(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        try await application.test(.router) { client in
            let service = ServiceClient(client: client, token: nil)
            let body = #"{"name": "owner", "password": "correct horse"}"#
            let signedIn = try await service.send(
                .post,
                "/v1/session",
                body,
                [("Origin", "https://journal.example.org")]
            )
            #expect(signedIn.status == 201)
            let cookie = try #require(signedIn.headers[.setCookie])
            #expect(cookie.hasPrefix("__Host-hj_session=hjs_"))
            #expect(cookie.hasSuffix("; Secure"))
            #expect(signedIn.headers[.strictTransportSecurity] == "max-age=31536000")
            let pair = try #require(cookie.split(separator: ";").first.map(String.init))
            #expect(try await service.get("/v1/session", [("Cookie", "a=b; " + pair)]).status == 200)
            // Another site under the same domain can set only cookies without the prefix.
            let planted = String(pair.dropFirst("__Host-".count))
            #expect(try await service.get("/v1/session", [("Cookie", planted)]).status == 401)
            #expect(try await service.get("/v1/session", [("Cookie", planted + "; " + pair)]).status == 200)
            let foreign = try await service.send(.post, "/v1/session", body, [("Origin", "https://other.example.org")])
            #expect(foreign.status == 403)
        }
    }

    @Test("Without HTTPS, neither cookies nor headers require it", arguments: [nil, "http://journal.example.org:8420"])
    func plain(url: String?) async throws {
        let fixture = try await ServiceFixture()
        var settings = ServerSettings()
        settings.publicURL = url
        let application = Application(
            responder: JournalServer.router(fixture.journal, settings).buildResponder(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        try await application.test(.router) { client in
            let answer = try await ServiceClient(client: client, token: nil).get("/health/live")
            #expect(answer.headers[.strictTransportSecurity] == nil)
        }
    }

    @Test(
        "A public address consists of a scheme and a host",
        arguments: ["journal.example.org", "ftp://x", "https://", "https://x/path", "https://x?q", "https://u@x"]
    )
    func objection(url: String) {
        var settings = ServerSettings()
        settings.publicURL = url
        #expect(settings.objection != nil)
    }
}
