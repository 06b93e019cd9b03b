internal import ArgumentParser
internal import Foundation

/// What the parser knows about one option of a command.
struct OptionInfo {
    enum Kind {
        /// Stands alone.
        case flag
        /// Takes a value.
        case option
    }

    let kind: Kind
    /// Whether it may be given several times.
    let isRepeating: Bool
    /// Whether its value may look like an option.
    let takesAnything: Bool
    /// All its names, with their dashes.
    let names: [String]

    /// The name in an argument such as `--name` or `--name=value`.
    static func name(in argument: String) -> String { String(argument.prefix { $0 != "=" }) }

    /// The options of one command, each with all its names.
    static func list(of command: any ParsableCommand.Type) -> [OptionInfo] { Listing(command).command.options }
}

/// The description of a command that the parser gives as JSON.
private struct Listing: Decodable {
    let command: Command

    init(_ type: any ParsableCommand.Type) {
        do {
            self = try JSONDecoder().decode(Listing.self, from: Data(type._dumpHelp().utf8))
        } catch {
            preconditionFailure("the parser describes its commands in another form: \(error)")
        }
    }

    struct Command: Decodable {
        let arguments: [Argument]?

        var options: [OptionInfo] { (arguments ?? []).compactMap(\.option) }
    }

    struct Argument: Decodable {
        let kind: String
        let isRepeating: Bool
        let parsingStrategy: String
        let names: [Name]?

        var option: OptionInfo? {
            guard let names, kind != "positional" else { return nil }
            return OptionInfo(
                kind: kind == "flag" ? .flag : .option,
                isRepeating: isRepeating,
                takesAnything: parsingStrategy == "unconditional",
                names: names.map(\.text)
            )
        }
    }

    struct Name: Decodable {
        let kind: String
        let name: String

        var text: String { (kind == "long" ? "--" : "-") + name }
    }
}
