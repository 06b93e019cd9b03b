import Foundation
import HealthModel
import Interchange
import TestSupport
import Testing

/// A practice made on the command line, with a specialist and animals.
private struct CommandClinic {
    let tool: CommandLineTool
    let dogs: [String]

    init(dogs count: Int) throws {
        tool = try CommandLineTool()
        let commands = [
            ["practice", "create", "name=Two Rooms", "zone=Europe/Zurich"],
            ["practice", "hours", "--from", "2020-01-01", "--usual", "mon-sun 00:00-24:00"],
            ["practice", "service", "add", "name=Check-up", "type=routine", "minutes=30"],
            ["specialist", "add", "name=Ada Roth"],
            ["practice", "member", "set", "owner", "--role", "veterinarian", "--role", "manager"],
        ]
        for command in commands { try tool.run(command).succeeded() }
        var dogs: [String] = []
        for number in 0..<count {
            let dog = try tool.json("record", "create", "--animal", "--name", "Dog \(number)").string("record")
            try tool.run("patient", "register", dog).succeeded()
            dogs.append(dog)
        }
        self.dogs = dogs
    }

    func booking(_ dog: Int, at time: String) throws -> ChildProcess {
        try tool.start("book", dogs[dog], "Check-up", "--at", time, "--specialist", "Ada Roth")
    }

    func verify() throws {
        let result = try tool.run(ChildProcess.shipped("healthjournal-replay"), ["verify", "--views"])
        try result.succeeded()
        #expect(result.text.contains("agree"), "\(result.text)")
    }
}

@Suite("Bookings by several processes at once")
struct ClinicProcessTests {
    @Test("Of several processes that book one time, one succeeds; those that book different times all do")
    func races() throws {
        let clinic = try CommandClinic(dogs: 6)
        let same = try (0..<6).map { try clinic.booking($0, at: "2199-03-04T10:00") }
        #expect(same.map { $0.wait() }.sorted() == [0, 4, 4, 4, 4, 4])
        let loser = try clinic.tool.run(
            "book",
            clinic.dogs[0],
            "Check-up",
            "--at",
            "2199-03-04T10:15",
            "--specialist",
            "Ada Roth"
        )
        #expect(loser.status == 4)
        #expect(loser.message.contains("free instead:\n  2199-03-04T10:30  Ada Roth"))
        let times = ["08:00", "08:30", "09:00", "11:00", "11:30", "12:00"]
        let different = try times.enumerated().map { try clinic.booking($0.offset, at: "2199-03-04T\($0.element)") }
        #expect(different.map { $0.wait() } == Array(repeating: 0, count: 6))
        let day = try clinic.tool.json("appointments", "--day", "2199-03-04")
        let starts = day["appointments"]?.items.compactMap { try? $0.string("wall") } ?? []
        #expect(starts == (times + ["10:00"]).sorted().map { "2199-03-04T\($0)" })
        try clinic.verify()
    }

