import Foundation
import Interchange
import TestSupport
import Testing

@Suite("Changes through a service")
struct RemoteWriteTests {
    /// Runs one command and returns its outcome.
    private typealias Run = ([String]) throws -> Outcome

    @Test("The same commands have the same results on the folder and through the service")
    func story() throws {
        let service = try LiveService()
        let why = ["--reason", "grüezi, wie gesagt\nzweimal"]
        let here = try Self.story("ben") { try service.local.run($0) }
        let there = try Self.story("kim") { try service.run($0) }
        #expect(here.count == there.count)
        for (here, there) in zip(here, there) { #expect(there == here) }
        #expect(try service.run(["record", "create", "--given-name", "Nora", "--yes"] + why).status == 0)
        let record = try #require(try service.local.json("record", "list").items.last).string("id")
        let entry = try service.json("weight", "log", record, "72.5kg").string("entry")
        try service.run(["entry", "retract", entry] + why).succeeded()
        let events = try service.json("entry", "history", entry).items
        #expect(try events.last?.string("reason") == why[1])
    }

    /// Returns the output of each step without the parts that differ between runs.
    private static func story(_ friend: String, _ run: Run) throws -> [String] {
        var told: [String] = []
        func tell(_ arguments: String...) throws -> Outcome {
            let outcome = try run(arguments)
            let text = "\(arguments.prefix(2)) \(outcome.status)\n\(outcome.text)\n\(outcome.message)"
            told.append(text.replacing(friend, with: "friend").withoutWhatPasses)
            return outcome
        }
        func made(_ arguments: String..., id: String) throws -> String {
            let outcome = try run(arguments + ["--format", "json"])
            told.append("\(outcome.status) \(outcome.text) \(outcome.message)".withoutWhatPasses)
            return try outcome.succeeded().json.string(id)
        }
        _ = try tell("account", "add", friend, "--email", "\(friend)@example.org")
        let token = try made("token", "issue", friend, "--scope", "read", "--expires", "2031-02-03", id: "id")
        _ = try tell("token", "issue", "owner", "--scope", "audit")
        _ = try tell("token", "revoke", token)
        _ = try tell("record", "create", "--given-name", "Nora", "--family-name", "Berg", "--yes")
        let record = try made(
            "record",
            "create",
            "--animal",
            "--name",
            "Luna",
            "--vet-phone",
            "+41 26 555",
            "--yes",
            id: "record"
        )
        _ = try tell("record", "set", record, "breed=Collie", "vet.email=vet@example.org", "vet.phone=")
        _ = try tell("record", "set", record, "breed=Collie")
        let weight = try made(
            "weight",
            "log",
            record,
            "21.50kg",
            "--date",
            "2024-05-06",
            "--comment",
            "wet",
            id: "entry"
        )
        _ = try tell("weight", "log", record, "21")
        _ = try tell("weight", "log", record, "21kg")
        _ = try tell("entry", "add", record, "vaccination", "name=Rabies", "place=Bern", "--date", "2024-10-03")
        _ = try tell("entry", "add", record, "cost", "year=2024", "amount=184.50", "currency=CHF", "basis=item")
        _ = try tell("entry", "add", record, "weight", "value=heavy")
        _ = try tell("entry", "add", record, "weight", "value=-1", "unit=kg")
        _ = try tell("entry", "add", record, "vaccination", "place=Bern")
        _ = try tell("entry", "add", record, "weight", "value=1", "unit=kg", "--id", weight)
        _ = try tell("entry", "correct", weight, "value=21.70", "comment=", "--reason", "misread the scale")
        _ = try tell("entry", "correct", weight, "value=21.70")
        _ = try tell("entry", "correct", weight, "colour=brown")
        _ = try tell("entry", "restore", weight)
        _ = try tell("entry", "retract", weight, "--reason", "that was the other dog")
        _ = try tell("entry", "correct", weight, "value=3")
        _ = try tell("entry", "list", record)
        _ = try tell("entry", "restore", weight)
        _ = try tell("entry", "history", weight)
        _ = try tell("caregiver", "grant", record, friend, "--sections", "doctorlist,groups", "--until", "2031-12-31")
        _ = try tell("caregiver", "grant", record, "nobody")
        _ = try tell("caregiver", "list", record)
        _ = try tell("caregiver", "revoke", record, friend, "--reason", "back from holidays")
        _ = try tell("caregiver", "revoke", record, friend)
        _ = try tell("caregiver", "accept", "hji_wrong")
        let invitation = try made("caregiver", "invite", record, "--days", "3", id: "id")
        _ = try tell("caregiver", "invite", record, "--days", "31")
        _ = try tell("caregiver", "withdraw", record, invitation)
        _ = try tell("caregiver", "withdraw", record, invitation)
        _ = try tell("caregiver", "invitations", record)
        _ = try tell("record", "owner", "add", record, friend)
        _ = try tell("record", "owner", "list", record, "--format", "json")
        _ = try tell("record", "owner", "remove", record, friend)
        _ = try tell("record", "owner", "remove", record, "owner")
        _ = try tell("costs", record)
        _ = try tell("record", "show", record)
        _ = try tell("export", record, "--as", "csv")
        _ = try tell("record", "receipt", record)
        _ = try tell("record", "close", record)
        _ = try tell("weight", "log", record, "22kg")
        _ = try tell("erase", record, "--yes", "--reason", "asked for")
        _ = try tell("erase", record, "--yes", "--reason", "asked for")
        _ = try tell("record", "show", record)
        _ = try tell("record", "receipt", record)
        let held = try made("record", "create", "--given-name", "Ada", id: "record")
        _ = try tell("record", "hold", held, "--until", "2036-12-31", "--reason", "a law")
        _ = try tell("record", "hold", held, "--until", "2035-12-31", "--reason", "a law")
        _ = try tell("erase", held, "--yes", "--reason", "asked for")
        _ = try tell("record", "transfer", held, friend, "--reason", "hers now")
        _ = try tell("record", "show", held)
        return told
    }

    @Test("A password can be set through a service, and changing one's own requires the current one")
    func password() throws {
        let service = try LiveService()
        func set(_ lines: String) throws -> Outcome {
            try service.run(["account", "password", "owner"], input: Array(lines.utf8))
        }
        try set("seven pale lanterns\n").succeeded()
        #expect(try set("eight pale lanterns\n").status == 1)
        #expect(try set("eight pale lanterns\nsix pale lanterns\n").status == 4)
        try set("eight pale lanterns\nseven pale lanterns\n").succeeded()
    }
}

extension String {
    /// The text without ids, secrets, positions and times, and without table spacing.
    fileprivate var withoutWhatPasses: String {
        self
            .replacing(#/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/#, with: "ID")
            .replacing(#/hj[it]?_[A-Za-z0-9_-]{20,}/#, with: "SECRET")
            .replacing(#/20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z/#, with: "TIME")
            .replacing(#/[A-Za-z0-9+/]{43,}=*/#, with: "HASH")
            .replacing(#/position[": ]*[0-9]+/#, with: "position N")
            .replacing(#/(^|\n) *[0-9]+ /#, with: "\nN ")
            .replacing(#/\b[0-9a-f]{8}-[0-9a-f]{4}(-[0-9a-f]{4})?/#, with: "ID")
            .replacing(#/,[0-9]+\s/#, with: ",N\n")
            .replacing(#/c2sp(.|\s)*/#, with: "PROOF")
            .replacing(#/[ ]+/#, with: " ")
    }
}
