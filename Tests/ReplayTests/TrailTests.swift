import ArgumentParser
import EventLog
import Foundation
import HealthModel
import Interchange
import TestSupport
import Testing

@testable import replay

@Suite("Audit trail")
struct TrailTests {
    @Test("Each event is one row, in the order of the log")
    func rowPerEvent() async throws {
        let house = try await Household.withHistory()
        let answer = try Tool(house).run("trail", "--format", "json")
        #expect(answer.status == 0)
        #expect(answer.message == "")
        let rows = try answer.lines
        #expect(rows.map { $0["position"]?.number } == (1...21).map { String($0) })
        #expect(rows.map { $0["type"]?.string } == house.recorded.map(\.type.name))
        #expect(rows[8]["recordedAt"]?.string == "2024-05-03T00:00:00Z")
        #expect(rows[8]["actorName"]?.string == "owner")
        #expect(rows[8]["record"]?.string == Household.maria.text)
        #expect(rows[8]["entry"]?.string == Household.weight.text)
        #expect(rows[8]["kind"]?.string == "weight")
        #expect(rows[8]["streamPosition"]?.number == "2")
        #expect(rows[8]["source"]?.string == "commandLine")
        #expect(rows[8]["reason"]?.string == "read off wrongly")
        #expect(rows[18]["record"] == nil)
    }

    @Test(
        "A row describes its event and lists the changed fields",
        arguments: [
            (7, "Weight 72.5 kg of Maria Keller", ["date: – → 2024-04-30", "value: – → 72.5", "unit: – → kg"]),
            (8, "Doctor Dr. Frei of Maria Keller", ["name: – → Dr. Frei", "address.city: – → Bern"]),
            (9, "Weight 72.4 kg of Maria Keller", ["value: 72.5 → 72.4"]),
            (10, "anna for Maria Keller", ["sections: – → doctorlist", "verbs: – → read"]),
            (11, "Maria Keller: read doctors, 1 entry, by the grant at position 10 (a visit)", []),
            (12, "Maria Keller: denied read health", []),
            (13, "anna for Maria Keller", ["sections: doctorlist → –", "verbs: read → –"]),
            (15, "Weight 72.4 kg of Maria Keller", ["retracted: – → true"]),
            (16, "record of Maria Keller", ["nickName: – → Mia"]),
            (17, "Weight 72.4 kg of Maria Keller", ["retracted: true → –"]),
            (18, "Cost 2024 99.00 CHF of Maria Keller", ["amount: 120.50 → 99.00"]),
            (19, "stream scale/bath, application/json, 11 bytes", []),
            (3, "account anna", ["name: – → anna", "kind: – → person", "email: – → a@b.ch"]),
        ]
    )
    func changedFields(position: UInt64, what: String, changes: [String]) async throws {
        let house = try await Household.withHistory()
        var reader = TrailReader(house.opened, names: try house.opened.names(through: position))
        let row = reader.row(of: try house.log.event(at: position))
        #expect(row.what == what)
        #expect(row.changes.map { $0.shown() } == changes)
        #expect(row.json.changes == changes)
        #expect(row.state == .read)
    }

    @Test("An event that replaces the previous one of its type shows what it changed")
    func replacedValues() async throws {
        let house = try await Household.withHistory()
        let account = Household.id(41)
        try await house.append(.accountAdded(AccountProfile(name: "lea")), about: account)
        for name in ["Lea", "Lea K."] {
            let details = AccountDetails(email: "lea@example.org", displayName: name)
            try await house.append(.profileSet(details), about: account)
        }
        var reader = TrailReader(house.opened, names: ShownNames())
        let head = try house.log.head()
        let rows = try (head - 2...head).map { reader.row(of: try house.log.event(at: $0)) }
        #expect(rows[1].changes.map { $0.shown() } == ["email: – → lea@example.org", "displayName: – → Lea"])
        #expect(rows[2].changes.map { $0.shown() } == ["displayName: Lea → Lea K."])
        #expect(rows[2].what == "the profile of lea")
        for day in ["2040-01-01", "2041-01-01"] {
            try await house.append(.recordHeld(until: try Day(parsing: day)), about: Household.maria)
        }
        let hold = reader.row(of: try house.log.event(at: house.log.head()))
        #expect(hold.changes.map { $0.shown() } == ["heldUntil: 2040-01-01 → 2041-01-01"])
    }

