import Interchange
import TestSupport
import Testing

@Suite("Mistyped commands")
struct MistypedCommandTests {
    @Test(
        "A mistyped subcommand is answered with a suggestion",
        arguments: [
            (["recrod", "list"], "healthjournal record"), (["caregiver", "grnat"], "healthjournal caregiver grant"),
            (["tokens", "issue"], "healthjournal token"),
        ]
    )
    func subcommands(_ arguments: [String], _ meant: String) throws {
        let answer = try CommandLineTool().run(arguments)
        #expect(answer.status == 64)
        #expect(answer.message.contains("Did you mean '\(meant)'?"), "\(answer.message)")
    }

    @Test("A word that is not similar to any subcommand gets no suggestion")
    func nothingAlike() throws {
        let answer = try CommandLineTool().run(["xylophone"])
        #expect(answer.status == 64)
        #expect(!answer.message.contains("Did you mean"))
    }

    @Test(
        "A mistyped kind, format or other fixed word is answered with a suggestion",
        arguments: [
            (["entry", "list", "ottilie", "wieght"], "weight"), (["record", "list", "--format", "jsn"], "json"),
            (["export", "ottilie", "--document", "pfd"], "pdf"),
            (["search", "x", "--kind", "vacination"], "vaccination"),
            (["plan", "stop", "foo", "--why", "finsihed"], "finished"),
            (["stock", "ottilie", "--format", "tabel"], "table"),
        ]
    )
    func values(_ arguments: [String], _ meant: String) throws {
        let tool = try CommandLineTool()
        _ = try tool.person()
        let answer = try tool.run(arguments)
        #expect(answer.status == 64)
        #expect(answer.message.contains("Did you mean '\(meant)'?"), "\(answer.message)")
        #expect(!answer.message.contains("There is no command"), "\(answer.message)")
        let option = try tool.run("record", "list", "--formt", "json")
        #expect(option.status == 64 && option.message.contains("Did you mean '--format'?"), "\(option.message)")
    }

    @Test("A kind may be typed in the plural")
    func plurals() throws {
        let tool = try CommandLineTool()
        let record = try tool.person()
        try tool.run("weight", "log", record, "70kg").succeeded()
        try tool.run("entry", "add", record, "allergies", "name=Nuts").succeeded()
        try tool.run("entry", "add", record, "illnesses", "name=Flu").succeeded()
        for (word, kind) in [("weights", "weight"), ("Allergies", "allergy"), ("illnesses", "illness")] {
            let entries = try tool.json("entry", "list", record, word).items
            #expect(try entries.map { try $0.string("kind") } == [kind])
        }
        #expect(try tool.run("entry", "list", record, "weightss").status == 64)
    }

    @Test("A group of one command names it if that is left out")
    func only() throws {
        let answer = try CommandLineTool().run("weight", "ottilie", "61kg")
        #expect(answer.status == 64)
        #expect(answer.message.contains("Did you mean 'healthjournal weight log'?"), "\(answer.message)")
    }

    @Test("A number below 0 that is read as an option is explained, and refused where it makes no sense")
    func negativeNumbers() throws {
        let tool = try CommandLineTool()
        let record = try tool.person()
        let plan = try tool.json("plan", "add", record, "Lisinopril", "--daily", "08:00=1").string("entry")
        let option = try tool.run("stock", "add", plan, "-5")
        #expect(option.status == 64, "\(option.message)")
        #expect(option.message.contains("Put -- before a number below 0"), "\(option.message)")
        let below = try tool.run("stock", "add", plan, "--", "-5")
        #expect(below.status == 64, "\(below.message)")
        #expect(below.message.contains("stock discard"), "\(below.message)")
        let future = try tool.run("stock", "add", plan, "5", "--date", "2030")
        #expect(future.status != 0)
        let dated = try tool.run("stock", "add", plan, "5", "--date", "2030-01-01")
        #expect(dated.status == 1, "\(dated.message)")
        #expect(dated.message.contains("date: must not be in the future"), "\(dated.message)")
        #expect(try tool.json("entry", "list", record, "supply").items.isEmpty)
    }

    @Test("A usage error that is found while a command runs shows the usage of that command")
    func usage() throws {
        let tool = try CommandLineTool()
        let record = try tool.person()
        let answer = try tool.run("caregiver", "grant", record, "owner", "--sections", "kitchen")
        #expect(answer.status == 64)
        #expect(answer.message.contains("healthjournal caregiver grant"), "\(answer.message)")
        #expect(answer.message.contains("<account>"), "\(answer.message)")
    }

    @Test("An existing grant is changed only with --replace or --add")
    func grants() throws {
        let tool = try CommandLineTool()
        let record = try tool.person()
        try tool.json("account", "add", "anna")
        try tool.json("caregiver", "grant", record, "anna", "--sections", "doctorlist")
        func sections() throws -> String {
            let grant = try #require(try tool.json("caregiver", "list", record).items.first)
            return (grant["sections"]?.items ?? [])
                .compactMap { item in
                    if case .string(let name) = item { name } else { nil }
                }
                .joined(separator: ",")
        }
        let refused = try tool.run("caregiver", "grant", record, "anna", "--sections", "myhealth")
        #expect(refused.status == 4, "\(refused.message)")
        #expect(refused.message.contains("before: doctors; read") && refused.message.contains("after:  health; read"))
        #expect(try sections() == "doctorlist")
        try tool.json("caregiver", "grant", record, "anna", "--sections", "myhealth", "--add")
        #expect(try sections() == "myhealth,doctorlist")
        try tool.json("caregiver", "grant", record, "anna", "--sections", "groups", "--replace")
        #expect(try sections() == "groups")
        #expect(try tool.run("caregiver", "grant", record, "anna", "--add", "--replace").status == 64)
    }
}
