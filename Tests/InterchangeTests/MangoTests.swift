import Foundation
import HealthModel
import TestSupport
import Testing

@testable import Interchange

@Suite("Documents of Mango Health")
struct MangoTests {
    private let options = MangoOptions(
        now: Fixtures.now,
        zone: Fixtures.tokyo,
        zoneNamed: { TimeZone(identifier: $0) },
        namespaces: Fixtures.namespaces
    )

    private func read(_ text: String) throws -> [MangoUser] {
        try MangoDocument.read(Array(text.utf8), options: options)
    }

    /// Writes a user as a journal does that imported it and holds the same account.
    private func write(_ user: MangoUser, _ change: (inout RecordState) -> Void = { _ in }) -> JSONValue {
        var state = Fixtures.state(user.record)
        change(&state)
        var doses = MangoDoses()
        for entry in state.entries where entry.kind == Dose.kind && !entry.isRetracted { doses.add(entry.content) }
        let writer = MangoWriter(state, scope: ExportScope(), doses: doses) { name in
            name.flatMap { TimeZone(identifier: $0) } ?? Fixtures.tokyo
        }
        var members = writer.opening(user.account, createdAt: Fixtures.now, lastLoginAt: nil)
        for (name, kind) in MangoWriter.collections {
            let documents = state.entries.filter { $0.kind == kind && !$0.isRetracted }.compactMap(writer.document)
            if !documents.isEmpty { members.append(.init(name, .object(documents))) }
        }
        return ["users": .object([.init(writer.user, .object(members))])]
    }

