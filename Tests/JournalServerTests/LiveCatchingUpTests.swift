import EventLog
import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Interchange
import LMDB
import TestSupport
import Testing

@testable import JournalCore
@testable import JournalServer
@testable import ProjectionKit

@Suite("Service with lagging views")
struct LiveCatchingUpTests {
    /// Appends events that no view has processed, and reads none of them.
    private func append(_ count: Int, to log: EventLog) async throws {
        let stream = UUID()
        for start in stride(from: 0, to: count, by: 4_000) {
            let events = (start..<min(count, start + 4_000)).map { _ in NewEvent.external(in: stream) }
            try await log.append(events)
        }
    }

    @Test(
        "Requests that need a lagging view get 503 with the progress, and others are answered",
        .timeLimit(.minutes(10))
    )
    func catchingUp() async throws {
        let fixture = try await ServiceFixture()
        let journal = fixture.journal
        let cookie = try await fixture.session(of: fixture.owner.account)
        try await fixture.serve { client in
            let record = try await client.person()
            #expect(try await client.get("/v1/records/\(record)").status == 200)
            journal.answerOnlyWhenViewsAreUpToDate()
            try await append(Int(ViewStore.pageLength) + 100, to: journal.log)
            let total = try journal.log.head()
            // The views cannot catch up while another process holds their write lock.
            let holder = try ChildProcess(["hold-write", journal.log.folder.views])
            #expect(holder.readLine() == "ready")
            defer { holder.kill9() }
            let refused = try await client.get("/v1/records/\(record)/entries/weight")
            #expect(refused.status == 503, "\(refused.status) \(refused.text)")
            #expect(refused.problem == "catching-up", "\(refused.status) \(refused.text)")
            let seconds = try #require(refused.headers[.retryAfter].flatMap { Int($0) })
            #expect((1...60).contains(seconds))
            #expect(refused.text("detail")?.contains("of \(total) events") == true)
            let page = try await Browser(client: client, cookie: cookie).get("/records/\(record)/entries/weight")
            #expect(page.status == 503)
            #expect(page.headers[.retryAfter] != nil)

            let stranger = client.with(nil)
            #expect(try await stranger.get("/health/live").status == 200)
            let notReady = try await stranger.get("/health/ready")
            #expect(notReady.status == 503)
            #expect(notReady.text("status") == "not ready")
            guard case .number(let lag)? = notReady.json["views"]?["MedicalRecords"]?["lag"] else {
                Issue.record("readiness without the lag of a view")
                return
            }
            #expect((Int(lag) ?? 0) > Int(ViewStore.pageLength))
            // Requests that need no view are answered.
            #expect(try await client.get("/v1/log/checkpoint").status == 200)
            #expect(try await client.get("/openapi.json").status == 200)

            holder.kill9()
            var answer = refused
            for _ in 0..<600 where answer.status != 200 {
                try await Task.sleep(for: .milliseconds(100))
                answer = try await client.get("/v1/records/\(record)/entries/weight")
                #expect(answer.status == 200 || answer.problem == "catching-up")
            }
            #expect(answer.status == 200)
            #expect(answer.json["entries"] != nil)
            #expect(try await stranger.get("/health/live").status == 200)
        }
    }

    @Test("A request whose view lags a little waits for it and is answered")
    func slightLag() async throws {
        let fixture = try await ServiceFixture()
        let journal = fixture.journal
        let cookie = try await fixture.session(of: fixture.owner.account)
        try await fixture.serve { client in
            let record = try await client.person()
            let added = try await client.post(
                "/v1/records/\(record)/entries/weight",
                #"{"value": "72.5", "unit": "kg", "date": "2024-05-03"}"#
            )
            let entry = try #require(added.text("entry"))
            journal.answerOnlyWhenViewsAreUpToDate()
            let page = "/records/\(record)"
            let addresses = [
                "/v1/records", "/v1/records/\(record)", "/v1/entries/\(entry)", "/v1/entries/\(entry.prefix(13))",
                "/v1/session", page, page + "/weight", page + "/costs", page + "/entries/weight",
                page + "/entries/weight/\(entry)", "/accounts",
            ]
            for address in addresses {
                try await append(Int(ViewStore.longestQuickCatchUp) + 100, to: journal.log)
                let browser = [("Cookie", "\(SessionCookie.name)=\(cookie)")]
                let answer =
                    address.hasPrefix("/v1")
                    ? try await client.get(address) : try await client.with(nil).get(address, browser)
                #expect(answer.status == 200, "\(address): \(answer.status)")
            }
        }
    }

    @Test("The error for a view of a newer program version states what to do")
    func newer() async throws {
        let fixture = try await ServiceFixture()
        let journal = fixture.journal
        try await fixture.serve { client in
            let record = try await client.person()
            #expect(try await client.get("/v1/records/\(record)").status == 200)
            let views = journal.views
            try views.environment.write { transaction in
                var key = Key()
                key.append("MedicalRecords".utf8)
                guard let bytes = try transaction.reading.get(key, in: views.catalog), var state = ViewState(bytes)
                else {
                    Issue.record("there is no such view")
                    return
                }
                state.version += 1
                try transaction.put(key, state.bytes.raw, in: views.catalog)
            }
            let refused = try await client.get("/v1/records")
            #expect(refused.status == 503)
            #expect(refused.problem == "outdated")
            #expect(refused.text("detail")?.contains("restart this program in the newer version") == true)
            #expect(try await client.with(nil).get("/health/live").status == 200)
            #expect(try await client.with(nil).get("/health/ready").status == 503)
        }
    }
}
