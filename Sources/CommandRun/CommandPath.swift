package import ArgumentParser
internal import HealthModel

/// The arguments of a process, and the command that they name.
///
/// Options may stand before the command and between its names: `healthjournal --journal a record list` and
/// `healthjournal record --journal a list` mean `healthjournal record list --journal a`.
package struct CommandPath {
    /// From the root command to the one that is named.
    package private(set) var commands: [any ParsableCommand.Type]
    private(set) var names: [String] = []
    /// The options in front of the last name.
    private var options: [String] = []
    /// What follows the last name.
    private(set) var rest: [String] = []
    private(set) var asksForHelp = false

    /// Flags that each command has; the completion script is left to the parser.
    private static let builtIn: Set<String> = [
        "--help", "-h", "--version", "--help-hidden", "--experimental-dump-help",
    ]
    /// The largest number of options in front of a command's name.
    private static let maximumOptions = 16

    package init(_ arguments: [String], of root: any ParsableCommand.Type) {
        commands = [root]
        read(arguments[...])
    }

    /// Reads arguments up to the last name of a command.
    private mutating func read(_ arguments: ArraySlice<String>) {
        var left = arguments
        reading: while let next = left.first, !subcommands.isEmpty {
            if next.hasPrefix("-") {
                let name = OptionInfo.name(in: next)
                guard next != "--", options.count < Self.maximumOptions else { break reading }
                if name != next || Self.builtIn.contains(name) {
                    options.append(next)
                    left.removeFirst()
                } else if let path = reading(name, left) {
                    self = path
                    return
                } else {
                    break reading
                }
            } else if let command = subcommands.first(where: { $0.configuration.commandName == next }) {
                commands.append(command)
                names.append(next)
                left.removeFirst()
            } else if next == "help", commands.count == 1, !asksForHelp {
                asksForHelp = true
                left.removeFirst()
            } else {
                break reading
            }
        }
        rest = Array(left)
    }

    /// Returns the path behind an option, which takes a value or none.
    ///
    /// The command that the path then names decides; if it names none, the path is taken whose next word is a mistyped
    /// name. Nil if there is neither.
    private func reading(_ name: String, _ left: ArraySlice<String>) -> CommandPath? {
        let paths = [(OptionInfo.Kind.option, 2), (.flag, 1)]
            .compactMap { kind, count -> (kind: OptionInfo.Kind, path: CommandPath)? in
                guard left.count >= count else { return nil }
                var path = self
                path.options += left.prefix(count)
                path.read(left.dropFirst(count))
                return (kind, path)
            }
        let meant = paths.first { kind, path in
            path.subcommands.isEmpty
                && OptionInfo.list(of: path.command).contains { $0.kind == kind && $0.names.contains(name) }
        }
        return (meant ?? paths.first { $0.path.hint != nil })?.path
    }

    private var subcommands: [any ParsableCommand.Type] { command.configuration.subcommands }

    /// The last command that is named.
    package var command: any ParsableCommand.Type { commands[commands.count - 1] }

    /// The arguments with all options behind the command's names.
    package var arguments: [String] { (asksForHelp ? ["help"] : []) + names + options + rest }

    /// The command as it is typed, such as `healthjournal caregiver grant`.
    package var text: String { ([commands[0].configuration.commandName ?? ""] + names).joined(separator: " ") }

    /// The word that stands where a subcommand is expected, and is none; nil if there is no such word.
    package var unknown: String? {
        guard !subcommands.isEmpty, let word = rest.first, !word.hasPrefix("-") else { return nil }
        return word
    }

    /// What to tell about a word that is no subcommand; nil if all are, and if none may be meant.
    package var hint: String? {
        guard let unknown else { return nil }
        let names = subcommands.compactMap { $0.configuration.commandName }
        let only = names.count == 1 ? names.first : nil
        guard let meant = Spelling.nearest(to: unknown, among: names) ?? only else { return nil }
        let path = [commands[0].configuration.commandName ?? ""] + (asksForHelp ? ["help"] : []) + self.names + [meant]
        return "There is no command '\(unknown)'. Did you mean '\(path.joined(separator: " "))'?"
    }
}