    /// The value with the members of all objects in one order.
    private func sorted(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let members):
            .object(members.map { .init($0.name, sorted($0.value)) }.sorted { $0.name < $1.name })
        case .array(let items): .array(items.map(sorted))
        default: value
        }
    }

    private func whole() throws -> MangoUser { try #require(try read(MangoTexts.whole).first) }

    private func content(_ id: String, _ user: MangoUser) throws -> EntryContent {
        let path = "users.kV9uid7Anna.\(id)"
        return try #require(user.record.entries.first { $0.path == path }).content
    }

    @Test("A document with each field of the format is exported as it was imported")
    func everyField() throws {
        let user = try whole()
        #expect(sorted(write(user)) == sorted(try JSONReader.read(Array(MangoTexts.whole.utf8))))
        #expect(user.record.entries.count == 13)
    }

    @Test("A medication is a plan by the clocks of the user, and its amounts are guessed only from a number and a unit")
    func medication() throws {
        let user = try whole()
        let drug = try content("medications.2F9C4A10-5A77-4B0D-9C1C-2C8F6F1D0001", user)
        #expect(drug.body.text(Drug.dosage) == "10mg")
        #expect(drug.comment == "with water")
        #expect(drug.voiceEntryUsed)
        #expect(drug.body.text(PlanFields.unit) == "tablet")
        let rule = try #require(drug.body.groups(PlanFields.rules).first)
        #expect(rule.text(PlanFields.Rule.from) == "2025-11-03")
        #expect(rule.text(PlanFields.Rule.until) == "2026-05-02")
        let times = rule.groups(PlanFields.Rule.times)
        #expect(times.map { $0.text(PlanFields.Time.at) } == ["08:00", "20:00"])
        #expect(times[0].decimal(PlanFields.Intake.amount) == ExactDecimal(coefficient: 1, scale: 0))
        #expect(times[1].text(PlanFields.Intake.amountText) == "half a tablet")
        #expect(drug.inferred == ["unit", "rules.0.times.0.amount"])
        let asNeeded = try content("medications.seven-letters", user)
        #expect(asNeeded.body.groups(PlanFields.rules).first?.text(PlanFields.Rule.pattern) == "asNeeded")
        #expect(asNeeded.body.groups(PlanFields.pauses).count == 1)
        #expect(asNeeded.inferred.contains("pauses"))
        // Two times of day that are equal cannot be in one rule.
        #expect(try content("medications.odd", user).body.groups(PlanFields.rules).count == 2)
        let weekly = try content("supplements.2F9C4A10-5A77-4B0D-9C1C-2C8F6F1D0002", user)
        #expect(weekly.body.groups(PlanFields.rules).first?.texts(PlanFields.Rule.weekdays) == ["mon"])
    }

    @Test("What was taken or skipped is a dose if its time is known; otherwise the mark is kept")
    func doses() throws {
        let doses = try whole().record.entries.filter { $0.content.kind == Dose.kind }
        #expect(doses.map { $0.content.body.text(Dose.status) } == ["taken", "skipped", "taken"])
        #expect(doses[0].content.date == .instant(try Instant(parsing: "2026-02-20T07:12:00Z")))
        #expect(doses[0].content.body.text(Dose.slot)?.contains("/2026-02-20/") == true)
        #expect(doses[1].content.body.text(Dose.reasonText) == "felt dizzy")
        #expect(doses.allSatisfy { $0.content.kind.derivedID($0.content) == $0.id })
    }

    @Test("A dose at night belongs to the evening before")
    func doseOfTheEveningBefore() throws {
        let text = MangoTexts.whole.replacing("2026-02-20T07:12:00Z", with: "2026-02-19T23:20:00Z")
            .replacing("2025-11-03T08:00:00+01:00", with: "2025-11-03T23:00:00+01:00")
        let dose = try #require(try read(text).first?.record.entries.first { $0.content.kind == Dose.kind })
        #expect(dose.content.body.text(Dose.slot)?.contains("/2026-02-19/") == true)
    }

    @Test("The report names what was kept without interpretation, and what contradicts itself")
    func report() throws {
        let record = try whole().record
        #expect(record.contradictions == ["users.kV9uid7Anna.medications.odd.frequency"])
        #expect(record.unrepresented.contains("users.kV9uid7Anna.referrer"))
        #expect(record.unrepresented.contains("users.kV9uid7Anna.diet.brunch.mealType"))
        #expect(record.unrepresented.contains("users.kV9uid7Anna.medications.odd.schedule[0].isCompleted"))
    }

    @Test("A value that was changed here is exported instead of the original")
    func changed() throws {
        let user = try whole()
        let document = write(user) { state in
            guard let index = state.entries.firstIndex(where: { $0.content.body.text(Drug.name) == "Lisinopril" })
            else {
                return
            }
            state.entries[index].content.body[Drug.name] = .text("Enalapril")
        }
        let drugs = document["users"]?["kV9uid7Anna"]?["medications"]
        let drug = try #require(drugs?["2F9C4A10-5A77-4B0D-9C1C-2C8F6F1D0001"])
        #expect(drug["name"] == .string("Enalapril"))
        #expect(drug["updatedAt"] == .time(Instant(microseconds: 1_771_000_000_000_000)))
        #expect(drug["createdAt"] == .string("2025-11-02T18:00:00Z"))
        #expect(drug["startDate"] == .string("2025-11-03T00:00:00+01:00"))
    }

    @Test("Random documents are exported as they were imported, and a second import has the same content")
    func random() throws {
        var random = RandomMango(SeededGenerator())
        for _ in 0..<300 {
            let document = random.document()
            let users = try MangoDocument.read(document, options: options)
            for user in users {
                let written = write(user)
                let source = document["users"]?[user.id] ?? .null
                #expect(sorted(written) == sorted(["users": .object([.init(user.id, source)])]))
            }
            let again = try MangoDocument.read(document, options: options)
            #expect(again.map(\.record) == users.map(\.record))
        }
    }

    @Test(
        "An invalid document is refused with the path of the value",
        arguments: [
            (#"[]"#, nil), (#"{"users": {}, "more": 1}"#, nil), (#"{"users": {"u": 1}}"#, "users.u"),
            (#"{"users": {"u": {"email": 1}}}"#, "users.u.email"),
            (#"{"users": {"u": {"createdAt": "soon"}}}"#, "users.u.createdAt"),
            (#"{"users": {"u": {"createdAt": {"nanoseconds": 1}}}}"#, "users.u.createdAt"),
            (#"{"users": {"u": {"preferences": {"timeZone": "Mars/Base"}}}}"#, "users.u.preferences.timeZone"),
            (#"{"users": {"u": {"preferences": {"language": "?"}}}}"#, "users.u.preferences.language"),
            (#"{"users": {"u": {"medications": []}}}"#, "users.u.medications"),
            (#"{"users": {"u": {"medications": {"m": {"schedule": {}}}}}}"#, "users.u.medications.m.schedule"),
            (
                #"{"users": {"u": {"medications": {"m": {"schedule": [{"time": true}]}}}}}"#,
                "users.u.medications.m.schedule[0].time"
            ),
            (
                #"{"users": {"u": {"medications": {"m": {"schedule": [{"time": 1}]}}}}}"#,
                "users.u.medications.m.name"
            ),
            (#"{"users": {"u": {"diet": {"d": {"date": "1815-01-01T00:00:00Z"}}}}}"#, "users.u.diet.d.date"),
        ] as [(String, String?)]
    )
    func refused(text: String, field: String?) {
        do {
            _ = try read(text)
            Issue.record("was accepted")
        } catch let error as ModelError {
            #expect(error.code == .invalid)
            #expect(error.field == field)
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test(
        "An amount is a number and one known unit",
        arguments: [
            ("10mg", "10 mg"), ("2 tablets", "2 tablet"), (" 2,5 ml ", "2.5 mL"), ("1 Puff", "1 puff"), ("10", nil),
            ("two tablets", nil), ("10 mg daily", nil), ("0 mg", nil), ("-1 mg", nil), ("1 mg 2", nil), ("", nil),
        ]
    )
    func amounts(text: String, amount: String?) {
        #expect(MangoAmount(text).map { "\($0.number) \($0.unit)" } == amount)
    }
}
