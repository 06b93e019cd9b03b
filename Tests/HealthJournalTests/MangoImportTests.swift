import CaregiverPermissions
import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange
import TestSupport
import Testing

@testable import JournalCore

@Suite("Imports of Mango Health")
struct MangoImportTests {
    private func take(
        _ home: TestHousehold,
        _ caller: Caller? = nil,
        _ text: String = MangoTexts.whole,
        isTrial: Bool = false
    ) async throws -> [ImportReport] {
        let options = try home.journal.imports.mangoOptions(isTrial: isTrial)
        let users = try MangoDocument.read(Array(text.utf8), options: options)
        return try await home.journal.imports.take(users, isTrial: isTrial, caller ?? home.owner)
    }

    /// The tree of a record, with the members of objects in one order.
    private func export(_ record: UUID, _ home: TestHousehold, _ caller: Caller) async throws -> JSONValue {
        var bytes: [UInt8] = []
        try await home.journal.exports.export(record, by: caller).writeMango { bytes += $0 }
        return try JSONReader.read(bytes).sorted
    }

    private var source: JSONValue { get throws { try JSONReader.read(Array(MangoTexts.whole.utf8)).sorted } }

    @Test("A user becomes an account with a record, and is exported as it was imported")
    func whole() async throws {
        let home = try await TestHousehold()
        let report = try #require(try await take(home).first)
        #expect(report.isNewRecord)
        #expect(report.added == 13)
        #expect(report.displayName == "Anna Berg")
        let anna = try #require(try home.journal.accounts.account(named: "Anna Berg"))
        #expect(report.account == anna.id)
        #expect(anna.details.pictureAddress == "https://pictures.example.org/anna.png")
        #expect(anna.preferences.timeZone == "Europe/Zurich")
        #expect(anna.preferences.reminderFrequency == .threeDaily)
        #expect(anna.subscription?.status == .trial)
        #expect(anna.subscription?.term == .annual)
        #expect(anna.identities.values.map(\.identity.subject) == ["kV9uid7Anna"])
        let caller = try home.journal.accounts.caller("Anna Berg", source: .commandLine)
        #expect(try await export(report.record, home, caller) == source)
        let state = try await home.journal.records.read(report.record, ReadOptions(), caller).state
        #expect(state.owners == [anna.id] && state.entries.count(where: { $0.kind == Dose.kind }) == 3)
    }

    @Test("A second import appends nothing, also of the export")
    func again() async throws {
        let home = try await TestHousehold()
        let first = try #require(try await take(home).first)
        let head = try home.head
        let second = try #require(try await take(home).first)
        #expect(try home.head == head && second.position == nil && second.unchanged == 13 && !second.isProfileChanged)
        let caller = try home.journal.accounts.caller("Anna Berg", source: .commandLine)
        let exported = JSONWriter.text(try await export(first.record, home, caller))
        let after = try home.head
        _ = try await take(home, nil, exported)
        #expect(try home.head == after)
    }

    @Test("What is changed here keeps the ids of the source, and a new export can be imported without a change")
    func changedHere() async throws {
        let home = try await TestHousehold()
        let record = try #require(try await take(home).first?.record)
        let anna = try home.journal.accounts.caller("Anna Berg", source: .commandLine)
        let entries = try await home.journal.records.read(record, ReadOptions(), anna).state.entries
        // The times of Metformin have the ids a and b in the source, and others here.
        let plan = try #require(entries.first { $0.content.body[Drug.name] == .text("Metformin") })
        var dose = DoseRequest(plan: plan.id, status: .taken)
        dose.at = .instant(try Instant(parsing: "2026-02-03T07:10:00Z"))
        dose.target = try .wall(WallMoment(parsing: "2026-02-03T08:00"))
        _ = try await home.journal.care.logDose(dose, anna)
        let meal = try #require(entries.first { $0.kind == Meal.kind && !$0.content.body.groups(Meal.foods).isEmpty })
        _ = try await home.journal.entries.correctEntry(meal.id, anna) { content throws(ModelError) in
            try content.set("foods.1.quantity", text: "50 g")
        }
        _ = try await home.journal.accounts.setPreferences(
            AccountPreferences(timeZone: "Europe/Zurich", language: "fr"),
            anna
        )

        let exported = try await export(record, home, anna)
        let user = try #require(exported["users"]?["kV9uid7Anna"])
        guard case .array(let times)? = user["medications"]?["odd"]?["schedule"],
            case .array(let foods)? = user["diet"]?["2F9C4A10-5A77-4B0D-9C1C-2C8F6F1D0003"]?["foods"]
        else {
            Issue.record("the export has no schedule, or no foods")
            return
        }
        #expect(times.map { $0["id"] } == ["a", "b"])
        // Both are due at 08:00, and the dose is one of the two.
        let taken = times.filter { $0["completedAt"] == "2026-02-03T07:10:00Z" }
        #expect(taken.count == 1)
        #expect(taken.first?["isCompleted"] == true)
        #expect(times[0]["dosageAmount"] == "500mg" && times[1]["dosageAmount"] == "500 mg")
        #expect(foods[1]["id"] == "f2" && foods[1]["quantity"] == "50 g" && foods[1]["calories"] == .number("12.5"))

        let before = try home.head
        let report = try #require(try await take(home, nil, JSONWriter.text(exported)).first)
        #expect(try home.head == before && report.corrected == 0 && report.kept == 0 && !report.isProfileChanged)
        #expect(try await export(record, home, anna) == exported)
        // What another program changes in the export is imported.
        let edited = JSONWriter.text(exported).replacing("Dr. Li", with: "Dr. Lin")
        #expect(try await take(home, nil, edited).first?.corrected == 1)
    }

