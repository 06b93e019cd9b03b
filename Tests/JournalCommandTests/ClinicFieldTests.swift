import Foundation
import HealthModel
import Interchange
import TestSupport
import Testing

@Suite("Everything that is stated of a practice is shown")
struct ClinicFieldTests {
    /// A value for each field that has one by its type, and the text by which it is found again.
    private func values<Profile: ClinicProfile>(
        of _: Profile.Type,
        _ own: [String: String]
    ) -> [(name: String, value: String)] {
        FieldValues().inputs(of: Profile.fields).enumerated()
            .map { number, path in
                let value: String
                if let stated = own[path.name] {
                    value = stated
                } else {
                    value =
                        switch path.fields.last?.type {
                        case .integer(let range)?: String(min(range.upperBound, range.lowerBound + Int64(number) + 7))
                        case .decimal?: "7.\(number)"
                        case .day?: "2031-05-\(10 + number)"
                        case .flag?: "true"
                        case .choice(let choices)?: choices.last ?? ""
                        case .id?: UUID().uuidString.lowercased()
                        case .zone?: "Europe/Zurich"
                        default: "Text\(number)x"
                        }
                }
                // The first item of a list.
                let isList = if case .list? = path.fields.last?.type { true } else { false }
                return (isList ? "\(path.name).0" : path.name, value)
            }
    }

    /// Makes sure that a text contains each value, on a line of its own label or in a table.
    private func expectAll(_ values: [(name: String, value: String)], in text: String) {
        for (name, value) in values {
            let shown = value == "true" ? "yes" : value
            #expect(text.contains(shown), "\(name) is stated and not shown: \(text)")
        }
    }

    private func assignments(_ values: [(name: String, value: String)]) -> [String] {
        values.map { "\($0.name)=\($0.value)" }
    }

    @Test("Each field of a practice, a service, a room, a specialist and a client is shown after it is set")
    func profiles() throws {
        let tool = try CommandLineTool()
        try tool.run("practice", "create", "name=First", "zone=Europe/Zurich").succeeded()
        let practice = values(of: PracticeProfile.self, ["location.latitude": "46.5", "location.longitude": "6.5"])
        try tool.run(["practice", "set", "--reason", "moved"] + assignments(practice)).succeeded()
        let place = values(of: PlaceProfile.self, [:])
        try tool.run(["practice", "room", "add"] + assignments(place)).succeeded()
        let document = try tool.json("practice", "show")
        let room = try #require(document["places"]?.items.first).string("id")
        let specialty = try #require(practice.first { $0.name == "specialties.0.name" }?.value)
        let service = values(
            of: ServiceProfile.self,
            [
                "grid": "20", "species": "cat", "specialty": specialty, "places": room, "minutes": "45",
                "firstVisitMinutes": "55", "type": "vaccination",
            ]
        )
        try tool.run(["practice", "service", "add"] + assignments(service)).succeeded()
        let shown = try tool.run("practice", "show").succeeded().text
        expectAll(practice, in: shown)
        expectAll(place, in: shown)
        // The room is shown by its name.
        expectAll(service.filter { !$0.name.hasPrefix("places") }, in: shown)

        let specialist = values(of: SpecialistProfile.self, ["expertise.0.specialty": specialty])
        try tool.run(["specialist", "add"] + assignments(specialist)).succeeded()
        let name = try #require(specialist.first { $0.name == "name" }?.value)
        expectAll(specialist, in: try tool.run("specialist", "show", name).succeeded().text)

        let owner = try #require(document["members"]?.items.first).string("account")
        let client = values(of: ClientProfile.self, ["account": owner, "email": "c@example.org"])
        try tool.run(["client", "add"] + assignments(client)).succeeded()
        let first = try #require(client.first { $0.name == "firstName" }?.value)
        let last = try #require(client.first { $0.name == "lastName" }?.value)
        expectAll(client, in: try tool.run("client", "show", "\(first) \(last)").succeeded().text)
    }

    @Test("Alerts of an animal are shown with its appointments, and preferences with the hours of a specialist")
    func alerts() throws {
        let tool = try CommandLineTool()
        let commands = [
            ["practice", "create", "name=Two Rooms", "zone=Europe/Zurich"],
            ["practice", "hours", "--from", "2020-01-01", "--usual", "mon-sun 00:00-24:00"],
            ["practice", "service", "add", "name=Check-up", "type=routine", "minutes=30"],
            ["specialist", "add", "name=Ada Roth"],
            [
                "specialist", "hours", "Ada Roth", "mon-sun 00:00-24:00", "--from", "2020-01-01", "--prefer",
                "Check-up sun -1",
            ],
            ["practice", "member", "set", "owner", "--role", "veterinarian", "--role", "manager"],
        ]
        for command in commands { try tool.run(command).succeeded() }
        #expect(try tool.run("specialist", "show", "Ada Roth").succeeded().text.contains("prefers Check-up sun: -1"))
        let dog = try tool.json("record", "create", "--animal", "--name", "Rex", "--animal-id", "123").string("record")
        try tool.run("patient", "register", dog, "--alerts", "bites").succeeded()
        let booked = try tool.json("book", dog, "Check-up", "--at", "2199-03-01T10:00", "--specialist", "Ada Roth")
        let appointment = try booked.string("entry")
        #expect(try tool.run("appointment", "show", appointment).succeeded().text.contains("alerts: bites"))
        #expect(try tool.run("appointments", "--day", "2199-03-01").succeeded().text.contains("Rex (! bites)"))
        // Only a chip number of ISO 11784 raises no doubt.
        #expect(try tool.run("record", "set", dog, "animalID=1234").succeeded().message.contains("15 digits"))
        #expect(
            try !tool.run("record", "set", dog, "animalID=756098100000042").succeeded().message.contains("15 digits")
        )
        let waiting = [
            "waiting", "add", dog, "Check-up", "--specialist", "Ada Roth", "--from", "2060-04-01", "--until",
            "2060-05-01", "--hours", "mon-fri 08:00-12:00", "--note", "calls back", "--urgency", "soon",
        ]
        try tool.run(waiting).succeeded()
        let listed = try tool.run("waiting", "list").succeeded().text
        for shown in [
            "soon", "Rex", "Check-up", "2060-05-01", "from 2060-04-01, mon-fri 08:00-12:00, Ada Roth", "calls back",
        ] { #expect(listed.contains(shown), "\(shown): \(listed)") }
        // An appointment on a later day asks first.
        let refused = try tool.run("appointment", "arrive", appointment)
        #expect(refused.status == 4)
        #expect(refused.message.contains("2199-03-01"))
        #expect(refused.message.contains("--yes"))
        try tool.run("appointment", "arrive", appointment, "--yes").succeeded()
        // All conflicts of a booking at once.
        let taken = try tool.run(
            "book",
            dog,
            "Check-up",
            "--at",
            "2199-03-01T10:15",
            "--specialist",
            "Ada Roth",
            "--format",
            "json"
        )
        #expect(taken.status == 4)
        #expect(taken.message.contains("\"conflicts\""))
        let text = try tool.run("book", dog, "Check-up", "--at", "2199-03-01T10:15", "--specialist", "Ada Roth")
        #expect(text.message.contains("also record: is not free at that time"))
        // Always open, and without specialties.
        let open = try tool.run("practice", "open", "--specialty", "Dentistry").succeeded().text
        #expect(open.hasPrefix("open"))
        #expect(open.contains("does not list"))
    }
}
