import Testing

@testable import HealthModel

@Suite("Validation of content")
struct ValidationTests {
    @Test("Invalid content is refused, and the error names the field", arguments: refused)
    func refusesInvalidContent(_ refused: Refused) throws {
        let content = try Example.content(try #require(Kind.named(refused.kind)), refused.values)
        let error = refusal { try content.validate(now: Example.now) }
        #expect(error?.code == .invalid)
        #expect(error?.field == refused.field)
    }

    @Test(
        "Content within the limits is accepted",
        arguments: [
            ("weight", [("value", "0"), ("unit", "g")]),
            ("weight", [("value", "1000000.0")]),
            ("cost", [("year", "1900"), ("amount", "-12.5"), ("basis", "total"), ("currency", "EUR")]),
            ("drug", [("name", text(500, of: "ä")), ("comment", "a\n\tb"), ("date", "1900-01-01")]),
            ("drug", []),
            ("emergencyContact", [("name", "علي"), ("phone", "\u{202d}+49 731 1\u{202c}")]),
            ("document", [("name", "Scan"), ("missing", "true")]),
            (
                "document",
                [("name", "Scan"), ("content.digest", text(64, of: "0")), ("content.size", "0")]
            ),
        ] as [(String, [(String, String)])]
    )
    func acceptsValidContent(kind: String, values: [(String, String)]) throws {
        try Example.content(try #require(Kind.named(kind)), values).validate(now: Example.now)
    }

    @Test("A required field may be absent if it is marked as inferred")
    func acceptsInferredField() throws {
        var content = try Example.content(Vaccination.kind, [("place", "Ulm")])
        content.inferred = ["name"]
        try content.validate(now: Example.now)
    }

    @Test("A value of another type, with too many decimal places or of an unknown choice is refused")
    func refusesValuesOfAnotherType() {
        var content = EntryContent(kind: Weight.kind)
        content.body[Weight.value] = .text("72.5")
        #expect(refusal { try content.validate(now: Example.now) }?.field == "value")
        content.body[Weight.value] = .decimal(ExactDecimal(coefficient: 1, scale: 31))
        #expect(refusal { try content.validate(now: Example.now) }?.field == "value")
        content.body[Weight.value] = .decimal(.zero)
        content.body[Weight.unit] = .text("stone")
        #expect(refusal { try content.validate(now: Example.now) }?.field == "unit")
    }

    @Test("The number and size of unknown fields and the number of inferred fields are limited")
    func limitsUnknownFields() {
        var content = EntryContent(kind: Drug.kind)
        content.extra = Array(repeating: Extra(name: "a", json: "1"), count: Limits.extras + 1)
        #expect(refusal { try content.validate(now: Example.now) }?.field == "extra")
        content.extra = [Extra(name: "mood", json: String(repeating: "1", count: Limits.extraJSON + 1))]
        #expect(refusal { try content.validate(now: Example.now) }?.field == "extra.mood")
        content.extra = []
        content.inferred = Array(repeating: "a", count: Limits.inferred + 1)
        #expect(refusal { try content.validate(now: Example.now) }?.field == "inferred")
    }

    @Test(
        "An invalid profile is refused, and the error names the field",
        arguments: [
            (Subject.human, "birthdate", "1899-12-31"), (.human, "birthdate", "2077-01-01"),
            (.human, "familyName", "a\u{0}"), (.animal, "vet.email", text(255, of: "x")),
            (.animal, "owner.phone", text(101, of: "1")),
        ]
    )
    func refusesInvalidProfile(subject: Subject, field: String, text: String) throws {
        let profile = try Example.profile(subject, [(field, text)])
        #expect(refusal { try profile.validate(now: Example.now) }?.field == field)
    }

    @Test("A person's profile with a breed is refused")
    func refusesAHumanWithABreed() {
        var profile = RecordProfile(subject: .human)
        profile.values[RecordProfile.breed] = .text("Poodle")
        #expect(refusal { try profile.validate(now: Example.now) }?.field == "breed")
    }

    @Test("The stream name, content type and size of an event from another tool are limited")
    func limitsExternalEvents() throws {
        let data = [UInt8](repeating: 0, count: Limits.externalData)
        let received = try JournalEvent.receiving(streamName: "scale", contentType: "text/plain", data: data)
        #expect(received == .externalReceived(streamName: "scale", contentType: "text/plain", data: data))
        for (name, type, data, field) in [
            ("", "", [], "stream"), (text(201, of: "x"), "", [], "stream"), ("a\n\u{0}", "", [], "stream"),
            ("a", text(256, of: "x"), [], "contentType"), ("a", "", data + [0], "data"),
        ] as [(String, String, [UInt8], String)] {
            let error = refusal { try JournalEvent.receiving(streamName: name, contentType: type, data: data) }
            #expect(error?.field == field)
        }
    }

    @Test("A long reason, a control character in a reason or name, and an empty time zone are refused")
    func limitsReasonsAndNames() throws {
        try JournalEvent.check(reason: text(Limits.reason, of: "x"))
        #expect(refusal { try JournalEvent.check(reason: text(Limits.reason + 1, of: "x")) }?.field == "reason")
        #expect(refusal { try JournalEvent.check(reason: "\u{0}", field: "purpose") }?.field == "purpose")
        #expect(try JournalEvent.creating(name: "", zone: "UTC") == .journalCreated(name: "", zone: "UTC"))
        #expect(refusal { try JournalEvent.creating(name: "\u{0}", zone: "UTC") }?.field == "name")
        #expect(refusal { try JournalEvent.creating(name: "Home", zone: "") }?.field == "zone")
    }

    @Test("An error about a value does not contain the value")
    func errorsWithoutValues() throws {
        let secret = "s3cr3t"
        var content = EntryContent(kind: Weight.kind)
        for name in ["value", "unit", "date", "voiceEntryUsed"] {
            #expect(refusal { try content.set(name, text: secret) }?.description.contains(secret) == false)
        }
        for parse in [{ _ = try ExactDecimal(parsing: $0) }, { _ = try AsOf(parsing: $0) }] as [(String) throws -> Void]
        {
            #expect(refusal { try parse(secret) }?.description.contains(secret) == false)
        }
    }
}

/// Content that validation refuses, and the field that the error names.
struct Refused: Sendable {
    var kind: String
    var values: [(String, String)]
    var field: String

    init(_ kind: String, _ values: [(String, String)], _ field: String) {
        self.kind = kind
        self.values = values
        self.field = field
    }
}

private func text(_ count: Int, of character: String) -> String {
    String(repeating: character, count: count)
}

private let refused: [Refused] = [
    Refused("weight", [("unit", "kg")], "value"),
    Refused("weight", [("value", "-1")], "value"),
    Refused("weight", [("value", "1000000.1")], "value"),
    Refused("vaccination", [("place", "Ulm")], "name"),
    Refused("doctor", [("specialty", "Dentist")], "name"),
    Refused("document", [("mediaType", "image/png")], "name"),
    Refused("emergencyContact", [("phone", "1")], "name"),
    Refused("cost", [("amount", "1"), ("basis", "item")], "year"),
    Refused("cost", [("year", "2024"), ("basis", "item")], "amount"),
    Refused("cost", [("year", "2024"), ("amount", "1")], "basis"),
    Refused("cost", [("year", "1899"), ("amount", "1"), ("basis", "item")], "year"),
    Refused("cost", [("year", "2201"), ("amount", "1"), ("basis", "item")], "year"),
    Refused("cost", [("year", "2024"), ("amount", "1"), ("basis", "item"), ("currency", "eur")], "currency"),
    Refused("cost", [("year", "2024"), ("amount", "1"), ("basis", "item"), ("currency", "E1R")], "currency"),
    Refused("cost", [("year", "2024"), ("amount", "1"), ("basis", "item"), ("currency", "EU")], "currency"),
    Refused("cost", [("year", "2024"), ("amount", "1000000000000.1"), ("basis", "item")], "amount"),
    Refused("drug", [("name", text(501, of: "ä"))], "name"),
    Refused("drug", [("information", text(100_001, of: "x"))], "information"),
    Refused("drug", [("comment", text(100_001, of: "x"))], "comment"),
    Refused("drug", [("rawText", "a\u{0}b")], "rawText"),
    Refused("drug", [("comment", "\u{1b}[31m")], "comment"),
    Refused("drug", [("name", "a\u{85}b")], "name"),
    Refused("drug", [("name", "a\u{fffe}b")], "name"),
    Refused("drug", [("name", "a\rb")], "name"),
    Refused("drug", [("date", "1899-12-31")], "date"),
    Refused("drug", [("date", "2077-01-01")], "date"),
    Refused("doctor", [("name", "Ada"), ("address.city", "\u{7f}")], "address.city"),
    Refused("doctor", [("name", "Ada"), ("email", text(255, of: "x"))], "email"),
    Refused("doctor", [("name", "Ada"), ("phone", text(101, of: "1"))], "phone"),
    Refused("document", [("name", "Scan"), ("content.size", "3")], "content.digest"),
    Refused("document", [("name", "Scan"), ("content.digest", "abc"), ("content.size", "3")], "content.digest"),
    Refused(
        "document",
        [("name", "Scan"), ("content.digest", text(64, of: "A")), ("content.size", "3")],
        "content.digest"
    ),
    Refused(
        "document",
        [("name", "Scan"), ("content.digest", text(64, of: "a")), ("content.size", "-1")],
        "content.size"
    ),
    Refused(
        "document",
        [
            ("name", "Scan"), ("content.digest", text(64, of: "a")), ("content.size", "1"),
            ("missing", "true"),
        ],
        "missing"
    ),

]
