import Foundation
import HealthModel
import TestSupport
import Testing

@testable import Interchange

@Suite("JSON Schemas")
struct JSONSchemaTests {
    private static let now = Instant(microseconds: 1_772_452_800_000_000)

    /// A running check_schemas.py, which validates one document per line.
    ///
    /// The initializer returns nil if the Python package jsonschema is not installed.
    private final class Python {
        private let process: ChildProcess

        init?() throws {
            let program = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "check_schemas.py").path
            process = try ChildProcess(program: "/usr/bin/env", ["python3", "-B", program])
            guard process.readLine() == "ready" else { return nil }
        }

        func isValid(_ document: JSONValue, _ name: String, _ schema: JSONValue) throws -> Bool {
            try process.say(
                String(decoding: JSONWriter.bytes(.array([.string(name), schema, document])), as: UTF8.self)
            )
            return try #require(process.readLine()) == "true"
        }
    }

    private func isRead(_ data: JSONValue, _ kind: Kind) -> Bool {
        (try? NativeDocument.content(ofEvent: data, kind: kind, at: DocumentPath("data"), now: Self.now)) != nil
    }

    /// Event data, and whether the reader and the schema accept it.
    private static let cases: [(kind: String, data: String, isTaken: Bool)] = [
        ("weight", #"{"value": "72.5", "unit": "kg", "date": "2026-03-01"}"#, true),
        ("weight", #"{"value": 72.5}"#, true), ("weight", #"{"value": "72.50", "unit": ""}"#, true),
        ("weight", #"{"value": "7.25e1", "unit": null, "comment": null}"#, true),
        ("weight", #"{"value": "-0.0"}"#, true),
        ("weight", #"{"value": "72.5", "date": "2026-03-01T07:00:00.5+01:00"}"#, true),
        ("weight", #"{"value": "72.5", "date": ""}"#, true), ("weight", #"{"inferred": ["value"]}"#, true),
        ("weight", #"{"value": null, "inferred": ["unit", "value"]}"#, true),
        ("weight", #"{"value": "72.5", "extra": {"device": {"a": [1]}}, "voiceEntryUsed": true}"#, true),
        ("weight", #"{}"#, false), ("weight", #"{"value": null}"#, false), ("weight", #"{"value": ""}"#, false),
        ("weight", #"{"inferred": ["unit"]}"#, false), ("weight", #"{"value": "much"}"#, false),
        ("weight", #"{"value": "-1"}"#, false), ("weight", #"{"value": "-0.10"}"#, false),
        ("weight", #"{"value": -1}"#, false), ("weight", #"{"value": 1000001}"#, false),
        ("weight", #"{"value": "1."}"#, false), ("weight", #"{"value": ".5"}"#, false),
        ("weight", #"{"value": "1,5"}"#, false), ("weight", #"{"value": true}"#, false),
        ("weight", #"{"value": "1", "unit": "stone"}"#, false), ("weight", #"{"value": "1", "unit": 1}"#, false),
        ("weight", #"{"value": "1", "wieght": 1}"#, false), ("weight", #"{"value": "1", "id": null}"#, false),
        ("weight", #"{"value": "1", "position": 3}"#, false), ("weight", #"{"value": "1", "date": "2026-3-1"}"#, false),
        ("weight", #"{"value": "1", "date": "2026-13-01"}"#, false),
        ("weight", #"{"value": "1", "date": 20260301}"#, false),
        ("weight", #"{"value": "1", "date": "2026-03-01T07:00:00"}"#, false),
        ("weight", #"{"value": "1", "date": "2026-03-01T24:00:00Z"}"#, false),
        ("weight", #"{"value": "1", "comment": "a\u0000b"}"#, false),
        ("weight", #"{"value": "1", "comment": 5}"#, false),
        ("weight", #"{"value": "1", "comment": "a\rb"}"#, false),
        ("weight", #"{"value": "1", "voiceEntryUsed": 1}"#, false),
        ("weight", #"{"value": "1", "inferred": [1]}"#, false), ("weight", #"{"value": "1", "extra": []}"#, false),
        ("weight", "[]", false), ("weight", "null", false), ("weight", #""72.5""#, false),
        ("blood", #"{"comment": "a\r\nb\tc"}"#, true), ("blood", #"{}"#, true),
        ("blood", #"{"name": "HbA1c", "value": "120/80"}"#, true), ("blood", #"{"value": 5}"#, false),
        ("doctor", #"{"name": "Dr. \u00c4", "address": {"city": "Bern"}, "isImportedFromContacts": false}"#, true),
        ("doctor", #"{"name": "D", "address": null}"#, true), ("doctor", #"{"name": ""}"#, false),
        ("doctor", #"{"name": "D", "address": {"town": "Bern"}}"#, false),
        ("doctor", #"{"name": "D", "address": "Bern"}"#, false),
        ("doctor", #"{"name": "D", "isImportedFromContacts": "yes"}"#, false),
        ("cost", #"{"year": 2024, "amount": "-12.50", "basis": "item", "currency": "CHF"}"#, true),
        ("cost", #"{"year": 2024.0, "amount": 12, "basis": "total", "currency": ""}"#, true),
        ("cost", #"{"year": 2024, "amount": "1"}"#, false),
        ("cost", #"{"year": "2024", "amount": "1", "basis": "item"}"#, false),
        ("cost", #"{"year": 2024.5, "amount": "1", "basis": "item"}"#, false),
        ("cost", #"{"year": 1899, "amount": "1", "basis": "item"}"#, false),
        ("cost", #"{"year": 2024, "amount": "1", "basis": ""}"#, false),
        ("cost", #"{"year": 2024, "amount": "1", "basis": "item", "currency": "chf"}"#, false),
        ("cost", #"{"amount": "1", "basis": "item", "inferred": ["year"]}"#, true),
        ("document", #"{"name": "letter", "missing": true}"#, true),
        ("document", #"{"name": "letter", "missing": true, "content": {}}"#, true),
        ("document", #"{"name": "letter", "content": {"digest": "\#(digest)", "size": 5}}"#, true),
        ("document", #"{"name": "letter", "missing": false, "content": {"digest": "\#(digest)", "size": 5}}"#, true),
        ("document", #"{"name": "letter", "content": {"digest": "", "size": null}}"#, true),
        ("document", #"{"name": "letter", "content": {"size": 5}, "inferred": ["content.digest"]}"#, true),
        ("document", #"{"name": "letter", "content": {"size": 5}}"#, false),
        ("document", #"{"name": "letter", "content": {"digest": "abc", "size": 5}}"#, false),
        ("document", #"{"name": "letter", "content": {"digest": "\#(digest)", "size": -5}}"#, false),
        ("document", #"{"name": "letter", "missing": true, "content": {"digest": "\#(digest)", "size": 5}}"#, false),
        ("illness", #"{"name": "\#(String(repeating: "x", count: 1_000))"}"#, true),
        ("illness", #"{"name": "\#(String(repeating: "x", count: 1_001))"}"#, false),
        ("illness", #"{"name": "x", "ended": "2010", "codes": [{"code": "J20.9", "system": "s"}]}"#, true),
        ("illness", #"{"name": "x", "ended": "2010-05", "codes": []}"#, true),
        ("illness", #"{"name": "x", "ended": "", "codes": null}"#, true),
        ("illness", #"{"name": "x", "ended": "2010-13"}"#, false), ("illness", #"{"name": "x", "ended": "10"}"#, false),
        ("illness", #"{"name": "x", "ended": 2010}"#, false), ("illness", #"{"name": "x", "codes": {}}"#, false),
        ("illness", #"{"name": "x", "codes": [null]}"#, false), ("illness", #"{"name": "x", "codes": [{}]}"#, false),
        ("illness", #"{"name": "x", "codes": [{"system": "s"}]}"#, false),
        ("illness", #"{"name": "x", "codes": [{"code": ""}]}"#, false),
        ("illness", #"{"name": "x", "codes": [{"system": "s"}], "inferred": ["codes.0.code"]}"#, false),
        ("illness", #"{"name": "x", "codes": [{"code": "a", "other": "b"}]}"#, false),
    ]

    private static let digest = String(repeating: "a", count: 64)

    /// Event data that a schema cannot exclude, but that the reader refuses.
    private static let closer: [(kind: String, data: String)] = [
        ("weight", #"{"value": "1000001"}"#), ("weight", #"{"value": "1.0000000000000000001"}"#),
        ("weight", #"{"value": "1", "date": "2026-02-30"}"#), ("weight", #"{"value": "1", "date": "1066-10-14"}"#),
        ("illness", #"{"name": "\#(String(repeating: "ä", count: 600))"}"#),
        ("illness", #"{"name": "x", "ended": "2010-02-30"}"#), ("illness", #"{"name": "x", "ended": "1066"}"#),
    ]

    @Test("The schemas accept and refuse the same data as the reader")
    func agreement() throws {
        let python = try Python()
        for (name, text, isTaken) in Self.cases {
            let kind = try #require(Kind.named(name))
            let (data, schema) = (try JSONReader.read(Array(text.utf8)), JSONSchema.data(of: kind))
            #expect(isRead(data, kind) == isTaken, "read: \(text)")
            #expect(try SchemaCheck.isValid(data, schema) == isTaken, "schema: \(text)")
            if let python { #expect(try python.isValid(data, name, schema) == isTaken, "jsonschema: \(text)") }
        }
        for (name, text) in Self.closer {
            let kind = try #require(Kind.named(name))
            let (data, schema) = (try JSONReader.read(Array(text.utf8)), JSONSchema.data(of: kind))
            #expect(!isRead(data, kind), "\(text)")
            #expect(try SchemaCheck.isValid(data, schema), "\(text)")
        }
    }

    @Test(
        "An entry that is sent says what it is about, and the schema says so",
        arguments: [
            ("allergy", #"{"name": "Penicillin"}"#, true), ("allergy", #"{"information": "rash"}"#, true),
            ("allergy", #"{"comment": "of something at lunch"}"#, true), ("allergy", #"{"ended": "2020"}"#, true),
            ("allergy", #"{"extra": {"device": 5}}"#, true), ("allergy", #"{"codes": [{"code": "7980"}]}"#, true),
            ("drug", #"{"rawText": "the small white ones"}"#, true), ("drug", #"{"codes": [{"code": "C"}]}"#, true),
            ("blood", #"{"inferred": ["name"], "value": "5"}"#, true),
            ("doctor", #"{"name": "Ada", "address": {}}"#, true),
            ("allergy", "{}", false), ("allergy", #"{"name": " "}"#, false), ("allergy", #"{"name": "\r\n\t"}"#, false),
            ("allergy", #"{"comment": " ", "extra": {}, "codes": []}"#, false),
            ("allergy", #"{"date": "2026-03-01", "voiceEntryUsed": true, "inferred": ["name"]}"#, false),
            ("drug", #"{"dosage": "20 mg", "unit": "tablet"}"#, false), ("weight", #"{"inferred": ["value"]}"#, false),
            ("emergencyContact", #"{"name": "\u2003\u00a0"}"#, false),
        ]
    )
    func subject(name: String, text: String, isSaid: Bool) throws {
        let kind = try #require(Kind.named(name))
        let data = try JSONReader.read(Array(text.utf8))
        let content = try NativeDocument.content(data, of: kind, now: Self.now)
        #expect((content.missingField == nil) == isSaid)
        let schema = JSONSchema.subject(of: kind)
        #expect(try SchemaCheck.isValid(data, schema) == isSaid)
        if let python = try Python() { #expect(try python.isValid(data, "sent", schema) == isSaid) }
    }

    @Test("The schemas accept every entry that the journal writes, and its data as an event")
    func written() throws {
        var generator = SeededGenerator()
        let seed = generator.seed
        let python = try Python()
        for _ in 0..<60 {
            for entry in RandomRecord.state(&generator).entries {
                let (kind, shown) = (entry.kind, NativeDocument.entry(entry))
                guard case .object(let members) = shown else { continue }
                let schema = JSONSchema.entry(of: kind)
                #expect(try SchemaCheck.isValid(shown, schema), "seed \(seed)")
                let own = NativeDocument.contentNames.union(kind.fields.map(\.name))
                let data = JSONValue.object(members.filter { own.contains($0.name) })
                #expect(isRead(data, kind), "seed \(seed)")
                #expect(try SchemaCheck.isValid(data, JSONSchema.data(of: kind)), "seed \(seed)")
                if let python {
                    #expect(try python.isValid(shown, "entry \(kind.name)", schema), "seed \(seed)")
                }
            }
        }
    }

    @Test(
        "The schemas describe whole events",
        arguments: [
            ("", true), (#""time": "2026-03-01T07:00:00Z", "#, true),
            (#""traceparent": "00-1", "sampled": true, "#, true),
            (#""time": null, "dataschema": "https://example.org/x", "#, true), (#""time": "yesterday", "#, false),
            (#""Trace": "x", "#, false), (#""tries": 1.5, "#, false), (#""tries": 3, "#, true),
            (#""tags": [], "#, false), (#""tries": 8.0, "#, true), (#""tries": 2147483648, "#, false),
            (#""data_base64": "e30=", "#, false),
        ]
    )
    func events(attributes: String, isTaken: Bool) throws {
        let text =
            #"{\#(attributes)"specversion": "1.0", "type": "org.healthjournal.weight.logged", "source": "/scale", "#
            + #""id": "1", "subject": "01890a5d-ac96-774b-bcce-b302099a8057", "data": {"value": "72.5"}}"#
        let (event, schema) = (try JSONReader.read(Array(text.utf8)), JSONSchema.cloudEvent(of: Weight.kind))
        #expect(try SchemaCheck.isValid(event, schema) == isTaken)
        if let python = try Python() { #expect(try python.isValid(event, "event", schema) == isTaken) }
        let read = try? CloudEvent.read(Array(text.utf8))
        #expect((read != nil) == isTaken)
        if let read { #expect(throws: Never.self) { try read.entry(of: Weight.kind, now: Self.now) } }
        guard isTaken, case .object(let members) = event else { return }
        for name in ["specversion", "type", "source", "id", "subject", "data"] {
            let without = JSONValue.object(members.filter { $0.name != name })
            #expect(try !SchemaCheck.isValid(without, schema), "\(name)")
        }
        for other in [JSONSchema.cloudEvent(of: Blood.kind), JSONSchema.otherCloudEvent] {
            #expect(try !SchemaCheck.isValid(event, other))
        }
    }

    /// Data of events that concern practices, and whether the reader and the schema accept it.
    private static let clinicCases: [(event: ClinicEvent, data: String, isTaken: Bool)] = {
        let practice = "01890a5d-ac96-774b-bcce-b302099a8058"
        let service = "01890a5d-ac96-774b-bcce-b302099a8059"
        return [
            (.vitalsLogged, #"{"temperature": "38.6", "heartRate": 96}"#, true),
            (.vitalsLogged, #"{"bloodPressure": {"systolic": 120}, "pain": 0}"#, true),
            (.vitalsLogged, #"{"heartRate": 0}"#, false), (.vitalsLogged, #"{"pulse": 70}"#, false),
            (.vitalsLogged, #"{"mucousMembrane": "green"}"#, false), (.vitalsLogged, #"{"temperature": 51}"#, false),
            (.appointmentRequested, #"{"practice": "\#(practice)", "wish": {"service": "\#(service)"}}"#, true),
            (.appointmentRequested, #"{"practice": "\#(practice)", "wish": {}}"#, false),
            (.appointmentRequested, #"{"wish": {"service": "\#(service)"}}"#, false),
            (.appointmentRequested, #"{"practice": "\#(practice)", "wish": {"service": 5}}"#, false),
        ]
    }()

    @Test("The reader and the schemas agree on events that concern practices", arguments: clinicCases)
    func clinicEvents(event: ClinicEvent, data: String, isTaken: Bool) throws {
        let text = #"""
            {"specversion": "1.0", "source": "/tool", "id": "1", "type": "\#(event.rawValue)", \#
            "subject": "01890a5d-ac96-774b-bcce-b302099a8057", "data": \#(data)}
            """#
        let whole = try CloudEvent.read(Array(text.utf8))
        let isRead =
            switch event {
            case .vitalsLogged: (try? whole.vitals(at: Self.now, now: Self.now)) != nil
            case .appointmentRequested: (try? whole.requestedAppointment()) != nil
            }
        #expect(isRead == isTaken)
        let value = try JSONReader.read(Array(text.utf8))
        #expect(try SchemaCheck.isValid(value, JSONSchema.cloudEvent(of: event)) == isTaken)
        #expect(try SchemaCheck.isValid(#require(value["data"]), JSONSchema.data(of: event)) == isTaken)
        #expect(try !SchemaCheck.isValid(value, JSONSchema.otherCloudEvent))
    }

    @Test("Every kind has three schemas of draft 2020-12 with unique ids")
    func names() {
        var ids: Set<JSONValue> = []
        for kind in Kind.all {
            for schema in [JSONSchema.entry(of: kind), JSONSchema.data(of: kind), JSONSchema.cloudEvent(of: kind)] {
                #expect(schema["$schema"] == .string("https://json-schema.org/draft/2020-12/schema"))
                if let id = schema["$id"] { ids.insert(id) }
            }
            #expect(Kind.ofEvent(type: kind.eventType) == kind)
            #expect(kind.eventType == "org.healthjournal.\(kind.name).logged")
        }
        #expect(ids.count == 3 * Kind.all.count)
    }
}
