import EventLog
import Foundation
import HealthJournal
import Interchange
import Testing

@testable import JournalCore
@testable import JournalServer

@Suite("Operations over HTTP")
struct OperationsTests {
    @Test("Health and readiness are public")
    func health() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let stranger = client.with(nil)
            #expect(try await stranger.get("/health/live").status == 200)
            let ready = try await stranger.get("/health/ready")
            #expect(ready.status == 200)
            #expect(ready.text("status") == "ready")
            #expect(ready.json["views"]?["MedicalRecords"]?["lag"] != nil)
        }
    }

    @Test("Metrics contain routes, never record ids or names, and count requests")
    func metrics() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let record = try await client.person()
            for value in 1...3 {
                _ = try await client.post("/v1/records/\(record)/entries/weight", #"{"value": "\#(value)"}"#)
            }
            _ = try await client.with(nil).get("/v1/records/\(record)")
            let text = try await client.with(nil).get("/metrics").text
            let route = #"route="/v1/records/{record}/entries/{kind}",status="201""#
            #expect(text.contains(#"healthjournal_http_request_seconds_count{method="POST",\#(route)} 3"#))
            #expect(text.contains(#"route="/v1/records/{record}",status="401"} 1"#))
            #expect(!text.contains(record))
            #expect(!text.contains("Winterthaler"))
            for line in text.split(separator: "\n") where !line.hasPrefix("#") {
                #expect(line.wholeMatch(of: /[a-z_]+(\{[^}]*(\{[a-z]+\}[^}]*)*\})? [0-9.e+-]+/) != nil, "\(line)")
            }
        }
    }

    @Test("The metrics are not shown through a proxy, but with their token")
    func metricsAccess() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let stranger = client.with(nil)
            let direct = try await stranger.get("/metrics").status
            #expect(direct == 200)
            let forwarded = [
                ("X-Forwarded-For", "203.0.113.9"), ("Forwarded", "for=203.0.113.9"), ("X-Real-IP", "203.0.113.9"),
                ("Via", "1.1 proxy"), ("X-Forwarded-Host", "journal.example.org"),
            ]
            for header in forwarded {
                let status = try await stranger.get("/metrics", [header]).status
                #expect(status == 403, "\(header.0)")
            }
        }
        for change in [
            { $0.publicURL = "https://journal.example.org" }, { $0.allowsPlainHTTP = true }, { $0.host = "0.0.0.0" },
            { $0.trustedProxies = [IPNetwork("127.0.0.1")].compactMap(\.self) },
        ] as [(inout ServerSettings) -> Void] {
            var settings = ServerSettings()
            change(&settings)
            try await fixture.serve(settings: settings) { client in
                // An account's token is not that of the metrics.
                let found = [
                    try await client.with(nil).get("/metrics").status, try await client.get("/metrics").status,
                ]
                #expect(found == [403, 403])
            }
            settings.metrics.token = "a token of the metrics"
            try await fixture.serve(settings: settings) { client in
                let stranger = client.with(nil)
                let shown = [("Authorization", "Bearer a token of the metrics")]
                let found = [
                    try await stranger.get("/metrics").status, try await client.get("/metrics").status,
                    try await stranger.get("/metrics", shown).status,
                ]
                #expect(found == [401, 401, 401])
            }
            settings.metrics.token = "a-token-of-the-metrics"
            try await fixture.serve(settings: settings) { client in
                let shown = [("Authorization", "Bearer a-token-of-the-metrics")]
                let found = [
                    try await client.with(nil).get("/metrics", shown).status,
                    try await client.with(nil).get("/health/ready").status,
                ]
                #expect(found == [200, 200])
            }
        }
        var own = ServerSettings()
        own.metrics.host = "127.0.0.1"
        try await fixture.serve(settings: own) { client in
            let status = try await client.with(nil).get("/metrics").status
            #expect(status == 404)
        }
        own.metrics.host = "0.0.0.0"
        #expect(own.objection?.contains("--metrics-token-file") == true)
        own.metrics.token = "short"
        #expect(own.objection?.contains("16 characters") == true)
    }

    @Test("The trace of a request becomes the correlation of its events")
    func traces() async throws {
        let fixture = try await ServiceFixture()
        let log = fixture.journal.log
        try await fixture.serve { client in
            let record = try await client.person()
            let trace = [("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")]
            _ = try await client.post("/v1/records/\(record)/entries/weight", #"{"value": "72"}"#, trace)
            let event = try log.event(at: log.head())
            #expect(event.header.correlation == UUID(uuidString: "4bf92f35-77b3-4da6-a3ce-929d0e0e4736"))
        }
        #expect(TraceContext.correlation(of: "00-00000000000000000000000000000000-00f067aa0ba902b7-01") == nil)
        #expect(TraceContext.correlation(of: "nonsense") == nil)
    }

    @Test("What a witness says against the log is a warning and a metric, until it agrees again")
    func witness() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            func seen() async throws -> (warnings: Int?, isAlarm: Bool) {
                let ready = try await client.with(nil).get("/health/ready").json
                let text = try await client.with(nil).get("/metrics").text
                guard case .array(let warnings)? = ready["warnings"] else { return (nil, false) }
                return (warnings.count, text.contains("healthjournal_witness_alarm 1\n"))
            }
            let before = try await seen()
            #expect(!before.isAlarm)
            try fixture.journal.publishing.remember(witnessAlarms: ["witness w: ALARM: it has seen 12 events"])
            let during = try await seen()
            #expect(during.isAlarm && during.warnings == before.warnings.map { $0 + 1 })
            try fixture.journal.publishing.remember(witnessAlarms: [])
            #expect(try await seen() == before)
        }
    }

    @Test("The sample dashboard and the alert rules use only metrics that the service has")
    func monitoring() async throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../tools/monitoring")
            .standardized
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            _ = try await client.get("/v1/records")
            let text = try await client.with(nil).get("/metrics").text
            var known: Set<String> = []
            for line in text.matches(of: /# TYPE (\S+) (\S+)/) {
                let name = String(line.1)
                known.formUnion(line.2 == "histogram" ? ["_bucket", "_sum", "_count"].map { name + $0 } : [name])
            }
            for file in ["dashboard.json", "alerts.yml"] {
                let rules = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
                let named = rules.matches(of: /healthjournal_[a-z_]+/).map { String($0.output) }
                #expect(named.count >= 8)
                for name in named { #expect(known.contains(name), "\(file): \(name)") }
            }
        }
    }
}
