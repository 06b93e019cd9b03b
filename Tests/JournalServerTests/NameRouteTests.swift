import Foundation
import HealthJournal
import HealthModel
import Testing

@testable import JournalCore
@testable import JournalServer

/// Routes on names and dictated sentences, and their counters.
@Suite("Names over HTTP")
struct NameRouteTests {
    @Test("Suggestions, drafts and lists are answered, and mistakes name their field")
    func answers() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let record = try await client.person()
            _ = try await client.post("/v1/records/\(record)/entries/drug", #"{"name": "Zorbifin", "unit": "tablet"}"#)
            let own = try await client.post("/v1/suggestions", #"{"text": "zorb", "record": "\#(record)"}"#)
            #expect(own.status == 200)
            #expect(own.text.contains(#""source":"own""#))
            let loaded = try await client.post("/v1/names", #"{"name": "swiss", "text": "Zorbinova;omeprazole;X1"}"#)
            #expect(loaded.status == 200)
            #expect(loaded.text.contains(#""count":1"#))
            let both = try await client.post("/v1/suggestions", #"{"text": "zorb", "record": "\#(record)"}"#)
            #expect(both.text.contains("Zorbinova"))
            #expect(both.text.contains("omeprazole"))
            let draft = try await client.post("/v1/records/\(record)/drafts", #"{"text": "took two zorbifin"}"#)
            #expect(draft.status == 200)
            #expect(draft.text("kind") == "dose")
            for (path, body, field) in [
                ("/v1/records/\(record)/drafts", #"{"text": "  "}"#, "text"),
                ("/v1/suggestions", #"{"text": "a", "kind": "elephant"}"#, "kind"),
                ("/v1/suggestions", #"{"text": "a", "kind": "weight"}"#, "kind"),
                ("/v1/suggestions", #"{"text": "a", "record": "7"}"#, "record"),
                ("/v1/names", #"{"name": "x", "text": "a;b;c;d"}"#, "line 1"),
                ("/v1/usage", #"{"saved": 1001}"#, "saved"),
            ] {
                let refused = try await client.post(path, body)
                #expect(refused.status == 400, "\(path): \(refused.text)")
                #expect(refused.text("field") == field, "\(path): \(refused.text)")
            }
            #expect(try await client.post("/v1/suggestions", #"{"text": "a", "reocrd": "7"}"#).status == 400)
            let stranger = try await client.post("/v1/suggestions", #"{"text": "a", "record": "\#(UUID().text)"}"#)
            #expect(stranger.status == 404)
        }
    }

    @Test("Counters have kinds and outcomes, and no texts")
    func counters() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let record = try await client.person()
            for voice in ["true", "false", "false"] {
                let body = #"{"value": "72", "voiceEntryUsed": \#(voice)}"#
                _ = try await client.post("/v1/records/\(record)/entries/weight", body)
            }
            for text in ["weight 75.4 kilos", "weight 75.4 purple", "the weather is fine"] {
                _ = try await client.post("/v1/records/\(record)/drafts", #"{"text": "\#(text)"}"#)
            }
            #expect(try await client.post("/v1/usage", #"{"saved": 3, "discarded": 2}"#).status == 204)
            let text = try await client.with(nil).get("/metrics").text
            for line in [
                #"entries_added_total{kind="weight",voice="true"} 1"#,
                #"entries_added_total{kind="weight",voice="false"} 2"#, #"drafts_total{outcome="understood"} 1"#,
                #"drafts_total{outcome="partly"} 1"#, #"drafts_total{outcome="nothing"} 1"#,
                #"drafts_total{outcome="saved"} 3"#, #"drafts_total{outcome="discarded"} 2"#,
            ] {
                #expect(text.contains("healthjournal_\(line)\n"), "\(line)")
            }
            #expect(!text.contains("purple"))
            #expect(!text.contains(record))
        }
    }
}
