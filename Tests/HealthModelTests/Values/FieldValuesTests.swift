import Testing

@testable import HealthModel

@Suite("Values of fields")
struct FieldValuesTests {
    @Test("Empty texts and empty groups are not stored")
    func dropsEmptyValues() throws {
        var values = FieldValues()
        values[Doctor.name] = .text("")
        #expect(values.isEmpty)
        try values.set("address.city", text: "Ulm", in: Doctor.kind.fields)
        #expect(values.group(Doctor.address)?.text(Doctor.city) == "Ulm")
        try values.set("address.city", text: "", in: Doctor.kind.fields)
        #expect(values.isEmpty)
    }

    @Test("Values are ordered by field number, no matter in which order they are set")
    func ordersByNumber() throws {
        var forwards = FieldValues()
        var backwards = FieldValues()
        let fields = Illness.kind.fields
        for field in fields { forwards[field] = .text(field.name) }
        for field in fields.reversed() { backwards[field] = .text(field.name) }
        #expect(forwards == backwards)
        #expect(forwards.items.map(\.number) == [1, 2, 3, 100, 101])
    }

    @Test("A value of every type is parsed from text")
    func parsesEveryType() throws {
        var content = EntryContent(kind: Doctor.kind)
        try content.set("isImportedFromContacts", text: "yes")
        try content.set("voiceEntryUsed", text: "true")
        try content.set("comment", text: "one\r\ntwo")
        try content.set("date", text: "2024-02-16T08:00:00+01:00")
        #expect(content.body.flag(Doctor.isImportedFromContacts) == true)
        #expect(content.voiceEntryUsed)
        #expect(content.comment == "one\ntwo")
        #expect(content.date?.description == "2024-02-16T07:00:00Z")
        try content.set("date", text: "")
        try content.set("voiceEntryUsed", text: "")
        #expect(content.date == nil)
        #expect(!content.voiceEntryUsed)

        var cost = EntryContent(kind: Cost.kind, inferred: ["currency"])
        try cost.set("year", text: "2024")
        try cost.set("amount", text: "12.30")
        try cost.set("currency", text: "EUR")
        try cost.set("basis", text: "item")
        #expect(cost.body.integer(Cost.year) == 2_024)
        #expect(cost.body.decimal(Cost.amount)?.description == "12.30")
        #expect(cost.inferred.isEmpty)

        var profile = RecordProfile(subject: .animal)
        try profile.set("birthdate", text: "2019-05-06")
        try profile.set("vet.email", text: "vet@example.org")
        #expect(profile.values.day(RecordProfile.birthdate)?.year == 2_019)
    }

    @Test(
        "An invalid value or an unknown field is refused, and the content stays unchanged",
        arguments: [
            ("weight", "value", "heavy"), ("weight", "unit", "stone"), ("cost", "year", "MMXX"),
            ("doctor", "isImportedFromContacts", "maybe"), ("doctor", "address", "Ulm"),
            ("doctor", "address.planet", "Mars"),
            ("doctor", "name.first", "Ada"), ("drug", "color", "red"), ("drug", "", "x"), ("drug", "date", "tomorrow"),
            ("drug", "voiceEntryUsed", "perhaps"),
        ]
    )
    func refusesInvalidText(kind: String, name: String, text: String) throws {
        var content = EntryContent(kind: try #require(Kind.named(kind)))
        let error = refusal { try content.set(name, text: text) }
        #expect(error?.field == name)
        #expect(content == EntryContent(kind: content.kind))
    }

    @Test("The error about an unknown field lists the known fields")
    func listsFields() {
        var content = EntryContent(kind: Doctor.kind)
        let message = refusal { try content.set("zip", text: "1") }?.message
        for name in ["name", "address.zipCode", "comment", "date", "voiceEntryUsed"] {
            #expect(message?.contains(name) == true)
        }
    }
}
