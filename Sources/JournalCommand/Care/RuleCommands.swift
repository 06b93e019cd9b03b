import ArgumentParser
import HealthJournal
import HealthModel
import Interchange
import JournalServer

/// Commands on the rules that checks of interactions use.
struct RuleCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "Load the rules that checks use, and list them.",
        discussion: "Example:  healthjournal interactions rules load starter",
        subcommands: [RuleLoadCommand.self, RuleListCommand.self]
    )
}

/// Loads a rule set.
struct RuleLoadCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "load",
        abstract: "Load a rule file, or the starter rules that come with the program.",
        discussion: """
            Example:  healthjournal interactions rules load starter
            A rule set replaces an earlier one of the same name; what was checked before can be repeated with --as-of.
            """
    )

    @OptionGroup var options: CommonOptions

    @Argument(
        help: "A file of the format \(RuleSetDocument.format), - for standard input, or the word starter.",
        completion: .file()
    )
    var file: String

    func run(in session: Session) async throws {
        let isStarter = file == "starter"
        let bytes =
            isStarter
            ? RuleSetDocument.starter : try readFile(file, atMost: RuleSetDocument.maximumBytes)
        let (result, rules) = try await session.perform(.loadRules(bytes))
        let name = TerminalText.escaped("\(rules.name) \(rules.version)")
        session.output.result(result, "loaded \(rules.count) rules: \(name)", adding: [.init("rules", rules.json)])
        if isStarter { session.output.note(CheckDocument.disclaimer) }
    }
}

/// Lists the rule sets.
struct RuleListCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the rule sets that were loaded.",
        discussion: "Example:  healthjournal interactions rules list"
    )

    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        let rules = try await session.perform(InteractionEndpoints.rules)
        if session.output.isJSON {
            session.output.json(.array(rules.map(\.json)))
            return
        }
        var table = TextTable([
            .init("NAME"), .init("VERSION"), .init("RULES", .right), .init("LICENCE"), .init("LOADED"),
            .init("USED"),
        ])
        for set in rules {
            table.add([
                set.name, set.version, String(set.count), set.licence, session.output.time(set.loadedAt),
                set.isCurrent ? "yes" : "no",
            ])
        }
        session.output.table(table, ifEmpty: "no rules are loaded; nothing is checked")
    }
}
