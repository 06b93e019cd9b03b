import HTTPTypes
import Testing

@testable import JournalServer

@Suite("HTTP methods")
struct MethodTests {
    @Test(
        "A wrong method is answered with the methods that are allowed",
        arguments: [
            ("/v1/records", "DELETE", "GET, HEAD, POST"), ("/v1/records", "OPTIONS", "GET, HEAD, POST"),
            ("/v1/records/1", "POST", "DELETE, GET, HEAD, PATCH"),
            ("/v1/records/1/entries/weight/2/restore", "GET", "POST"),
            ("/v1/channels/push-key", "OPTIONS", "GET, HEAD"), ("/v1/channels/1", "GET", "DELETE"),
            ("/openapi.json", "POST", "GET, HEAD"), ("/v1/log/checkpoint", "QUERY", "GET, HEAD"),
        ]
    )
    func wrong(_ path: String, _ method: String, _ allowed: String) async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            for token in [client.token, nil] {
                let method = try #require(HTTPRequest.Method(rawValue: method))
                let answer = try await client.with(token).send(method, path)
                #expect(answer.status == 405)
                #expect(answer.problem == "method")
                #expect(answer.headers[.allow] == allowed)
                #expect(answer.headers[.cacheControl] == "no-store")
            }
        }
    }

    @Test("A path that does not exist is not found with any method")
    func absent() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            for path in ["/nothing", "/v1", "/v1/nothing", "/v1/records/1/2/3/4/5/6"] {
                let answer = try await client.send(.delete, path)
                #expect(answer.status == 404)
                #expect(answer.problem == "not-found")
                #expect(answer.headers[.allow] == nil)
            }
        }
    }

    @Test("HEAD gets the response of GET without a body, and is recorded as a read")
    func head() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let record = try await client.person()
            let (get, head) = (
                try await client.get("/v1/records/\(record)"), try await client.send(.head, "/v1/records/\(record)")
            )
            #expect(head.status == 200)
            #expect(head.bytes.isEmpty)
            #expect(head.tag == get.tag)
            #expect(try await client.with(nil).send(.head, "/v1/records/\(record)").status == 401)
            let looks = try await client.get("/v1/records/\(record)/access").items("events")
            #expect(looks.map { $0.text("type") } == ["access.read", "access.read"])
        }
    }
}