    @Test("Random histories of many clients at two services that are killed have no overlap and lose nothing")
    func randomHistories() throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Bookings/bookings.py")
            .path
        let seed = SeededGenerator("random bookings").seed
        let arguments = [
            script, "--histories", "20", "--kill-seconds", "0.5", "--seed", String(seed),
            "--program", ChildProcess.shipped("healthjournal"),
            "--replay", ChildProcess.shipped("healthjournal-replay"),
        ]
        let outcome = try Outcome(of: "/usr/bin/python3", arguments)
        #expect(outcome.status == 0, "HEALTHJOURNAL_SEED=\(seed)\n\(outcome.text)\n\(outcome.message)")
        #expect(outcome.text.hasSuffix("passed\n"))
    }

    @Test("A move that is killed at any moment leaves the old time or the new one, never both and never neither")
    func killedMoves() throws {
        let clinic = try CommandClinic(dogs: 1)
        var random = SeededGenerator("killed moves")
        let booked = try clinic.tool.json(
            "book",
            clinic.dogs[0],
            "Check-up",
            "--at",
            "2199-03-04T10:00",
            "--specialist",
            "Ada Roth"
        )
        let id = try booked.string("entry")
        let times = ["2199-03-04T10:00", "2199-03-04T14:00"]
        var seen: Set<String> = []
        for round in 0..<10 {
            let move = try clinic.tool.start("appointment", "move", id, "--to", times[(round + 1) % 2])
            move.kill(after: Int.random(in: 0..<400, using: &random))
            _ = move.wait()
            let shown = try clinic.tool.json("appointment", "show", id)
            let now = try shown.string("wall")
            seen.insert(now)
            let slots = try clinic.tool.json("slots", "Check-up", "--from", "2199-03-04")
            let free = Set(slots["slots"]?.items.compactMap { try? $0.string("wall") } ?? [])
            let taken = times.filter { !free.contains($0) }
            #expect(taken == [now], "HEALTHJOURNAL_SEED=\(random.seed) round \(round)")
        }
        #expect(seen.isSubset(of: Set(times)))
        try clinic.verify()
    }

    @Test("The desk: clients, waiting list, recalls, triage, each command with its answer")
    func desk() throws {
        let clinic = try CommandClinic(dogs: 2)
        let (tool, dog) = (clinic.tool, clinic.dogs[0])
        try tool.run("client", "add", "firstName=Clara", "lastName=Keller", "email=c@x.ch").succeeded()
        let taken = try tool.run("client", "add", "lastName=Other", "email=C@X.ch")
        #expect(taken.status == 4)
        #expect(taken.message.contains("email"))
        try tool.run("patient", "register", dog, "--client", "Clara Keller", "--alerts", "bites").succeeded()
        try tool.run("patient", "register", dog, "--number", "P-7").succeeded()
        let patients = try tool.run("patient", "list").succeeded().text
        #expect(patients.contains("P-7"))
        #expect(patients.contains("Clara Keller"))
        #expect(patients.contains("bites"))
        try tool.run("waiting", "add", dog, "Check-up", "--urgency", "soon", "--hours", "mon-sun 08:00-12:00")
            .succeeded()
        let suits = try tool.run("waiting", "list", "--fits", "2199-03-04T10:00").succeeded().text
        #expect(suits.contains("Dog 0"))
        #expect(try tool.run("waiting", "list", "--fits", "2199-03-04T14:00").message.contains("nobody"))
        try tool.run("patient", "recall", dog, "Check-up", "--due", "2027-03-01").succeeded()
        #expect(try tool.run("recalls", "--due", "2027-03-01").text.contains("2027-03-01  Dog 0"))
        let refused = try tool.run("triage", "rules", "adopt", "none/1", "--veterinarian", "Ada")
        #expect(refused.status == 2)
        #expect(refused.message.contains("hj-triage/1"))
        try tool.run("triage", "rules", "adopt", "hj-triage/1", "--veterinarian", "Dr. Ada Roth").succeeded()
        let triage = try tool.json("triage", "begin", dog, "--complaint", "limps").string("entry")
        try tool.run("triage", "assess", triage, "--sign", "lame", "airway=normal").succeeded()
        let board = try tool.run("triage", "board").succeeded().text
        #expect(board.contains("3 yellow"))
        #expect(board.contains("limps"))
        let explained = try tool.run("triage", "explain", triage).succeeded().text
        #expect(explained.contains("the same to the byte"))
        try tool.run("triage", "take", triage, "--specialist", "Ada Roth").succeeded()
        let again = try tool.run("triage", "take", triage)
        #expect(again.status == 4)
        #expect(again.message.contains("cannot be taken"))
        try clinic.verify()
    }

    @Test("A specialist who ends gives what fits to another one, and a practice closes when nothing is ahead")
    func endings() throws {
        let clinic = try CommandClinic(dogs: 3)
        try clinic.tool.run("specialist", "add", "name=Ben Meier").succeeded()
        let day = Day(of: Instant(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))).adding(days: 30)
        func book(_ dog: Int, _ time: String, _ specialist: String, _ more: String...) throws -> Outcome {
            try clinic.tool.run(
                ["book", clinic.dogs[dog], "Check-up", "--at", "\(day)T\(time)", "--specialist", specialist] + more
            )
        }
        let possible = try book(0, "09:00", "Ada Roth", "--dry-run")
        #expect(possible.status == 0)
        #expect(possible.text == "possible\n")
        try book(0, "09:00", "Ada Roth").succeeded()
        #expect(try book(1, "09:00", "Ada Roth", "--dry-run").status == 4)
        try book(1, "10:00", "Ada Roth").succeeded()
        try book(2, "10:00", "Ben Meier").succeeded()

        let mistyped = try clinic.tool.run("specialist", "end", "Ada Roth", "--from", "\(day)", "--move-to", "Bne")
        #expect(mistyped.status != 0)
        let ended = try clinic.tool.run("specialist", "end", "Ada Roth", "--from", "\(day)", "--move-to", "Ben Meier")
        try ended.succeeded()
        #expect(ended.message.contains("\nmoved: Dog 0, \(day)T09:00") || ended.message.hasPrefix("moved: Dog 0"))
        #expect(ended.message.contains("not moved: Dog 1, \(day)T10:00"), "\(ended.message)")
        #expect(try book(0, "11:00", "Ada Roth").status == 4)
        let early = try clinic.tool.run("specialist", "erase", "Ada Roth", "--reason", "asked for", "--yes")
        #expect(early.status == 4)
        #expect(early.message.contains("still works"))

        let refused = try clinic.tool.run("practice", "close")
        #expect(refused.status == 4)
        #expect(refused.message.contains("3 appointments are ahead, the last one on \(day)"))
        let closed = try clinic.tool.run("practice", "close", "--cancel-future", "--reason", "moved away")
        try closed.succeeded()
        #expect(closed.message.split(separator: "\n").count { $0.hasPrefix("cancelled: Dog") } == 3)
        let list = try clinic.tool.json("appointments", "--day", "\(day)")
        let codes = list["appointments"]?.items.compactMap { try? $0.string("cancelCode") } ?? []
        #expect(codes == ["closed", "closed", "closed"])
        try clinic.verify()
    }

    @Test("A series is booked, and a taken time stops it or is left out")
    func series() throws {
        let clinic = try CommandClinic(dogs: 2)
        func book(_ dog: Int, _ more: String...) throws -> Outcome {
            try clinic.tool.run(
                ["book", clinic.dogs[dog], "Check-up", "--at", "2199-03-04T10:00", "--specialist", "Ada Roth"] + more
            )
        }
        try book(0, "--every", "2 weeks", "--times", "2").succeeded()
        let taken = try book(1, "--every", "week", "--times", "3")
        #expect(taken.status == 4 && taken.message.contains("2199-03-04T10:00: specialist is not free"))
        let made = try book(1, "--every", "week", "--times", "3", "--skip-taken")
        #expect(made.status == 0, "\(made.text)")
        #expect(made.text.hasPrefix("booked: 2199-03-11T10:00, "), "\(made.text)")
        #expect(made.text.split(separator: "\n").count == 1)
        #expect(made.message.contains("left out: 2199-03-18T10:00: specialist is not free"))
        for wrong in [["--every", "week"], ["--every", "4 months", "--times", "2"], ["--skip-taken"]] {
            let result = try clinic.tool.run(["book", clinic.dogs[0], "Check-up", "--at", "2199-03-04T10:00"] + wrong)
            #expect(result.status == 64, "\(wrong): \(result.message)")
        }
        try clinic.verify()
    }

    @Test("A specialist joins a second practice, whose bookings the first one sees as busy, and leaves it again")
    func branches() throws {
        let clinic = try CommandClinic(dogs: 2)
        let tool = clinic.tool
        try tool.run("practice", "create", "name=North Branch", "zone=Europe/Zurich").succeeded()
        let branch = ["--practice", "North Branch"]
        let commands = [
            ["practice", "hours", "--from", "2020-01-01", "--usual", "mon-sun 00:00-24:00"],
            ["practice", "service", "add", "name=Visit", "type=routine", "minutes=30"],
            ["patient", "register", clinic.dogs[0]],
        ]
        for command in commands { try tool.run(command + branch).succeeded() }
        let visit = ["book", clinic.dogs[0], "Visit", "--at", "2199-03-04T10:00", "--specialist", "Ada Roth"] + branch
        #expect(try tool.run(visit).message.contains("there is no such specialist"))
        let unnamed = try tool.run("specialist", "join", "Ada Roth")
        #expect(unnamed.status != 0)
        #expect(unnamed.message.contains("choose one with --practice"))
        let joined = try tool.run(["specialist", "join", "ada roth"] + branch)
        #expect(joined.status == 0)
        #expect(joined.text.hasPrefix("Ada Roth works in North Branch"))
        try tool.run(visit).succeeded()
        let taken = try tool.run(
            ["book", clinic.dogs[1], "Check-up", "--at", "2199-03-04T10:15", "--specialist", "Ada Roth"]
                + ["--practice", "Two Rooms"]
        )
        #expect(taken.status == 4)
        #expect(taken.message.contains("not free"))
        try tool.run(["specialist", "leave", "Ada Roth", "--from", "2199-01-01"] + branch).succeeded()
        #expect(try tool.run(["specialist", "list"] + branch).text.contains("2199-01-01"))
        #expect(try !tool.run("specialist", "list", "--practice", "Two Rooms").text.contains("2199-01-01"))
        try clinic.verify()
    }
}
