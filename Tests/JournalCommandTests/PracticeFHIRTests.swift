import Foundation
import HealthModel
import Interchange
import TestSupport
import Testing

/// An exported Bundle.
private struct Exported {
    let resources: [JSONValue]

    init(_ tool: CommandLineTool, in year: Int, _ more: String...) throws {
        let arguments =
            ["practice", "export", "--as", "fhir", "--from", "\(year)-01-01", "--to", "\(year)-12-31"] + more
        let bundle = try tool.run(arguments).succeeded().json
        resources = bundle["entry"]?.items.compactMap { $0["resource"] } ?? []
    }

    func all(_ type: String) -> [JSONValue] { resources.filter { $0["resourceType"] == .string(type) } }

    func one(_ type: String, _ matches: (JSONValue) -> Bool) throws -> JSONValue {
        let found = all(type).filter(matches)
        try #require(found.count == 1, "\(type): \(found.count)")
        return found[0]
    }
}

@Suite("Practices as FHIR R4")
struct PracticeFHIRTests {
    /// The practice of the fixture, with a room, a waiting patient, a time that is reserved, one that was cancelled, and
    /// more.
    private func clinic() throws -> CommandLineTool {
        let tool = try CommandLineTool()
        let file = try tool.write(VetNetTexts.whole, to: "practice.json")
        _ = try tool.run("import", "vetnet", file)
        let commands = [
            ["practice", "member", "set", "owner", "--role", "veterinarian", "--role", "manager"],
            ["practice", "set", "phone=+41 44 555 09 00", "location.address.city=Zürich"],
            ["practice", "room", "add", "name=Room 1"],
            ["practice", "service", "add", "name=Check-up", "type=routine", "minutes=30", "bufferAfter=10"],
            [
                "practice", "hours", "--from", "2020-01-01", "--usual", "mon-fri 08:00-12:00,13:00-17:00",
                "--usual", "sat 18:00-02:00", "--emergency", "sun 20:00-06:00",
            ],
            [
                "practice", "room", "block", "Room 1", "--from", "\(Self.soon)T08:00:00Z", "--until",
                "\(Self.soon)T09:00:00Z",
            ],
            [
                "specialist", "absent", "Ada Roth", "--from", "2199-03-06T00:00:00Z", "--until", "2199-03-07T00:00:00Z",
                "--why", "sick",
            ],
            ["waiting", "add", Self.luna, "Check-up", "--until", "2070-03-31", "--note", "mornings"],
        ]
        for command in commands { try tool.run(command).succeeded() }
        return tool
    }

    /// A day in a month: blocked times are listed for a year ahead.
    private static let soon = Day(of: Instant(microseconds: Int64(Date().timeIntervalSince1970 * 1e6))).adding(days: 30)
    private static let luna = "6f9619ff-8b86-4d01-b42d-00cf4fc96405"
    private static let stray = "6f9619ff-8b86-4d01-b42d-00cf4fc96407"

    private func book(_ tool: CommandLineTool, _ patient: String, at time: String, _ more: String...) throws -> String {
        let arguments = ["book", patient, "Check-up", "--at", time, "--specialist", "Ada Roth", "--room", "Room 1"]
        return try tool.run(arguments + more + ["--format", "json"]).succeeded().json.string("entry")
    }

