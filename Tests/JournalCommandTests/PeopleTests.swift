import Foundation
import HealthModel
import Interchange
import TestSupport
import Testing

@Suite("People at the command line")
struct PeopleTests {
    @Test("Owners can be added and removed, a record can be transferred, and former owners lose access")
    func changesOwners() throws {
        let tool = try CommandLineTool()
        for name in ["ben", "carla"] { try tool.json("account", "add", name) }
        let record = try tool.person()
        #expect(try tool.json("record", "owner", "add", record, "ben")["changed"] == .bool(true))
        let names = try tool.json("record", "owner", "list", record, "--as", "ben").items.map { try $0.string("name") }
        #expect(names == ["owner", "ben"])
        let before = try tool.position
        try tool.json("record", "owner", "remove", record, "owner", "--as", "ben", "--reason", "moved out")
        #expect(try tool.run("record", "show", record).status == 4)
        let last = try tool.run("record", "owner", "remove", record, "ben", "--as", "ben")
        #expect(last.status == 4)
        #expect(last.message.contains("no other owner"))
        try tool.run("record", "transfer", record, "carla", "--as", "ben").succeeded()
        #expect(try tool.run("record", "show", record, "--as", "ben").status == 4)
        let then = try tool.json("record", "owner", "list", record, "--as", "carla", "--as-of", "\(before)").items
        #expect(try then.map { try $0.string("name") } == ["owner", "ben"])
    }

    @Test("An invitation code can be accepted once, and an invitation can be withdrawn")
    func invitesACaregiver() throws {
        let tool = try CommandLineTool()
        try tool.json("account", "add", "anna")
        let record = try tool.person()
        let made = try tool.json("caregiver", "invite", record, "--sections", "doctorlist", "--until", "2999-12-31")
        let code = try made.string("code")
        #expect(code.hasPrefix("hji_"))
        #expect(try tool.run("caregiver", "accept", "hji_wrong", "--as", "anna").status == 2)
        let accepted = try tool.json("caregiver", "accept", code, "--as", "anna")
        #expect(try accepted.string("record") == record)
        #expect(try tool.run("caregiver", "accept", code, "--as", "anna").status == 2)
        let grant = try #require(try tool.json("caregiver", "list", record).items.first)
        #expect(try grant.string("name") == "anna" && grant.string("until") == "2999-12-31")
        let other = try tool.json("caregiver", "invite", record).string("id")
        try tool.json("caregiver", "withdraw", record, other)
        let states = try tool.json("caregiver", "invitations", record).items.map { try $0.string("state") }
        #expect(states == ["accepted", "withdrawn"])
        #expect(try tool.run("caregiver", "invite", record, "--sections", "kitchen").status == 64)
        #expect(try tool.run("caregiver", "invite", record, "--days", "31").status == 1)
        let plain = try tool.run("caregiver", "invite", record).succeeded()
        #expect(plain.text.hasPrefix("hji_"))
        #expect(plain.text.split(separator: "\n").count == 1)
    }

    @Test("An invitation replaces an existing grant only with --replace")
    func replacesGrant() throws {
        let tool = try CommandLineTool()
        try tool.json("account", "add", "anna")
        let record = try tool.person()
        try tool.json("caregiver", "grant", record, "anna", "--verbs", "read,contribute")
        let code = try tool.json("caregiver", "invite", record, "--sections", "doctorlist").string("code")
        let refused = try tool.run("caregiver", "accept", code, "--as", "anna")
        #expect(refused.status == 4)
        #expect(refused.message.contains("before: "))
        #expect(refused.message.contains("after:  doctors; read"))
        let kept = try #require(try tool.json("caregiver", "list", record).items.first)
        #expect(kept["verbs"] == ["read", "contribute"])
        try tool.json("caregiver", "accept", code, "--replace", "--as", "anna")
        let grant = try #require(try tool.json("caregiver", "list", record).items.first)
        #expect(grant["verbs"] == ["read"])
        #expect(grant["sections"] == ["doctorlist"])
    }

    @Test("The emergency view shows only what it covers, and the owner gets a notice to acknowledge")
    func opensEmergencyView() throws {
        let tool = try CommandLineTool()
        try tool.json("account", "add", "anna")
        let record = try tool.person()
        try tool.json("record", "set", record, "birthdate=1931-05-06")
        try tool.json("entry", "add", record, "allergy", "name=Penicillin", "information=severe")
        try tool.json("entry", "add", record, "illness", "name=Secret")
        let plan = try tool.json("plan", "add", record, "Warfarin", "--as-needed", "--amount", "1").string("entry")
        let now = Int(Date().timeIntervalSince1970)
        let doses = try [49, 47]
            .map { hours in
                let at = Instant(microseconds: Int64(now - hours * 3_600) * 1_000_000)
                return try tool.json("dose", "take", plan, "--at", "\(at)").string("entry")
            }
        let recent = doses[1]
        try tool.json("caregiver", "grant", record, "anna", "--sections", "conflicts")
        let reason = "found unconscious"
        #expect(try tool.run("caregiver", "emergency", record, "--as", "anna").status == 64)
        #expect(try tool.run("caregiver", "emergency", record, "--as", "anna", "--reason", "help").status == 1)
        let opened = try tool.json("caregiver", "emergency", record, "--as", "anna", "--reason", reason)
        let position = try opened.integer("position")
        let shown = try tool.run("record", "show", record, "--as", "anna").succeeded()
        for word in ["Penicillin", "1931-05-06", "Ottilie"] { #expect(shown.text.contains(word)) }
        #expect(!shown.text.contains("Secret"))
        let document = try tool.json("record", "show", record, "--as", "anna")
        #expect(document["entries"]?["allergy"]?.items.count == 1)
        #expect(document["entries"]?["illness"] == nil)
        // Of the doses, only those of the last 48 hours are shown, and only with the record.
        #expect(try document["entries"]?["dose"]?.items.map { try $0.string("id") } == [recent])
        #expect(try tool.run("entry", "history", recent, "--as", "anna").status == 4)
        #expect(try tool.run("entry", "list", record, "dose", "--as", "anna").status == 4)
        #expect(try tool.run("due", record, "--as", "anna").status == 4)
        let notice = try #require(try tool.json("notices").items.first)
        #expect(try notice.integer("position") == position && notice.string("name") == "anna")
        #expect(try notice.string("reason") == reason)
        #expect(notice["acknowledged"] == .bool(false))
        #expect(try tool.run("notices", "acknowledge", "\(position)", "--as", "anna").status == 2)
        try tool.json("notices", "acknowledge", "\(position)")
        #expect(try tool.json("notices", "list").items.first?["acknowledged"] == .bool(true))
        #expect(try tool.run("notices").succeeded().text.contains(reason))
    }
}
