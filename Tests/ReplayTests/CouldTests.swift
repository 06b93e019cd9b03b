import EventLog
import Foundation
import HealthModel
import Interchange
import TestSupport
import Testing

@testable import replay

@Suite("Permissions as of a position or time")
struct CouldTests {
    @Test(
        "The access of an account is stated as of a position or time, with its reason",
        arguments: [
            ("owner", "6", "owner", ["myhealth", "doctorlist", "groups", "conflicts"], "owns the record"),
            ("owner", "5", "none", [], "did not exist yet"),
            ("anna", "9", "none", [], "never had a grant"),
            ("anna", "10", "caregiver", ["doctorlist"], "at position 10 by owner"),
            ("anna", "12", "caregiver", ["doctorlist"], "at position 10 by owner"),
            ("anna", "13", "none", [], "revoked at position 13 by owner"),
            ("anna", "2024-05-03", "caregiver", ["doctorlist"], "at position 10"),
            ("anna", "2024-05-04", "none", [], "revoked at position 13"),
            ("anna", "2024-05-03T23:59:59Z", "caregiver", ["doctorlist"], "at position 10"),
            (Household.anna.text, "12", "caregiver", ["doctorlist"], "at position 10"),
            ("scale", "12", "none", [], "tool"),
            ("ada", "12", "auditor", ["myhealth", "doctorlist", "groups", "conflicts"], "history"),
        ]
    )
    func accessAtMoment(
        account: String,
        when: String,
        access: String,
        sections: [String],
        why: String
    ) async throws {
        let house = try await Household.withHistory()
        let answer = try Tool(house)
            .run("could", account, "--record", Household.maria.text, "--as-of", when, "--format", "json")
        #expect(answer.status == 0)
        let json = try answer.json
        #expect(json["access"]?.string == access)
        #expect(json["sections"]?.items.compactMap(\.string) == sections)
        #expect(json["why"]?.string?.contains(why) == true)
        let table = try Tool(house).run("could", account, "--record", Household.maria.text, "--as-of", when)
        #expect(table.status == 0)
        #expect(table.text.contains(why))
    }

    @Test(
        "A grant gives access only on its days",
        arguments: [
            ("2024-06-09", "none"), ("2024-06-10", "caregiver"), ("2024-06-12", "caregiver"), ("2024-06-13", "none"),
            ("2024-06-10T00:00:00Z", "caregiver"), ("2024-06-09T23:59:59Z", "none"),
        ]
    )
    func grantDays(when: String, access: String) async throws {
        let house = try await Household.withHistory()
        let days = (try Day(parsing: "2024-06-10"), try Day(parsing: "2024-06-12"))
        let terms = GrantTerms(verbs: [.read, .contribute], from: days.0, until: days.1)
        let event = JournalEvent.caregiverGranted(account: Household.anna, terms: terms)
        try await house.append(event, about: Household.maria, stream: Household.grants)
        let answer = try Tool(house)
            .run("could", "anna", "--record", Household.maria.text, "--as-of", when, "--format", "json")
        let json = try answer.json
        #expect(json["access"]?.string == access)
        #expect(json["verbs"]?.items.count == (access == "none" ? 0 : 2))
        #expect(json["grant"]?["from"]?.string == "2024-06-10")
        #expect(json["grant"]?["until"]?.string == "2024-06-12")
    }

    @Test("A tool with a grant could add entries but see none")
    func toolWithGrant() async throws {
        let house = try await Household.withHistory()
        let event = JournalEvent.caregiverGranted(account: Household.scale, terms: GrantTerms(verbs: [.contribute]))
        try await house.append(event, about: Household.maria, stream: Household.grants)
        let answer = try Tool(house).run("could", "scale", "--record", Household.maria.text, "--format", "json")
        let json = try answer.json
        #expect(json["access"]?.string == "contributor")
        #expect(json["sections"]?.items.isEmpty == true)
        #expect(json["verbs"]?.items.compactMap(\.string) == ["contribute"])
        #expect(json["why"]?.string?.contains("may add entries to health") == true)
    }

    @Test("An account had no access before it was added")
    func laterAccount() async throws {
        let house = try await Household.withHistory()
        let late = Household.id(40)
        try await house.append(.accountAdded(AccountProfile(name: "late")), about: late)
        let answer = try Tool(house).run("could", "late", "--record", Household.maria.text, "--as-of", "21")
        #expect(answer.status == 0)
        #expect(answer.text.contains("the account did not exist yet"))
    }

