import ArgumentParser
import FoundationEssentials
import HealthModel

extension ModelError {
    /// The error as a usage error, for an argument that cannot be parsed.
    var asUsage: ValidationError { ValidationError(description) }
}

/// A position, time or date as of which something is read.
struct When {
    let asOf: AsOf

    /// Throws a usage error if the text is none of them, or could be a position and a year.
    init(typed text: String) throws {
        do {
            asOf = try AsOf(typed: text).throughItsSecond
        } catch {
            throw error.asUsage
        }
    }
}

extension Day: ExpressibleByArgument {
    package init?(argument: String) {
        guard let day = try? Day(parsing: argument) else { return nil }
        self = day
    }
}

/// The options for the moment that a read shows.
struct MomentOptions: ParsableArguments {
    @Option(name: .long, help: "As known at this position (#42), time or date.", transform: When.init(typed:))
    var asOf: When?

    @OptionGroup var days: DayOptions

    var moment: ReadMoment { ReadMoment(asOf: asOf?.asOf, happenedFrom: days.first, happenedBy: days.last) }
}

/// Splits `FIELD=VALUE` arguments; each field may be given once.
func assignments(_ arguments: [String]) throws -> [(name: String, value: String)] {
    var names: Set<String> = []
    return try arguments.map { argument in
        guard let separator = argument.firstIndex(of: "="), separator != argument.startIndex else {
            throw ValidationError("each value is given as FIELD=VALUE, but one of them has no '='")
        }
        let name = String(argument[..<separator])
        guard names.insert(name).inserted else { throw ValidationError("the field \(name) is given twice") }
        return (name, String(argument[argument.index(after: separator)...]))
    }
}

/// Reads a file or, for `-`, the standard input, up to a limit in bytes.
func readFile(_ path: String, atMost limit: Int) throws -> [UInt8] {
    try BoundedFile.read(path, atMost: limit)
}
