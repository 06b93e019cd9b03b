import TestSupport
import Testing

@testable import HealthModel

@Suite("Lists of changed fields")
struct ChangesTests {
    private func lines(_ changes: [FieldChange]) -> [String] {
        changes.map { "\($0.path): \($0.before ?? "-") → \($0.after ?? "-")" }
    }

    @Test("The changes of new content list each of its fields")
    func newContent() throws {
        var content = try Example.content(
            Doctor.kind,
            date: "2024-02-16",
            [("name", "Ada"), ("address.city", "Ulm"), ("comment", "kind"), ("voiceEntryUsed", "true")]
        )
        content.inferred = ["type"]
        content.extra = [Extra(name: "mood", json: "\"good\"")]
        #expect(
            lines(content.changes(from: nil)) == [
                "date: - → 2024-02-16", "name: - → Ada", "address.city: - → Ulm", "comment: - → kind",
                "voiceEntryUsed: - → true", "inferred: - → type", "extra.mood: - → \"good\"",
            ]
        )
    }

    @Test("The changes between two contents list exactly the fields that differ")
    func changedContent() throws {
        let before = try Example.content(
            Doctor.kind,
            date: "2024-02-16",
            [("name", "Ada"), ("address.city", "Ulm"), ("address.street", "A 1")]
        )
        var after = before
        try after.set("address.city", text: "Bonn")
        try after.set("address.street", text: "")
        try after.set("isImportedFromContacts", text: "no")
        try after.set("date", text: "2024-02-16T00:00:00Z")
        try after.set("comment", text: "moved")
        after.body[number: 77] = .integer(5)
        #expect(
            lines(after.changes(from: before)) == [
                "date: 2024-02-16 → 2024-02-16T00:00:00Z", "address.street: A 1 → -", "address.city: Ulm → Bonn",
                "isImportedFromContacts: - → false", "#77: - → 5", "comment: - → moved",
            ]
        )
        #expect(after.changes(from: after).isEmpty)
        #expect(lines(after.changes(from: before)).count == before.changes(from: after).count)
        #expect(after.changes(from: before).first { $0.path == "address.city" }?.label == "Address, City")
    }

    @Test("The changes between two profiles list nested fields by their path")
    func changedProfile() throws {
        let before = try Example.profile(.animal, [("name", "Rex"), ("vet.email", "a@example.org")])
        var after = before
        try after.set("vet.email", text: "b@example.org")
        try after.set("owner.name", text: "Ada")
        #expect(
            lines(after.changes(from: before)) == [
                "owner.name: - → Ada", "vet.email: a@example.org → b@example.org",
            ]
        )
        #expect(lines(before.changes(from: nil)).first == "subject: - → animal")
    }

    /// The decider's comparison and the audit trail's list of changes must agree on whether two contents differ.
    @Test("The list of changes is empty exactly if the contents are equal")
    func changesMatchEquality() throws {
        try checkProperty("changes and equality") { random, comment in
            let before = try random.content()
            var after = before
            if random.bool() { after.body = try random.values(before.kind.fields) }
            if random.bool() { after.comment = random.text(upTo: 3) }
            #expect(after.changes(from: before).isEmpty == (after == before), comment)
        }
    }
}