    @Test("An account or a record that does not exist ends with status 2")
    func missing() async throws {
        let house = try await Household.withHistory()
        #expect(try Tool(house).run("could", "nobody", "--record", Household.maria.text, "--as-of", "9").status == 2)
        #expect(try Tool(house).run("could", "anna", "--record", "ffffffff", "--as-of", "9").status == 2)
    }

    @Test("An administrator had no access to a record")
    func administrator() async throws {
        let house = try await Household.withHistory()
        let admin = Household.id(41)
        let profile = AccountProfile(name: "keeper", kind: .administrator)
        try await house.append(.accountAdded(profile), about: admin)
        let answer = try Tool(house).run("could", "keeper", "--record", Household.maria.text, "--format", "json")
        #expect(try answer.json["access"]?.string == "none")
        #expect(try answer.json["why"]?.string == "is an administrator, who may not read any record")
    }

    @Test(
        "An account had an owner's access while it was an owner, and the trail lists the changes of owners",
        arguments: [
            ("owner", "22", "owner"), ("anna", "22", "none"), ("anna", "23", "owner"), ("owner", "23", "owner"),
            ("owner", "24", "none"), ("anna", "24", "owner"), ("anna", "25", "none"), ("owner", "25", "owner"),
            ("owner", "6", "owner"),
        ]
    )
    func pastOwners(account: String, when: String, access: String) async throws {
        let house = try await Household.withHistory()
        try await house.append(.recordChanged(RecordProfile(subject: .human)), about: Household.maria)  // 22
        try await house.append(.recordOwnerAdded(Household.anna), about: Household.maria)  // 23
        try await house.append(.recordOwnerRemoved(Household.owner), about: Household.maria)  // 24
        try await house.append(.recordTransferred(to: Household.owner), about: Household.maria)  // 25
        let answer = try Tool(house)
            .run("could", account, "--record", Household.maria.text, "--as-of", when, "--format", "json")
        #expect(try answer.json["access"]?.string == access)
        let trail = try Tool(house).run("trail", "--type", "record", "--since", "23", "--format", "json").lines
        #expect(
            trail.map(\.changes) == [
                ["owners: owner → owner, anna"], ["owners: owner, anna → anna"], ["owners: anna → owner"],
            ]
        )
    }

    @Test("An emergency access ends when it expires, and with the grant that it rests on")
    func emergencies() async throws {
        let house = try await Household.withHistory()
        let terms = GrantTerms(sections: [.doctorlist], verbs: [.contribute])
        let granted = JournalEvent.caregiverGranted(account: Household.anna, terms: terms)
        try await house.append(granted, about: Household.maria, stream: Household.grants)  // 22
        let opened = Instant(microseconds: Household.start.microseconds + 22 * Household.step)
        let expires = Instant(microseconds: opened.microseconds + Household.step * 2)
        try await house.append(
            .emergencyOpened(account: Household.anna, expires: expires),
            about: Household.maria,
            stream: Household.accesses,
            by: Household.anna,
            reason: "found unconscious"
        )  // 23
        let before = Instant(microseconds: expires.microseconds - 1)
        for (when, access) in [
            ("22", "caregiver"), ("23", "emergency"), (before.description, "emergency"),
            (expires.description, "caregiver"),
        ] {
            let answer = try Tool(house)
                .run("could", "anna", "--record", Household.maria.text, "--as-of", when, "--format", "json")
            let json = try answer.json
            #expect(json["access"]?.string == access, "\(when)")
            #expect(json["sections"]?.items.compactMap(\.string) == ["doctorlist"])
            let kinds = access == "emergency" ? ["drug", "supplement", "allergy", "emergencyContact"] : []
            #expect((json["kinds"]?.items ?? []).compactMap(\.string) == kinds)
            #expect(
                json["verbs"]?.items.compactMap(\.string)
                    == (access == "emergency" ? ["read", "contribute"] : ["contribute"])
            )
        }
        let revoked = JournalEvent.caregiverRevoked(account: Household.anna)
        try await house.append(revoked, about: Household.maria, stream: Household.grants)  // 24
        let answer = try Tool(house)
            .run("could", "anna", "--record", Household.maria.text, "--as-of", "24", "--format", "json")
        #expect(try answer.json["access"]?.string == "none")
        let trail = try Tool(house).run("trail", "--type", "emergency.opened", "--format", "json").lines
        #expect(trail.first?["reason"]?.string == "found unconscious")
        #expect(trail.first?["what"]?.string == "emergency view of Maria Keller to anna")
    }

    @Test("A member of a practice could see what the practice could, within the member's roles")
    func practice() async throws {
        let house = try await Household.withHistory()
        let practice = UUID()
        var profile = PracticeProfile(values: FieldValues())
        for (name, value) in [("name", "Two Rooms"), ("zone", "UTC")] { try profile.set(name, text: value) }
        try await house.append(JournalEvent(PracticeCreated(profile: profile)), about: practice)
        let (members, rex, grants) = (UUID(), UUID(), UUID())
        var animal = RecordProfile(subject: .animal)
        for (name, value) in [("name", "Rex"), ("isOpenToEmergencies", "true")] { try animal.set(name, text: value) }
        try await house.append(.recordCreated(animal, owners: [Household.owner]), about: rex)
        func member(_ roles: Set<ClinicRole>) async throws {
            let event = JournalEvent(MemberGranted(account: Household.anna, membership: Membership(roles: roles)))
            try await house.append(event, about: practice, stream: members)
        }
        func answer() throws -> JSONValue {
            try Tool(house).run("could", "anna", "--record", rex.text, "--format", "json").json
        }
        try await member([.nurse])
        #expect(try answer()["access"]?.string == "none")
        let terms = GrantTerms(sections: [.myhealth, .doctorlist], verbs: [.read, .contribute])
        let granted = JournalEvent.caregiverGranted(account: practice, terms: terms)
        try await house.append(granted, about: rex, stream: grants)
        let nurse = try answer()
        #expect(nurse["access"]?.string == "practice")
        #expect(nurse["sections"]?.items.compactMap(\.string) == ["myhealth"])
        #expect(nurse["why"]?.string?.contains("is a nurse of Two Rooms, which has a grant") == true)
        try await member([.receptionist])
        let desk = try answer()
        #expect(desk["access"]?.string == "none")
        #expect(desk["why"]?.string == "is a receptionist of Two Rooms, of whose access the role may read nothing")
        try await member([.veterinarian])
        #expect(try answer()["sections"]?.items.compactMap(\.string) == ["myhealth", "doctorlist"])
        // The grant ends, and the practice opens the emergency view.
        let revoked = JournalEvent.caregiverRevoked(account: practice)
        try await house.append(revoked, about: rex, stream: grants)
        let ended = try answer()
        #expect(ended["access"]?.string == "none")
        let why = try #require(ended["why"]?.string)
        #expect(why.hasPrefix("is a veterinarian of Two Rooms, which has no access: its grant was revoked at position"))
        #expect(why.hasSuffix("what the practice itself wrote before, which the role may read with a purpose"))
        let expires = Instant(microseconds: EventLog.clock() + 3_600_000_000)
        let opened = JournalEvent.emergencyOpened(account: practice, expires: expires)
        try await house.append(opened, about: rex, stream: grants)
        let emergency = try answer()
        #expect(emergency["kinds"]?.items.isEmpty == false)
        #expect(emergency["sections"]?.items.isEmpty == true)
        #expect(emergency["why"]?.string?.contains("opened the emergency view") == true)
        // Who forbids it closes the view, and permission that is given again does not open it.
        for text in ["", "true"] {
            try animal.set("isOpenToEmergencies", text: text)
            try await house.append(.recordChanged(animal), about: rex)
            let closed = try answer()
            #expect(closed["access"]?.string == "none", "\(text)")
            #expect(closed["kinds"] == nil, "\(text)")
            #expect(closed["why"]?.string?.contains("its emergency view was closed at position") == true, "\(text)")
        }
        let access = try Tool(house).run("access", "--record", rex.text, "--format", "json").json
        #expect(access.items.contains { $0["action"]?.string == "emergency" })
        // Who may read nothing of a record that the practice keeps may do more than nothing.
        let mia = UUID()
        try await house.append(.recordCreated(animal, owners: [practice]), about: mia)
        try await member([.receptionist])
        let keeper = try Tool(house).run("could", "anna", "--record", mia.text).text
        #expect(keeper.contains("which keeps the record; the role may read no entries of it"), "\(keeper)")
        #expect(keeper.contains("edit the profile, hand the record over"), "\(keeper)")
        #expect(!keeper.contains("erase"), "\(keeper)")
    }
}
