import ArgumentParser
import TestSupport
import Testing

@testable import CommandRun
@testable import JournalCommand

@Suite("Arguments of a command")
struct CommandPathTests {
    private func path(_ line: String) -> CommandPath {
        CommandPath(line.split(separator: " ").map(String.init), of: HealthJournalCommand.self)
    }

    @Test(
        "Options may stand before the command and between its names",
        arguments: [
            ("--journal a record list", "record list --journal a"),
            ("--journal=a record list --wide", "record list --journal=a --wide"),
            ("--wide record --journal a list", "record list --wide --journal a"),
            ("record list --journal a", "record list --journal a"),
            ("--help record", "record --help"),
            ("--version", "--version"), ("--journal", "--journal"), ("--journal a", "--journal a"), ("", ""),
            ("--unheard-of a record list", "--unheard-of a record list"),
            ("-- record list", "-- record list"),
            ("help record list", "help record list"),
            ("--format json --wide record list", "record list --format json --wide"),
            ("--journal record record list", "record list --journal record"),
            ("record --journal list list", "record list --journal list"), ("--help", "--help"), ("-h", "-h"),
            ("entry add rosa weight -- --value 3", "entry add rosa weight -- --value 3"),
        ]
    )
    func before(_ typed: String, _ meant: String) {
        #expect(path(typed).arguments.joined(separator: " ") == meant)
    }

    @Test(
        "A mistyped command is answered with a suggestion, also behind help and options",
        arguments: [
            ("wieght log rosa 70kg", "healthjournal weight"), ("help wieght", "healthjournal help weight"),
            ("help record lsit", "healthjournal help record list"),
            ("--journal a recrod list", "healthjournal record"), ("record --wide lsit", "healthjournal record list"),
        ]
    )
    func mistyped(_ typed: String, _ meant: String) {
        #expect(path(typed).hint?.hasSuffix("Did you mean '\(meant)'?") == true)
    }

    /// All commands that do something, with their paths.
    private func leaves(
        _ command: any ParsableCommand.Type,
        _ names: [String] = []
    ) -> [(path: [String], command: any ParsableCommand.Type)] {
        let below = command.configuration.subcommands
        if below.isEmpty { return [(names, command)] }
        return below.flatMap { leaves($0, names + [$0.configuration.commandName ?? ""]) }
    }

    @Test("Each command refuses each option of one value that is given twice, and takes one that may be repeated")
    func repeatedOptions() throws {
        let all = leaves(HealthJournalCommand.self)
        #expect(all.count > 150)
        var refused = 0
        for (names, command) in all {
            let options = OptionInfo.list(of: command)
            func repeated(_ arguments: [String]) -> String? {
                RepeatedOption.name(in: CommandPath(names + arguments, of: HealthJournalCommand.self)) { options }
            }
            for option in options where option.kind == .option {
                for name in option.names {
                    let forms = [
                        [name, "a", name, "b"], [name, "a", "\(name)=b"], ["\(name)=a", "--wide", name, "b"],
                    ]
                    for form in forms {
                        let found = repeated(form)
                        #expect(found == (option.isRepeating ? nil : name), "\(names) \(form)")
                        refused += found == nil ? 0 : 1
                    }
                    #expect(repeated([name, "a"]) == nil, "\(names) \(name)")
                }
                let both = Set(option.names).map { [$0, "a"] }.flatMap(\.self)
                if option.names.count > 1, !option.isRepeating {
                    #expect(repeated(both) != nil)
                }
            }
        }
        #expect(refused > 1_000)
    }

    @Test("The value of an option that takes anything is not counted as an option")
    func values() {
        #expect(RepeatedOption.name(in: path("record list -- --format a --format b")) == nil)
        #expect(RepeatedOption.name(in: path("record list --wide --wide")) == nil)
        #expect(RepeatedOption.name(in: path("--format json record list --format table")) == "--format")
    }

    @Test("Both programs refuse a repeated option by its name, take options first, and suggest for help")
    func programs() throws {
        let tool = try CommandLineTool()
        let twice = try tool.run("record", "list", "--format", "json", "--format", "table")
        #expect(twice.status == 64 && twice.message.contains("'--format' is given more than once"), "\(twice.message)")
        #expect(twice.message.contains("healthjournal record list"))
        let moments = try tool.replay("trail", "--since", "#1", "--since", "#2")
        #expect(moments.status == 64 && moments.message.contains("'--since' is given more than once"))
        try tool.run("--journal", tool.journal, "record", "list").succeeded()
        try tool.replay("--journal", tool.journal, "--wide", "trail").succeeded()
        let elsewhere = try tool.run("--journal", "/nowhere", "record", "list")
        #expect(elsewhere.status != 0, "\(elsewhere.message)")
        #expect(elsewhere.message.contains("/nowhere"), "\(elsewhere.message)")
        let help = try tool.run("help", "wieght")
        #expect(help.status == 64)
        #expect(help.message.contains("Did you mean 'healthjournal help weight'?"))
        #expect(help.text.isEmpty)
        let nothing = try tool.run("help", "xylophone")
        #expect(nothing.status == 64 && nothing.message.contains("There is no command 'xylophone'"))
        #expect(try tool.run("help", "weight", "log").succeeded().text.contains("healthjournal weight log"))
    }
}
