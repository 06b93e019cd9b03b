import Interchange
import TestSupport
import Testing

@Suite("Help and completion")
struct HelpTests {
    private let tool: CommandLineTool

    init() throws {
        tool = try CommandLineTool(hasJournal: false)
    }

    @Test("The help lists the commands in groups, and first those of every day")
    func groups() throws {
        let help = try tool.run("--help").succeeded().text
        let titles = help.matches(of: /([A-Z ]+) SUBCOMMANDS:\n/).map { String($0.1) }
        #expect(
            titles == [
                "GETTING STARTED", "DAILY", "RECORDS AND SHARING", "CLINIC", "EXCHANGE", "AUDIT AND LOG", "OPERATION",
            ]
        )
        let names = help.matches(of: /\n  ([a-z-]+) {2,}/).map { String($0.1) }
        let order = ["init", "weight", "dose", "due", "entry", "caregiver", "practice", "import", "log", "serve"]
        #expect(names.filter(order.contains) == order)
    }

    @Test(
        "The help of a command lists its own options first, and the common ones last in a section of their own",
        arguments: ["dose take", "entry list", "export", "interactions resolve", "practice export"]
    )
    func commonOptions(_ command: String) throws {
        let asked = try tool.run(command.split(separator: " ").map(String.init) + ["--help"]).succeeded().text
        let other = try tool.run(["help"] + command.split(separator: " ").map(String.init)).succeeded().text
        #expect(asked == other)
        let sections = asked.split(separator: "\n\n").map { $0.trimmingPrefix("\n") }
        let last = try #require(sections.last)
        #expect(last.hasPrefix("COMMON OPTIONS:\n"), "\(asked)")
        let own = try #require(sections.dropLast().last)
        #expect(own.hasPrefix("OPTIONS:\n"), "\(asked)")
        for option in ["--journal", "--master-key-file", "--url", "--token", "--verbose"] {
            #expect(last.contains("\n  \(option) ") && !own.contains("\n  \(option) "), "\(option)")
        }
        #expect(own.contains("--help"))
        #expect(!asked.contains("\n\n\n"))
    }

    @Test("The options that nearly every command has are common ones, and still work in front of the command")
    func actingOptions() throws {
        let help = try tool.run("weight", "log", "--help").succeeded().text
        let common = try #require(help.split(separator: "COMMON OPTIONS:").last)
        for option in ["--as", "--format", "--reason", "--wide", "--utc"] {
            #expect(common.contains("\n  \(option) "), "\(option)")
        }
        #expect(!common.contains("--comment"))
        let own = try CommandLineTool()
        let record = try own.person()
        try own.run("--format", "json", "weight", "log", record, "70kg", "--reason", "a scale").succeeded()
    }

    /// A script takes a debug build half a minute, so that one test examines it.
    @Test(
        "Completion offers commands, options and fixed words in each shell, and asks nothing of the journal",
        arguments: ["bash", "zsh", "fish"]
    )
    func completion(_ shell: String) throws {
        let own = try CommandLineTool()
        let record = try own.person("Walburga")
        try own.run("plan", "add", record, "Lisinopril", "--daily", "08:00=1").succeeded()
        let before = try own.position
        let script = try own.run("--generate-completion-script", shell).succeeded().text
        for word in [
            "caregiver", "as-of", "blood-value", "medical-history", "fhir-ips", "sideEffect", "doctors", "auditor",
            "vetnet",
        ] { #expect(script.contains(word), "\(word)") }
        for name in ["Walburga", "Lisinopril"] { #expect(!script.contains(name), "\(name)") }
        // A custom completion would run the program at each press of the key.
        #expect(!script.contains("---completion entry"))
        #expect(try own.position == before)
    }
}
