import ArgumentParser
import FoundationEssentials
import HealthModel

/// The options for the days on which the entries that are shown had happened.
struct DayOptions: ParsableArguments {
    @Option(
        name: .long,
        help: "Only what happened from this day, month or year on: 2025-03-01, yesterday, 2025-03 or 2025."
    )
    var since: DateArgument?

    @Option(
        name: [.long, .customLong("happened-by")],
        help:
            "Only what had happened by the end of this day, month or year; what has no date is included without --since."
    )
    var until: DateArgument?

    /// Whether all days are meant.
    var isEmpty: Bool { since == nil && until == nil }

    func validate() throws {
        // Dates are checked before the journal is opened, and words when its time zone is known.
        guard since?.isWord != true, until?.isWord != true else { return }
        _ = try period(in: .gmt)
    }

    /// Throws a usage error if the days end before they begin.
    func period(in zone: TimeZone) throws -> Period {
        let period = Period(first: since?.date(in: zone).firstDay, last: until?.date(in: zone).lastDay)
        guard let first = period.first, let last = period.last, first > last else { return period }
        throw ValidationError("--until \(last) is before --since \(first)")
    }
}

/// A day, a month or a year; a day may be one of the words of ``RelativeDay``.
enum DateArgument: ExpressibleByArgument {
    case date(PartialDate)
    case relative(RelativeDay)

    init?(argument: String) {
        if let word = RelativeDay(typed: argument) {
            self = .relative(word)
        } else if let date = try? PartialDate(parsing: argument) {
            self = .date(date)
        } else {
            return nil
        }
    }

    var isWord: Bool { if case .relative = self { true } else { false } }

    func date(in zone: TimeZone) -> PartialDate {
        switch self {
        case .date(let date): date
        case .relative(let word): .day(word.day(in: zone))
        }
    }
}

/// The name of a kind of entry.
struct KindName: ExpressibleByArgument {
    let kind: Kind

    /// Takes a plural as well, such as `weights` or `allergies`.
    init?(argument: String) {
        let word = argument.lowercased()
        let singulars = [("ies", "y"), ("es", ""), ("s", "")]
            .compactMap { ending, replacement in
                word.hasSuffix(ending) ? String(word.dropLast(ending.count)) + replacement : nil
            }
        guard let kind = ([argument] + singulars).lazy.compactMap(Kind.typed).first else { return nil }
        self.kind = kind
    }

    static var allValueStrings: [String] { Kind.all.map { $0.word.replacing(" ", with: "-") } }

    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