    @Test("Appointments have the status, the times by the practice's clock and the participants that were agreed")
    func appointments() throws {
        let tool = try clinic()
        let scheduled = try book(tool, Self.luna, at: "2199-07-04T10:00", "--purpose", "limps")
        let confirmed = try book(tool, Self.luna, at: "2199-01-03T10:00")
        try tool.run("appointment", "confirm", confirmed).succeeded()
        let cancelled = try book(tool, Self.stray, at: "2199-07-05T10:00")
        try tool.run("appointment", "cancel", cancelled, "--code", "ill").succeeded()
        let exported = try Exported(tool, in: 2199)
        func appointment(_ id: String) throws -> JSONValue {
            try exported.one("Appointment") { $0["id"] == .string(id) }
        }
        let (one, two, three) = (try appointment(scheduled), try appointment(confirmed), try appointment(cancelled))
        #expect(one["status"] == "booked")
        #expect(two["status"] == "booked")
        #expect(three["status"] == "cancelled")
        // Summer and winter time.
        #expect(one["start"] == "2199-07-04T10:00:00+02:00")
        #expect(one["end"] == "2199-07-04T10:30:00+02:00")
        #expect(two["start"] == "2199-01-03T10:00:00+01:00")
        #expect(one["reasonCode"]?.items.first?["text"] == "limps")
        #expect(three["cancelationReason"]?["text"] == "ill")
        let names = one["participant"]?.items.compactMap { try? $0["actor"]?.string("display") } ?? []
        #expect(names == ["Luna", "Clara Keller", "Ada Roth", "Room 1", "Check-up"])
        #expect(one["participant"]?.items.first?["status"] == "needs-action")
        #expect(two["participant"]?.items.first?["status"] == "accepted")
        // With the buffer, for the specialist and for the room; a cancelled appointment takes no time.
        #expect(one["slot"]?.items.count == 2)
        #expect(three["slot"] == nil)
        let slots = exported.all("Slot").filter { $0["start"] == "2199-07-04T08:00:00Z" }
        #expect(slots.count == 2 && slots.allSatisfy { $0["end"] == "2199-07-04T08:40:00Z" && $0["status"] == "busy" })
        let waiting = try exported.one("Appointment") { $0["status"] == "waitlist" }
        #expect(waiting["requestedPeriod"]?.items.first?["end"] == "2070-03-31")
        #expect(waiting["start"] == nil)
        #expect(waiting["comment"] == "mornings")
    }

    @Test("The practice, its hours, its patients and their triage are there; why somebody is absent is not")
    func directory() throws {
        // The year of the assessment.
        let exported = try Exported(try clinic(), in: 2026)
        let site = try exported.one("Location") { $0["hoursOfOperation"] != nil }
        let hours = site["hoursOfOperation"]?.items ?? []
        #expect(hours.count == 4 && hours[0]["daysOfWeek"] == ["mon", "tue", "wed", "thu", "fri"])
        // Hours over midnight are of two days.
        #expect(hours[2]["openingTime"] == "18:00:00" && hours[2]["closingTime"] == "23:59:59")
        #expect(hours[3]["daysOfWeek"] == ["sun"] && hours[3]["closingTime"] == "02:00:00")
        #expect(site["availabilityExceptions"] == "emergencies: sun 20:00-06:00")
        let ada = try exported.one("PractitionerRole") { $0["notAvailable"] != nil }
        #expect(ada["notAvailable"]?.items.first?["description"] == "Absent")
        #expect(!exported.resources.contains { JSONWriter.text($0).contains("sick") })
        let luna = try exported.one("Patient") { $0["id"] == .string(Self.luna) }
        let animal = luna["extension"]?.items.first?["extension"]?.items ?? []
        #expect(animal.map { $0["valueCodeableConcept"]?["text"] } == ["dog", "Collie"])
        #expect(luna["identifier"]?.items.contains { $0["value"] == "756098100123456" } == true)
        let triage = try exported.one("RiskAssessment") { _ in true }
        #expect(triage["prediction"]?.items.first?["qualitativeRisk"]?["text"] == "orange (very urgent)")
        #expect(triage["basis"]?.items.count == exported.all("Observation").count)
        // Of an import, the times are those of the document and not those of the import.
        #expect(triage["occurrenceDateTime"] == "2026-02-01T10:00:00Z")
        #expect(exported.all("Encounter").allSatisfy { $0["period"]?["start"] != nil || $0["period"] == nil })
        #expect(!exported.all("Encounter").contains { JSONWriter.text($0).contains("in-progress") })
        let temperature = try exported.one("Observation") {
            $0["code"]?["coding"]?.items.first?["code"] == "8310-5"
        }
        #expect(temperature["valueQuantity"]?["value"] == .number("39.4"))
    }