    @Test("An event that sets the state of another type of event shows what it changed in it, with names")
    func replacedStates() async throws {
        let house = try await Household.withHistory()
        let (practice, ada, appointment) = (Household.id(42), Household.id(43), Household.id(44))
        let (checkUp, surgery) = (Household.id(45), Household.id(46))
        func profile<Profile: ClinicProfile>(_ values: [(String, String)]) throws -> Profile {
            var profile = Profile(values: FieldValues())
            for (name, text) in values { try profile.set(name, text: text) }
            return profile
        }
        func details(_ wall: String) throws -> AppointmentDetails {
            AppointmentDetails(
                practice: practice,
                service: checkUp,
                type: .routine,
                start: try Instant(parsing: "\(wall):00Z"),
                wall: try WallMoment(parsing: wall),
                zone: "UTC",
                minutes: 30,
                specialist: ada
            )
        }
        func service(_ id: UUID, _ name: String, _ minutes: String) throws -> JournalEvent {
            JournalEvent(ServiceSet(service: id, profile: try profile([("name", name), ("minutes", minutes)])))
        }
        try await house.append(
            JournalEvent(PracticeCreated(profile: try profile([("name", "Two Rooms"), ("zone", "UTC")]))),
            about: practice
        )
        try await house.append(
            JournalEvent(SpecialistAdded(practice: practice, profile: try profile([("name", "Ada")]))),
            about: ada
        )
        for event in [
            try service(checkUp, "Check-up", "30"), try service(surgery, "Surgery", "60"),
            try service(checkUp, "Check-up", "20"),
        ] { try await house.append(event, about: practice) }
        for event in [
            JournalEvent(AppointmentHeld(details: try details("2030-01-01T10:00"), until: .init(microseconds: 0))),
            JournalEvent(AppointmentBooked(details: try details("2030-01-01T10:00"))),
            JournalEvent(AppointmentRescheduled(details: try details("2030-01-01T11:00"))),
            JournalEvent(AppointmentReassigned(details: try details("2030-01-01T11:30"))),
        ] { try await house.append(event, about: Household.maria, stream: appointment, entry: appointment) }
        var reader = TrailReader(house.opened, names: ShownNames())
        let head = try house.log.head()
        let rows = try (head - 8...head).map { reader.row(of: try house.log.event(at: $0)).changes.map { $0.shown() } }
        #expect(rows[1] == ["practice: – → Two Rooms", "profile.name: – → Ada"])
        #expect(rows[3].first == "service: – → Surgery")
        #expect(rows[4] == ["profile.minutes: 30 → 20"])
        #expect(
            rows[5] == [
                "details.practice: – → Two Rooms", "details.service: – → Check-up", "details.type: – → routine",
                "details.start: – → 2030-01-01T10:00:00Z", "details.wall: – → 2030-01-01T10:00",
                "details.zone: – → UTC", "details.minutes: – → 30", "details.specialist: – → Ada",
                "until: – → 1970-01-01T00:00:00Z",
            ]
        )
        #expect(rows[6] == [])
        #expect(
            rows[7] == [
                "details.start: 2030-01-01T10:00:00Z → 2030-01-01T11:00:00Z",
                "details.wall: 2030-01-01T10:00 → 2030-01-01T11:00",
            ]
        )
        #expect(rows[8].contains("details.wall: 2030-01-01T11:00 → 2030-01-01T11:30"))
        // From an erasure on, a trail that is being followed names neither the record nor the specialist.
        reader.names = try house.opened.names(through: head)
        #expect(reader.names.name(ada) == "Ada")
        #expect(reader.names.record(Household.maria) == "Maria Keller")
        for erased in [ada, Household.maria] {
            let position = try await house.append(.recordErased, about: Household.owner, stream: erased, entry: erased)
            _ = reader.row(of: try house.log.event(at: position))
            #expect(reader.names.name(erased) == nil)
        }
    }

    @Test(
        "Each combination of filters admits exactly the matching events",
        arguments: [
            (["--record", Household.maria.text], Array(6...18)),
            (["--record", "07000007"], [20, 21]),
            (["--entry", Household.weight.text], [7, 9, 15, 17]),
            (["--actor", "anna"], [11, 12]),
            (["--actor", Household.scale.text], [19]),
            (["--type", "entry.corrected"], [9, 18]),
            (["--type", "access"], [11, 12]),
            (["--type", "entry.corrected", "--type", "access"], [9, 11, 12, 18]),
            (["--since", "20"], [20, 21]),
            (["--until", "2"], [1, 2]),
            (["--since", "2024-05-02", "--until", "2024-05-02"], [5, 6, 7, 8]),
            (["--since", "2024-05-01T06:00:00Z", "--until", "2024-05-01T12:00:00Z"], [2, 3]),
            (["--record", Household.maria.text, "--limit", "2"], [17, 18]),
            (["--limit", "100"], Array(1...21)),
            (["--entry", Household.weight.text, "--since", "9", "--limit", "1"], [17]),
            (["--until", "0"], []),
        ]
    )
    func filters(arguments: [String], positions: [Int]) async throws {
        let house = try await Household.withHistory()
        let command = try TrailCommand.parse(arguments + ["--journal", house.path])
        let journal = house.opened
        let filter = try command.filter(in: journal)
        var found: [Int] = []
        try journal.log.forEachFrame(through: filter.through) { frame in
            if filter.admits(frame) { found.append(Int(frame.position)) }
            return true
        }
        #expect(found == positions)
    }

    @Test("A line break or control sequence in a value is escaped, so that it cannot forge a row")
    func escapesCells() async throws {
        let house = try await Household.withHistory()
        var content = try Household.content(Weight.kind, [("value", "1")])
        content.comment = "a\n99  forged\u{1B}[2J"
        try await house.append(.entryAdded(content), about: Household.luna, entry: Household.id(30))
        let answer = try Tool(house).run("trail", "--entry", Household.id(30).text)
        #expect(answer.status == 0)
        #expect(answer.text.split(separator: "\n").count == 2)
        #expect(answer.text.contains("\\n99  forged\\u{1b}[2J"))
    }

    @Test("The CSV, HTML and table formats have the same rows")
    func otherFormats() async throws {
        let house = try await Household.withHistory()
        let csv = try Tool(house).run("trail", "--entry", Household.weight.text, "--format", "csv").text
        let rows = csv.split(separator: "\r\n")
        #expect(rows.count == 5)
        #expect(rows.first?.hasPrefix("position,recordedAt,actor,actorName,source,type") == true)
        #expect(rows[2].contains("value: 72.5 → 72.4"))
        let html = try Tool(house).run("trail", "--entry", Household.weight.text, "--format", "html").text
        #expect(html.components(separatedBy: "<tr>").count == 6)
        #expect(html.contains("value: 72.5 → 72.4"))
        let table = try Tool(house).run("trail", "--entry", Household.weight.text).text
        #expect(table.split(separator: "\n").count == 5)
        #expect(table.contains("value: 72.5 → 72.4"))
    }

    @Test(
        "A missing record, account or position ends with status 2, and an invalid argument with status 64",
        arguments: [
            (["--record", "ffffffff"], 2), (["--record", "abc"], 2), (["--record", "zzzzzzzzz"], 2),
            (["--actor", "nobody"], 2), (["--type", "entry.eaten"], 64), (["--since", "yesterday"], 64),
            (["--until", "22"], 2), (["--limit", "0"], 64), (["--format", "xml"], 64),
        ] as [([String], Int32)]
    )
    func errorStatus(arguments: [String], status: Int32) async throws {
        let house = try await Household.withHistory()
        let answer = try Tool(house).run(["trail"] + arguments)
        #expect(answer.status == status)
        #expect(answer.output.isEmpty)
        #expect(!answer.message.isEmpty)
    }

    @Test("An id prefix of two records is refused, and the error lists both")
    func ambiguousPrefix() async throws {
        let house = try await Household.withHistory()
        let other = UUID(uuid: (6, 0, 0, 6, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 99))
        try await house.append(.recordCreated(RecordProfile(subject: .animal), owners: []), about: other)
        let answer = try Tool(house).run("trail", "--record", "06000006")
        #expect(answer.status == 64)
        #expect(answer.message.contains(other.text))
        #expect(answer.message.contains(Household.maria.text))
    }

    @Test("An output that its reader closes is not an error")
    func closedOutput() async throws {
        let house = try await Household.withHistory()
        let child = try Tool(house).start("trail", "--format", "json", isHeard: false)
        #expect(child.wait() == 0)
        #expect(child.readMessages().isEmpty)
    }
}
