import Foundation
import Interchange
import TestSupport
import Testing

/// Fields that are given as arguments, in both forms.
@Suite("Fields on the command line")
struct TypedFieldTests {
    @Test("Each command takes fields as FIELD=VALUE and as --field VALUE")
    func forms() throws {
        let tool = try CommandLineTool()
        let record = try tool.json("record", "create", "givenName=Maria", "--family-name", "Keller", "--nick-name=Mia")
            .string("record")
        try tool.run("record", "set", record, "--employer", "Musée d'art", "nickName=").succeeded()
        let profile = try #require(try tool.json("record", "show", record)["profile"])
        #expect(try profile.string("employer") == "Musée d'art" && profile.string("familyName") == "Keller")
        #expect(profile["nickName"] == nil)

        let doctor =
            try tool.json(
                "entry",
                "add",
                record,
                "doctor",
                "--name",
                "Dr. Rossi",
                "phone=+41 26 555 09 10",
                "--comment=on Mondays",
                "--voice-entry-used",
                "true"
            )
            .string("entry")
        try tool.run("entry", "correct", doctor, "--specialty", "Cardiology").succeeded()
        let entries = try tool.json("entry", "list", record, "doctor")
        let entry = try #require(entries.items.first ?? entries["entries"]?.items.first)
        #expect(try entry.string("name") == "Dr. Rossi" && entry.string("specialty") == "Cardiology")
        #expect(try entry.string("comment") == "on Mondays")
        try tool.run("weight", "log", record, "75.4kg", "comment=after breakfast", "date=2026-03-01").succeeded()
        let weights = try tool.json("entry", "list", record, "weight")
        let weight = try #require(weights.items.first ?? weights["entries"]?.items.first)
        #expect(try weight.string("comment") == "after breakfast" && weight.string("date") == "2026-03-01")
        try tool.run("account", "preferences", "--time-zone", "Asia/Kathmandu").succeeded()
        #expect(try tool.json("account", "preferences").string("timeZone") == "Asia/Kathmandu")
    }

    @Test("A mistake names the field, and nothing is changed")
    func mistakes() throws {
        let tool = try CommandLineTool()
        let record = try tool.json("record", "create", "--given-name", "Maria").string("record")
        for (arguments, told) in [
            (["entry", "add", record, "doctor", "--nmae", "Dr. Rossi"], "no option and no field --nmae"),
            (["entry", "add", record, "doctor", "name=a", "--name", "b"], "name: is given twice"),
            (["entry", "add", record, "doctor", "--name"], "--name is no option here that stands alone"),
            (
                ["entry", "add", record, "doctor", "name=a", "--date", "2026-01-01", "date=2025-01-01"],
                "date is given twice"
            ),
            (["entry", "add", record, "doctor", "Rossi of Bern=x", "Rossi of Bern=y"], "a field is given twice"),
            (["entry", "add", record, "doctor", "Rossi"], "FIELD=VALUE"),
            (["entry", "add", record, "doctor", "--name", "comment=Rossi"], "--name needs a value"),
            (["record", "set", record, "--employer", "--nick-name=Mia"], "--employer needs a value"),
            (["weight", "log", record, "75.4kg", "value=80"], "only the date and the comment"),
            (["weight", "log", record, "75.4kg", "--date", "2026-01-01", "date=2025-01-01"], "only the date"),
            (["weight", "log", record, "75.4kg", "--dat", "2026-01-01"], "there is no option --dat"),
            (["record", "set", record, "--resaon", "x"], "no option and no field --resaon"),
            (["record", "create", "--given-nam", "x"], "no option and no field --given-nam"),
        ] {
            let answer = try tool.run(arguments)
            #expect(answer.status != 0, "\(arguments): \(answer.message)")
            #expect(answer.message.contains(told), "\(arguments): \(answer.message)")
        }
        #expect(try !tool.run("entry", "list", record, "doctor").text.contains("Rossi"))
    }
}