    @Test("The free times of a service are included when they are asked for; the same journal gives the same bytes")
    func free() throws {
        let tool = try clinic()
        func exported(_ more: String...) throws -> Outcome {
            try tool.run(["practice", "export", "--as", "fhir", "--from", "2026-11-01", "--to", "2027-06-30"] + more)
                .succeeded()
        }
        let with = try Exported(tool, in: Self.soon.year, "--service", "Check-up")
        #expect(with.all("Slot").contains { $0["status"] == "free" })
        // The room is blocked then; on a day from Monday to Friday, Ada Roth may have a free time at the same moment.
        _ = try with.one("Slot") { slot in
            slot["start"] == .string("\(Self.soon)T08:00:00Z") && slot["status"] == "busy-unavailable"
        }
        let before = try Exported(tool, in: Self.soon.year - 1)
        #expect(!before.all("Slot").contains { $0["status"] == "busy-unavailable" })
        let (first, second) = (try exported(), try exported())
        #expect(first.text == second.text)
        #expect(!first.text.contains("\"free\""))
        let wrong = try tool.run("practice", "export", "--service", "Check-up")
        #expect(wrong.status == 64)
        #expect(wrong.message.contains("--service needs --document fhir"))
    }

    @Test(
        "Every resource is valid for the package fhir.resources, and refers to resources of the same bundle",
        .enabled(if: PythonFHIR.isInstalled, "run: tools/python-packages .build-python fhir.resources")
    )
    func valid() throws {
        let tool = try clinic()
        let booked = try book(tool, Self.luna, at: "2199-07-04T10:00", "--purpose", "limps")
        // Two blocked times of the same length, and a patient that was not assessed.
        try tool.run(
            "practice",
            "room",
            "block",
            "Room 1",
            "--from",
            "\(Self.soon)T08:00:00Z",
            "--until",
            "\(Self.soon)T09:00:00Z"
        )
        .succeeded()
        try tool.run("triage", "rules", "adopt", "hj-triage/1", "--veterinarian", "Dr. Ada Roth").succeeded()
        try tool.run("triage", "begin", Self.luna, "--complaint", "limps").succeeded()
        let types = [
            "Appointment", "Encounter", "HealthcareService", "Location", "Observation", "Organization", "Patient",
            "Person", "Practitioner", "PractitionerRole", "RelatedPerson", "RiskAssessment", "Schedule", "Slot",
        ]
        let first = try checked(tool)
        for type in types { #expect(first[type] != nil, "no \(type)") }
        // What refers to somebody whose data is erased refers to nothing. The appointment of the fixture may be over by now.
        try tool.run("appointment", "cancel", booked).succeeded()
        _ = try tool.run("appointment", "cancel", "6f9619ff-8b86-4d01-b42d-00cf4fc9640a")
        let today = Self.soon.adding(days: -30)
        try tool.run("specialist", "end", "Ada Roth", "--from", "\(today)").succeeded()
        try tool.run("specialist", "erase", "Ada Roth", "--yes", "--reason", "wishes it").succeeded()
        let second = try checked(tool)
        #expect(second["Practitioner"] == .integer(1))
        #expect(second["Appointment"] == first["Appointment"])
    }

    /// Exports the practice, and returns how many resources of each type are valid.
    private func checked(_ tool: CommandLineTool) throws -> JSONValue {
        let file = tool.folder.path + "/bundle.json"
        let days = ["--from", "2026-01-01", "--to", "\(Self.soon.adding(days: 7))"]
        try tool.run(["practice", "export", "--as", "fhir", "--service", "Check-up", "-o", file] + days).succeeded()
        let checked = try PythonFHIR.check(file)
        #expect(checked.status == 0, "\(checked.message)")
        return try checked.json
    }
}
