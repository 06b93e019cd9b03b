import FoundationEssentials
import HTTPTypes
import HealthJournal
import Hummingbird
import HummingbirdTesting
import Logging
import Testing

@testable import JournalCore
@testable import JournalServer

@Suite("Request limits of an account")
struct RateTests {
    @Test("An account has separate limits for reads and writes, independent of other accounts")
    func buckets() throws {
        var rates = RequestRates()
        rates.readsPerSecond = 2
        rates.writesPerSecond = 1
        let limiter = RequestLimiter(rates)
        let (anna, ben, start) = (UUID(), UUID(), ContinuousClock.now)
        for _ in 0..<20 { try limiter.admit(anna, isSafe: true, now: start) }
        let error = #expect(throws: JournalError.self) { try limiter.admit(anna, isSafe: true, now: start) }
        #expect(error?.code == .busy)
        #expect(error?.retryAfter == 1)
        for _ in 0..<10 { try limiter.admit(anna, isSafe: false, now: start) }
        #expect(throws: JournalError.self) { try limiter.admit(anna, isSafe: false, now: start) }
        try limiter.admit(ben, isSafe: true, now: start)
        let later = start + .seconds(1)
        for _ in 0..<2 { try limiter.admit(anna, isSafe: true, now: later) }
        #expect(throws: JournalError.self) { try limiter.admit(anna, isSafe: true, now: later) }
        let muchLater = start + .seconds(1_000)
        for _ in 0..<20 { try limiter.admit(anna, isSafe: true, now: muchLater) }
        #expect(throws: JournalError.self) { try limiter.admit(anna, isSafe: true, now: muchLater) }
    }

    @Test("Too many requests get 429 with Retry-After; health checks are not limited")
    func answer() async throws {
        let fixture = try await ServiceFixture()
        var settings = ServerSettings()
        settings.rates.readsPerSecond = 1
        let token = fixture.token
        let application = Application(
            responder: JournalServer.router(fixture.journal, settings).buildResponder(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        try await application.test(.router) { client in
            let service = ServiceClient(client: client, token: token)
            // The requests are concurrent, so that a slow machine does not take longer than the delay.
            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for _ in 0..<100 { group.addTask { try await service.get("/v1/session") } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.count { $0.status == 200 } >= 10)
            let refused = try #require(answers.first { $0.status == 429 })
            #expect(refused.headers[.retryAfter] == "1")
            for _ in 0..<30 { #expect(try await service.with(nil).get("/health/live").status == 200) }
        }
    }

    @Test("A long purpose is refused")
    func purpose() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let long = try await client.get("/v1/records", [("Purpose", String(repeating: "x", count: 201))])
            #expect(long.status == 400)
            #expect(long.text("field") == "Purpose")
            let short = try await client.get("/v1/records", [("Purpose", String(repeating: "x", count: 200))])
            #expect(short.status == 200)
        }
    }
}
