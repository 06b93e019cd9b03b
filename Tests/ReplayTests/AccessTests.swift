import EventLog
import Foundation
import HealthModel
import Interchange
import JournalEvents
import TestSupport
import Testing

@Suite("Accesses to a record or an entry")
struct AccessTests {
    @Test("Reads and denials of a record are listed with account, purpose and permission")
    func listsReadsAndDenials() async throws {
        let house = try await Household.withHistory()
        let answer = try Tool(house).run("access", "--record", Household.maria.text, "--format", "json")
        #expect(answer.status == 0)
        let rows = try answer.json.items
        #expect(rows.map { $0["position"]?.number } == ["11", "12"])
        #expect(rows.map { $0["outcome"]?.string } == ["shown", "denied"])
        #expect(rows.map { $0["actorName"]?.string } == ["anna", "anna"])
        #expect(rows[0]["purpose"]?.string == "a visit")
        #expect(rows[0]["entryCount"]?.number == "1")
        #expect(rows[0]["grantedBy"]?.string == "by the grant at position 10")
        #expect(rows[0]["sections"]?.items.compactMap(\.string) == ["doctorlist"])
        #expect(rows[1]["sections"]?.items.compactMap(\.string) == ["myhealth"])
        #expect(rows[1]["grantedBy"] == nil)
    }

    @Test("The table shows the same reads and denials")
    func table() async throws {
        let house = try await Household.withHistory()
        let lines = try Tool(house).run("access", "--record", Household.maria.text).text.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[1].contains("shown") && lines[1].contains("a visit"))
        #expect(lines[2].contains("denied") && lines[2].contains("health") && !lines[2].contains("myhealth"))
    }

    @Test("An empty period is named as the reason why nothing is listed, and an inverted one is refused")
    func periods() async throws {
        let house = try await Household.withHistory()
        func run(_ command: String, _ since: String, _ until: String) throws -> Outcome {
            try Tool(house).run(command, "--record", Household.maria.text, "--since", since, "--until", until)
        }
        let empty = try run("access", "#1", "#4")
        #expect(empty.status == 0)
        #expect((empty.text + empty.message).contains("nobody has read the record in this period"))
        let nothing = try run("trail", "2020-01-01", "2020-01-02")
        #expect(nothing.status == 0 && (nothing.text + nothing.message).contains("there is no such event"))
        for command in ["access", "trail"] {
            let inverted = try run(command, "#12", "#3")
            #expect(inverted.status == 64)
            #expect(inverted.message.contains("the period ends before it begins"))
        }
    }

    @Test("A record that was never read has no accesses")
    func recordWithoutReads() async throws {
        let house = try await Household.withHistory()
        let answer = try Tool(house).run("access", "--record", Household.luna.text, "--format", "json")
        #expect(try answer.json.items.isEmpty)
    }

    @Test("Reads that showed an entry are listed, and reads without a list of entries count as possible")
    func readsOfEntry() async throws {
        let house = try await Household.withHistory()
        let read = Access(
            action: .read,
            sections: [.myhealth],
            entryCount: 1,
            grantedBy: .owner,
            version: 14,
            shown: [ShownEntries(kind: Weight.kind.code, added: 7...7)]
        )
        let (maria, owner) = (Household.maria, Household.owner)
        try await house.append(.recordRead(read), about: maria, stream: Household.accesses, by: owner)  // 22
        var later = read
        later.shown = [ShownEntries(kind: Cost.kind.code)]
        try await house.append(.recordRead(later), about: maria, stream: Household.accesses, by: owner)  // 23
        func rows(_ entry: UUID, _ more: String...) throws -> [String?] {
            let answer = try Tool(house).run(["access", "--entry", entry.text, "--format", "json"] + more)
            #expect(answer.status == 0, "\(answer.message)")
            return try answer.json.items.map { "\($0["position"]?.number ?? "") \($0["entry"]?.string ?? "")" }
        }
        #expect(try rows(Household.weight) == ["22 shown"])
        #expect(try rows(Household.cost) == ["23 shown"])
        // The household's first read lists no shown entries, as if an older program had recorded it.
        #expect(try rows(Household.doctor) == ["11 possible"])
        #expect(try rows(Household.weight, "--to", "21").isEmpty)
        #expect(try rows(Household.weight, "--from", "22", "--to", "22") == ["22 shown"])
        #expect(try rows(Household.weight, "--from", "23").isEmpty)
        let csv = try Tool(house).run("access", "--entry", Household.weight.text, "--format", "csv").text
        let lines = csv.split(whereSeparator: \.isNewline)
        #expect(lines.count == 2 && lines[0].hasPrefix("position,recordedAt,account"))
        #expect(lines[1].hasPrefix("22,") && lines[1].hasSuffix(",shown"))
        let table = try Tool(house).run("access", "--entry", Household.weight.text).text
        #expect(table.contains("ENTRY"))
        #expect(table.contains("shown"))
        #expect(try Tool(house).run("access").status == 64)
        #expect(
            try Tool(house).run("access", "--record", Household.luna.text, "--entry", Household.weight.text).status == 2
        )
    }

    @Test(
        "The could command states whether an account could see an entry at a position",
        arguments: [("9", "doctor", false), ("10", "doctor", true), ("10", "weight", false), ("13", "doctor", false)]
    )
    func couldSeeEntry(position: String, entry: String, could: Bool) async throws {
        let house = try await Household.withHistory()
        let id = entry == "doctor" ? Household.doctor : Household.weight
        let arguments = ["could", "anna", "--entry", id.text, "--as-of", position]
        let answer = try Tool(house).run(arguments + ["--format", "json"])
        #expect(try answer.json["couldSeeEntry"] == .bool(could))
        let csv = try Tool(house).run(arguments + ["--format", "csv"]).text
        #expect(csv.contains("could see the entry") && csv.contains(could ? ",yes" : ",no"))
    }

    @Test("Nobody could see an entry any more once it was erased")
    func couldNotSeeErasedEntry() async throws {
        let house = try await Household.withHistory()
        let id = Household.doctor
        let event = try NewEvent(
            .entryErased,
            id: UUID.timeOrdered(at: EventLog.clock()),
            stream: id,
            subject: Household.maria,
            entry: id,
            kind: Doctor.kind,
            origin: EventOrigin(actor: Household.owner, source: .commandLine, correlation: .zero, reason: "wrong")
        )
        _ = try await house.log.erase(entry: id, of: Household.maria, events: [event])
        for (position, isSeen) in [("10", true), (String(try house.log.head()), false)] {
            let arguments = ["could", "owner", "--entry", id.text, "--as-of", position, "--format", "json"]
            let answer = try Tool(house).run(arguments)
            #expect(try answer.json["couldSeeEntry"] == .bool(isSeen))
        }
    }

    @Test("A grant by invitation is attributed to the account that invited")
    func grantByInvitation() async throws {
        let house = try await Household.withHistory()
        let granted = JournalEvent.caregiverGranted(
            account: Household.anna,
            terms: GrantTerms(verbs: [.read]),
            invitedBy: Household.owner
        )
        try await house.append(granted, about: Household.maria, stream: Household.grants, by: Household.anna)
        let answer = try Tool(house).run("could", "anna", "--record", Household.maria.text, "--format", "json")
        #expect(try answer.json["grant"]?["givenByName"]?.string == "owner")
        #expect(try answer.json["why"]?.string?.contains("by owner") == true)
    }
}
