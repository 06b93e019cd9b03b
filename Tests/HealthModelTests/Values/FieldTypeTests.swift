import FoundationEssentials
import TestSupport
import Testing

@testable import HealthModel

@Suite("Types of fields")
struct FieldTypeTests {
    private static let now = Instant(microseconds: 1_777_000_000_000_000)

    private func accepted(_ text: String, as type: FieldType) throws -> String? {
        let field = Field(1, "field", "Field", type)
        var values = FieldValues()
        values[field] = try FieldValue(parsing: text, as: field)
        try values.validate(as: [field], inferred: [], now: FieldTypeTests.now)
        return values[field]?.text
    }

    @Test(
        "A value that is well formed is accepted, and its text is the one that was given",
        arguments: [
            ("08:00", FieldType.wallTime), ("23:59", .wallTime), ("2026-05-04", .wallMoment),
            ("2026-05-04T12:00", .wallMoment), ("2010", .partialDate), ("2010-05", .partialDate),
            ("2010-05-04", .partialDate), ("2010", .dayOrPeriod), ("2010-05", .dayOrPeriod),
            ("2010-05-04", .dayOrPeriod), ("Europe/Berlin", .zone), ("America/Argentina/Buenos_Aires", .zone),
            ("2026-05-04T12:00:00Z", .instant), ("a, b", .list(of: .text(maximum: 5), maximum: 3)),
        ]
    )
    func accepts(text: String, type: FieldType) throws {
        #expect(try accepted(text, as: type) == text)
    }

    @Test(
        "A malformed value is refused",
        arguments: [
            ("8:00", FieldType.wallTime), ("24:00", .wallTime), ("08:60", .wallTime), ("0a:00", .wallTime),
            ("2026-05-04T24:00", .wallMoment), ("2026-05", .wallMoment), ("2026-02-30", .wallMoment),
            ("10", .partialDate), ("2010-13", .partialDate), ("2010-05-32", .partialDate), ("1830", .partialDate),
            ("2010-13", .dayOrPeriod), ("2010-02-30", .dayOrPeriod), ("1830", .dayOrPeriod),
            ("/etc/passwd", .zone), ("Mars Base", .zone), ("x", .id),
            ("a,b", .list(of: .text(maximum: Limits.paragraphs), maximum: 3)), ("a,b", .list(of: .id, maximum: 3)),
        ]
    )
    func refuses(text: String, type: FieldType) {
        #expect(throws: ModelError.self) { try accepted(text, as: type) }
    }

    @Test("A value of a list is set and cleared at a path with its index, and the next index appends")
    func listPaths() throws {
        var content = EntryContent(kind: Illness.kind)
        try content.set("codes.0.code", text: "J20.9")
        try content.set("codes.1.code", text: "10509002")
        try content.set("codes.1.system", text: "http://snomed.info/sct")
        #expect(content.body[SharedFields.codes]?.text == "J20.9, http://snomed.info/sct 10509002")
        #expect(content.body.inputs(of: Illness.kind.fields).map(\.name).contains("codes.2.code"))
        #expect(!content.body.inputs(of: Illness.kind.fields).map(\.name).contains("codes.3.code"))
        try content.set("codes.0.code", text: "")
        content.body.removeEmptyItems(of: Illness.kind.fields)
        #expect(content.body[SharedFields.codes]?.text == "http://snomed.info/sct 10509002")
        for wrong in ["codes.2.code", "codes.50.code", "codes.00.code", "codes.-1.code", "codes.x.code"] {
            #expect(throws: ModelError.self, "\(wrong)") { try content.set(wrong, text: "x") }
        }
        try content.set([("codes.0", ""), ("codes.1.code", "A1")])
        #expect(content.body[SharedFields.codes]?.text == "A1")
        try content.set([("codes.0.code", "")])
        #expect(content.body[SharedFields.codes] == nil)
        #expect(throws: ModelError.self) { try content.set("codes", text: "x") }
    }

    @Test("The changes of a list name the place and the field, and clearing all values removes the list")
    func listChanges() throws {
        var before = EntryContent(kind: Illness.kind)
        try before.set("name", text: "Bronchitis")
        try before.set("codes.0.code", text: "J20.8")
        var after = before
        try after.set("codes.0.code", text: "J20.9")
        try after.set("codes.1.code", text: "10509002")
        #expect(
            after.changes(from: before).map { "\($0.path) \($0.before ?? "-") \($0.after ?? "-")" } == [
                "codes.0.code J20.8 J20.9", "codes.1.code - 10509002",
            ]
        )
        try after.set("codes.0.code", text: "")
        try after.set("codes.1.code", text: "")
        after.body.removeEmptyItems(of: Illness.kind.fields)
        #expect(after.body[SharedFields.codes] == nil)
    }

    @Test("Random values of every type are decoded as they were encoded")
    func stored() throws {
        let types: [FieldType] = [
            .text(maximum: 9), .decimal(0...9), .integer(0...9), .flag, .day, .instant, .id, .bytes(maximum: 8),
            .wallTime, .wallMoment, .partialDate, .dayOrPeriod, .zone, .choice(["a"]), .entry(kinds: ["drug"]),
            .group([Field(1, "a", "A", .text(maximum: 9))]), .list(of: .id, maximum: 3),
            .list(of: .group([Field(1, "a", "A", .text(maximum: 9))]), maximum: 3),
        ]
        try checkProperty("field types", times: 200) { random, comment in
            var content = EntryContent(kind: Illness.kind)
            for (number, type) in types.enumerated() {
                content.body[number: UInt32(200 + number)] = try random.value(type)
            }
            let bytes = try EventCodec.encode(.entryAdded(content), reason: "")
            let kind = Illness.kind.code
            let decoded = try EventCodec.decode(type: 30, schemaVersion: 1, kind: kind, payload: bytes)
            #expect(decoded.event.content?.body == content.body, comment)
            let library = try EventCodec.decodeWithProtobuf(bytes, EntryAdded.type, kind: kind)
            #expect(library.event.content?.body == content.body, comment)
        }
    }
}
