import Foundation
import Interchange
import TestSupport
import Testing

@Suite("Records named on the command line")
struct RecordNameTests {
    private struct Household {
        let tool: CommandLineTool
        let maria: String
        let mael: String
        let biscuit: String

        init() throws {
            let tool = try CommandLineTool()
            func create(_ arguments: String...) throws -> String {
                try tool.run(["record", "create"] + arguments + ["--format", "json"]).succeeded().json.string("record")
            }
            maria = try create("--given-name", "Maria", "--family-name", "Keller")
            mael = try create("--given-name", "Maël", "--family-name", "Keller")
            biscuit = try create("--animal", "--name", "Biscuit", "--species", "dog")
            self.tool = tool
        }

        /// How often a record was listed.
        func listings(of record: String) throws -> Int {
            let replay = ChildProcess.shipped("healthjournal-replay")
            let reads = try tool.run(replay, ["access", "--record", record, "--format", "json"]).succeeded().json
            return reads.items.count { $0["action"] == "list" }
        }

        func hasWeight(_ record: String) throws -> Bool {
            try tool.run("entry", "list", record, "weight").succeeded().text.contains("20")
        }
    }

    @Test(
        "A record is found by its name or the unique beginning of a word of it, whatever case and accents",
        arguments: [
            ("maria", true), ("MARIA KELLER", true), ("mael", true), ("Maë", false), ("bisc", false), ("Biscuit", true),
        ]
    )
    func found(text: String, isWhole: Bool) throws {
        let household = try Household()
        let logged = try household.tool.run("weight", "log", text, "20kg").succeeded()
        // The standard error of a script may be kept in a log: it contains no name.
        #expect(!logged.message.contains("the record is that of "), "\(logged.message)")
        #expect((logged.text + logged.message).contains("logged 20 kg as entry"))
        let expected =
            switch text.lowercased().prefix(3) {
            case "mar": household.maria
            case "bis": household.biscuit
            default: household.mael
            }
        for record in [household.maria, household.mael, household.biscuit] {
            #expect(try household.hasWeight(record) == (record == expected))
            // Who knows the name learns nothing new; the beginning of a word tells more.
            #expect(try household.listings(of: record) == (record == expected && !isWhole ? 1 : 0))
        }
    }

    @Test(
        "On a terminal, the beginning of a name is answered with the whole name",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"))
    )
    func confirmed() throws {
        let household = try Household()
        for (text, isShown) in [("Maë", true), ("mael", false)] {
            let line = "\(CommandLineTool.executable) weight log \(text) 20kg --yes"
            let shown = try household.tool.run("/usr/bin/script", ["-qec", line, "/dev/null"]).succeeded().text
            #expect(shown.contains("the record is that of Maël Keller") == isShown, "\(shown)")
        }
    }

    @Test("Of several records with a name none is chosen: they are listed with ids that tell them apart")
    func ambiguous() throws {
        let household = try Household()
        let refused = try household.tool.run("weight", "log", "keller", "20kg")
        let (maria, mael) = (household.maria.prefix(13), household.mael.prefix(13))
        #expect(refused.status == 1, "\(refused.message)")
        #expect(refused.message.contains("Maria Keller (\(maria)), Maël Keller (\(mael))"), "\(refused.message)")
        // What was listed was read, and identifies the records.
        #expect(try [household.maria, household.mael, household.biscuit].map(household.listings) == [1, 1, 0])
        try household.tool.run("weight", "log", String(mael), "20kg").succeeded()
        #expect(try household.hasWeight(household.mael) && !household.hasWeight(household.maria))
    }

    @Test("The replay tool finds records by their names as well, if it has the key")
    func replay() throws {
        let household = try Household()
        let replay = ChildProcess.shipped("healthjournal-replay")
        let trail = try household.tool.run(replay, ["trail", "--record", "mael", "--format", "json"]).succeeded()
        #expect(trail.text.contains(household.mael))
        #expect(!trail.text.contains(household.maria))
        let several = try household.tool.run(replay, ["trail", "--record", "keller"])
        #expect(several.status == 64, "\(several.message)")
        #expect(several.message.contains(household.maria), "\(several.message)")
        let near = try household.tool.run(replay, ["trail", "--record", "biscuti"])
        #expect(near.status == 2)
        #expect(near.message.contains("did you mean Biscuit (\(household.biscuit))?"))
    }

    @Test("A mistyped name is refused with what may have been meant, and names nobody else's record")
    func mistyped() throws {
        let tool = try Household().tool
        let near = try tool.run("weight", "log", "Mraia", "20kg")
        #expect(near.status == 2, "\(near.message)")
        #expect(near.message.contains("did you mean Maria Keller"), "\(near.message)")
        try tool.run("account", "add", "anna").succeeded()
        for text in ["maria", "Mraia", "keller"] {
            let other = try tool.run("weight", "log", text, "20kg", "--as", "anna")
            #expect(other.status == 2, "\(other.message)")
            #expect(!other.message.contains("Keller"), "\(other.message)")
        }
        try tool.run("caregiver", "grant", "maria", "anna", "--sections", "myhealth", "--verbs", "read,contribute")
            .succeeded()
        try tool.run("weight", "log", "keller", "20kg", "--as", "anna").succeeded()
    }

    @Test("The staff of a practice names its patients; an own animal of the same name makes the name ambiguous")
    func patients() throws {
        let tool = try CommandLineTool()
        _ = try tool.run("import", "vetnet", try tool.write(VetNetTexts.whole, to: "practice.json"))
        try tool.run("account", "add", "rosa").succeeded()
        try tool.run("practice", "member", "set", "rosa", "--role", "receptionist").succeeded()
        try tool.run("practice", "service", "add", "name=Check-up", "type=routine", "minutes=30").succeeded()
        let booking = [
            "book", "luna", "Check-up", "--at", "2199-03-05T10:00", "--specialist", "Ada Roth", "--as", "rosa",
        ]
        try tool.run("practice", "hours", "--from", "2020-01-01", "--usual", "mon-sun 08:00-17:00").succeeded()
        try tool.run(booking).succeeded()
        try tool.run("record", "create", "--animal", "--name", "Luna", "--yes", "--as", "rosa").succeeded()
        let ambiguous = try tool.run(booking)
        #expect(ambiguous.status == 1, "\(ambiguous.message)")
        #expect(ambiguous.message.contains("several records"), "\(ambiguous.message)")
    }
}
