import Foundation
import Interchange
import TestSupport
import Testing

/// Replicas on the command line, with a service that runs.
@Suite("Replicas on the command line")
struct ReplicaTests {
    private let service: LiveService
    private let record: String
    private let plan: String

    init() throws {
        service = try LiveService()
        record = try service.local.person()
        plan = try service.local
            .json(
                "plan",
                "add",
                record,
                "Lisinopril",
                "--unit",
                "tablet",
                "--daily",
                "08:00=1",
                "--from",
                "2026-03-01"
            )
            .string("entry")
    }

    @Test("Two devices that report one dose: within minutes it is one; apart, somebody decides; taken counts")
    func doses() throws {
        let (a, b) = (try PocketReplica(of: service, "phone"), try PocketReplica(of: service, "tablet"))
        let slots = ["2026-03-02", "2026-03-03", "2026-03-04"].map { "\(plan)@\($0)T08:00" }
        try a.run("dose", "take", slots[0], "--at", "2026-03-02T08:02:00Z").succeeded()
        try b.run("dose", "take", slots[0], "--at", "2026-03-02T08:03:00Z").succeeded()
        try a.run("dose", "take", slots[1], "--at", "2026-03-03T08:02:00Z").succeeded()
        try b.run("dose", "take", slots[1], "--at", "2026-03-03T08:40:00Z").succeeded()
        try a.run("dose", "take", slots[2], "--at", "2026-03-04T08:02:00Z").succeeded()
        let said = try b.run("dose", "skip", slots[2], "--why", "forgot")
        #expect(said.message.contains("3 changes wait since"), "\(said.message)")
        #expect(try a.json("replica", "status").integer("waiting") == 3)
        try a.sync()
        #expect(try b.sync().integer("diverged") == 2)
        try a.sync()
        try b.sync()
        try service.expectSame([a, b], record: record)
        let doses = try a.json("entry", "list", record, "dose").items
        #expect(
            try doses.map { try $0.string("date") } == [
                "2026-03-02T08:02:00Z", "2026-03-03T08:02:00Z", "2026-03-04T08:02:00Z",
            ]
        )
        #expect(try doses.map { try $0.string("status") } == ["taken", "taken", "taken"])
        let open = try a.json("divergences").items
        #expect(open.count == 2)
        let apart = try #require(try open.first { try $0.string("entry") == doses[1].string("id") })
        try a.run("settle", String(apart.integer("position")), "--both").succeeded()
        try a.sync()
        try b.sync()
        #expect(try b.json("divergences").items.count == 1)
        #expect(try b.json("entry", "list", record, "dose").items.count == 4)
        try service.expectSame([a, b], record: record)
    }

    @Test("Changes of different fields both stand; of two dosings the later is shown whole, the other is kept")
    func plans() throws {
        let (a, b) = (try PocketReplica(of: service, "phone"), try PocketReplica(of: service, "tablet"))
        try a.run("entry", "correct", plan, "comment=with food").succeeded()
        try b.run("plan", "change", plan, "--effective", "2027-01-01", "--daily", "09:00=2").succeeded()
        for replica in [a, b, a] { try replica.sync() }
        try service.expectSame([a, b], record: record)
        let both = try a.json("entry", "list", record, "drug").items.first
        #expect(try both?.string("comment") == "with food")
        #expect(try a.json("divergences").items.isEmpty)
        try a.run("plan", "change", plan, "--effective", "2027-02-01", "--daily", "07:00=3").succeeded()
        try b.run("plan", "change", plan, "--effective", "2027-02-01", "--daily", "21:00=4").succeeded()
        // The order in which they arrive does not matter: the later change is shown.
        for replica in [b, a, b] { try replica.sync() }
        try service.expectSame([a, b], record: record)
        let days = ["--from", "2027-02-01", "--to", "2027-02-02", "--format", "json"]
        let due = try a.tool.run(["due", record] + days + ["--journal", a.path]).succeeded().json.items
        #expect(try due.map { try $0.string("wall") } == ["2027-02-01T21:00"])
        let kept = try #require(try a.json("divergences").items.first)
        let text = JSONWriter.text(kept)
        #expect(text.contains("07:00"))
        #expect(text.contains("21:00"))
        // On the screen, the rules are in words.
        let shown = try a.run("divergences").succeeded().text
        #expect(shown.contains("daily 07:00=3"), "\(shown)")
        #expect(shown.contains("daily 21:00=4"), "\(shown)")
        #expect(!shown.contains("{") && !shown.contains("\"id\""), "\(shown)")
    }

    @Test("A revoked grant, and an erased record: refused changes are kept, and nothing readable is left")
    func forgetting() throws {
        let token = try service.helper("Anna", on: record)
        let phone = try PocketReplica(of: service, "phone", token: token)
        let own = try PocketReplica(of: service, "tablet")
        #expect(try phone.json("entry", "list", record, "drug").items.count == 1)
        try phone.run("weight", "log", record, "71kg", "--reason", "Zwischenfall").succeeded()
        try service.local.run("caregiver", "revoke", record, "Anna").succeeded()
        try phone.sync()
        let status = try phone.json("replica", "status")
        #expect(status["refused"]?.items.count == 1)
        #expect(status["records"]?.items.isEmpty == true)
        #expect(try phone.run("entry", "list", record, "drug").status != 0)
        let lines = try phone.run("replica", "outbox").succeeded().text
        #expect(lines.contains("\"71\""))
        #expect(lines.contains("refused"))
        // Once printed, it can be given up.
        let id = try #require(try status["refused"]?.items.first?.string("id"))
        try phone.run("replica", "outbox", "--discard", id).succeeded()
        #expect(try phone.json("replica", "status")["refused"]?.items.isEmpty == true)
        try own.run("weight", "log", record, "72kg").succeeded()
        try service.local.run("erase", record, "--reason", "asked for it", "--yes").succeeded()
        let erasing = try own.tool.run(own.syncing())
        #expect(erasing.status == 0, "\(erasing.message)")
        #expect(erasing.message.contains("erased here too"), "\(erasing.message)")
        #expect(!erasing.message.contains("kept here"))
        #expect(try own.json("record", "list").items.isEmpty)
        #expect(try own.json("replica", "status").integer("waiting") == 0)
        for (replica, text) in [(phone, "Zwischenfall"), (own, "Zumsteg"), (own, "Lisinopril")] {
            let found = try replica.tool.run("/usr/bin/grep", ["-r", "-a", "-l", text, replica.path])
            #expect(found.status == 1, "\(found.text)")
        }
    }

    @Test("Without a connection, changes are saved and sync fails; what needs the service is refused")
    func withoutService() throws {
        let phone = try PocketReplica(of: service, "phone")
        let nowhere = phone.syncing(at: "http://127.0.0.1:9")
        try phone.run("weight", "log", record, "71kg").succeeded()
        let failed = try phone.tool.run(nowhere)
        #expect(failed.status == 1)
        #expect(failed.message.contains("no service answers"))
        // Without a token the service is not asked.
        #expect(try phone.json("replica", "status")["isOnline"] == .null)
        for (url, isOnline) in [("http://127.0.0.1:9", false), (service.url, true)] {
            let asked = try phone.tool.run(
                ["replica", "status", "--journal", phone.path, "--format", "json"] + phone.connection(to: url)
            )
            #expect(try asked.succeeded().json["isOnline"] == .bool(isOnline))
            #expect(try asked.json["syncInProgress"] == false)
        }
        #expect(try phone.json("replica", "status").integer("waiting") == 1)
        for command in [
            ["caregiver", "list", record], ["record", "create", "--given-name", "B"],
            ["erase", record, "--reason", "x", "--yes"],
            ["account", "list"], ["serve"], ["backup", phone.tool.folder.path + "/b"],
            ["interactions", "check", record], ["calendar", "link", record], ["init"], ["views", "rebuild"],
        ] {
            let outcome = try phone.tool.run(command + ["--journal", phone.path])
            #expect(outcome.status != 0, "\(command): \(outcome.message)")
            #expect(outcome.status != 64, "\(command): \(outcome.message)")
            #expect(outcome.message.contains("--url"), "\(command): \(outcome.message)")
        }
        // A folder that is no replica, and one that is there already.
        #expect(try service.local.run("sync").status == 2)
        #expect(try phone.tool.run(["replica", "init", phone.path, "--url", service.url]).status != 0)
        #expect(try phone.sync().integer("taken") == 1)
        #expect(try phone.sync().integer("sent") == 0)
    }
}

extension LiveService {
    /// Creates an account that may read and add to a record, and returns its token.
    fileprivate func helper(_ name: String, on record: String) throws -> String {
        try local.run("account", "add", name).succeeded()
        try local.run(
            "caregiver",
            "grant",
            record,
            name,
            "--sections",
            "myhealth",
            "--verbs",
            "read,contribute"
        )
        .succeeded()
        return try local.json("token", "issue", name, "--scope", "full").string("token")
    }
}