    @Test("A trial appends nothing and reports what an import would do")
    func trial() async throws {
        let home = try await TestHousehold()
        let head = try home.head
        let report = try #require(try await take(home, isTrial: true).first)
        #expect(report.isNewRecord)
        #expect(report.added == 13)
        #expect(report.position == nil)
        #expect(report.changes.count == 13)
        #expect(try home.head == head)
    }

    @Test("A trial by somebody who does not own the record is a read of the record")
    func trialOfOthers() async throws {
        let home = try await TestHousehold()
        let first = try #require(try await take(home).first)
        let anna = try home.journal.accounts.caller("Anna Berg", source: .commandLine)
        let drug = try #require(
            try await home.journal.records.read(first.record, ReadOptions(), anna).state.entries
                .first { $0.kind == Drug.kind }
        )
        _ = try await home.journal.entries.correctEntry(drug.id, anna) { $0.body[Drug.name] = .text("Hidden") }
        let head = try home.head
        let report = try #require(try await take(home, isTrial: true).first)
        #expect(!report.changes.isEmpty)
        let read = try #require(try home.events(after: head).last?.event.data as? RecordRead)
        #expect(read.access.action == .read)
        #expect(read.access.grantedBy == .role(.person))
        #expect(read.access.shown.map(\.kind) == [Drug.kind.code])
        #expect(read.access.version == head)
        #expect(try home.events(after: head).map(\.subject) == [first.record])
        // An owner of the record sees what is theirs.
        let before = try home.head
        _ = try await take(home, anna, isTrial: true)
        #expect(try home.head == before)
    }

    @Test("An export does not reveal how a caregiver signs in")
    func subjects() async throws {
        let home = try await TestHousehold()
        let record = try #require(try await take(home).first?.record)
        let anna = try home.journal.accounts.caller("Anna Berg", source: .commandLine)
        _ = try await home.journal.accounts.addAccount(
            AccountProfile(name: "dora", email: "hidden@example.org"),
            home.owner
        )
        let dora = try home.journal.accounts.caller("dora", source: .commandLine)
        _ = try await home.journal.accounts.linkIdentity(
            issuer: "https://id.example.org",
            subject: "hidden-subject",
            isProven: true,
            to: dora.account,
            dora
        )
        _ = try await home.journal.sharing.grant(GrantTerms(sections: [.myhealth]), to: dora.account, on: record, anna)
        let access = try #require(try await export(record, home, anna)["users"]?["kV9uid7Anna"]?["caregiverAccess"])
        let text = JSONWriter.text(access)
        #expect(!text.contains("hidden"))
        #expect(text.contains("dora"))
        #expect(text.contains(dora.account.text))
        // Those of the document are known to its owner.
        #expect(text.contains("kV9uid7Ben"))
    }

    @Test("Caregivers get the sections of the document, and those who are not active are revoked")
    func caregivers() async throws {
        let home = try await TestHousehold()
        let record = try #require(try await take(home).first?.record)
        let grants = try home.journal.permissions.grants(of: record, asOf: home.head)
        let ben = try #require(try home.journal.accounts.account(named: "Ben Berg"))
        let cleo = try #require(try home.journal.accounts.account(named: "Cleo"))
        #expect(grants[ben.id]?.terms == GrantTerms(sections: [.myhealth, .doctorlist], verbs: [.read]))
        #expect(grants[ben.id]?.revoked == nil)
        #expect(grants[cleo.id]?.revoked != nil)
        #expect(ben.identities.values.map(\.identity.subject) == ["kV9uid7Ben"])
        let caller = try home.journal.accounts.caller("Ben Berg", source: .commandLine)
        #expect(
            try await home.journal.records.read(record, ReadOptions(), caller).state.entries
                .contains { $0.kind == Drug.kind }
        )
        // What a caregiver exports contains neither the account nor what is kept for the owner.
        let seen = try await export(record, home, caller)
        let user = try #require(seen["users"]?.members.first?.value)
        #expect(user["email"] == nil)
        #expect(user["caregiverAccess"] == nil)
        #expect(user["conflicts"] == nil)
        #expect(user["medications"]?.members.count == 3)
        #expect(user["doctors"]?.members.count == 2)
    }

    @Test("A grant that was revoked here is not given back by a later import, and the export says so")
    func revoked() async throws {
        let home = try await TestHousehold()
        let record = try #require(try await take(home).first?.record)
        let anna = try home.journal.accounts.caller("Anna Berg", source: .commandLine)
        let ben = try #require(try home.journal.accounts.account(named: "Ben Berg"))
        _ = try await home.journal.sharing.revoke(ben.id, on: record, anna)
        _ = try await take(home)
        #expect(try home.journal.permissions.grants(of: record, asOf: home.head)[ben.id]?.revoked != nil)
        let access = try await export(record, home, anna)["users"]?["kV9uid7Anna"]?["caregiverAccess"]
        #expect(access?["enabled"] == false)
    }

    @Test("A person imports a document for their own account, without the caregivers, who have no accounts")
    func own() async throws {
        let home = try await TestHousehold()
        let maria = try await home.account("maria")
        let report = try #require(try await take(home, maria).first)
        #expect(report.account == maria.account)
        #expect(report.isNewRecord)
        #expect(report.unrepresented.contains("users.kV9uid7Anna.caregiverAccess.kV9uid7Ben"))
        let state = try home.journal.accounts.account(maria.account)
        #expect(state.details.displayName == "Anna Berg")
        #expect(state.identities.isEmpty)
        #expect(try await export(report.record, home, maria) == source)
        let head = try home.head
        _ = try await take(home, maria)
        #expect(try home.head == head)
        // The same document is now that of maria, and nobody else's.
        let other = try await home.account("other")
        #expect(await refusal { _ = try await take(home, other) }?.code == .refused)
    }

    @Test("A document of several users, or of another account, is only for the journal's owner")
    func others() async throws {
        let home = try await TestHousehold()
        let maria = try await home.account("maria")
        let two = #"{"users": {"a": {"displayName": "A"}, "b": {"displayName": "a"}}}"#
        #expect(await refusal { _ = try await take(home, maria, two) }?.code == .conflict)
        let reports = try await take(home, nil, two)
        #expect(Set(reports.map(\.account)).count == 2)
        #expect(reports.allSatisfy { $0.isNewRecord })
        // Names of accounts are unique, and those of users are not.
        #expect(try home.journal.accounts.account(named: "b")?.details.displayName == "a")
        let one = #"{"users": {"a": {"displayName": "A"}}}"#
        #expect(await refusal { _ = try await take(home, maria, one) }?.code == .refused)
        for kind in [AccountKind.tool, .auditor, .administrator] {
            let caller = try await home.account(kind.name, kind)
            #expect(await refusal { _ = try await take(home, caller, one) }?.code == .refused)
        }
    }

    @Test("Settings that were changed here stay")
    func settingsStay() async throws {
        let home = try await TestHousehold()
        _ = try await take(home)
        let anna = try home.journal.accounts.caller("Anna Berg", source: .commandLine)
        _ = try await home.journal.accounts.setPreferences(AccountPreferences(timeZone: "Asia/Tokyo"), anna)
        _ = try await home.journal.accounts.setSubscription(
            Subscription(status: .expired),
            of: anna.account,
            home.owner
        )
        let head = try home.head
        _ = try await take(home)
        #expect(try home.head == head)
        #expect(try home.journal.accounts.account(anna.account).preferences.timeZone == "Asia/Tokyo")
    }

    @Test("An erased record leaves nothing that an import brings back")
    func erased() async throws {
        let home = try await TestHousehold()
        let record = try #require(try await take(home).first?.record)
        let anna = try home.journal.accounts.caller(
            "Anna Berg",
            source: .commandLine,
            reason: "moved to another journal"
        )
        _ = try await home.journal.erasure.eraseRecord(record, anna)
        #expect(await refusal { _ = try await take(home) }?.code == .erased)
    }
}

extension JSONValue {
    /// The value with the members of all objects in one order.
    fileprivate var sorted: JSONValue {
        switch self {
        case .object(let members):
            .object(members.map { .init($0.name, $0.value.sorted) }.sorted { $0.name < $1.name })
        case .array(let items): .array(items.map(\.sorted))
        default: self
        }
    }
}
