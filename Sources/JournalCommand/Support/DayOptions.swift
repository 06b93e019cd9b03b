import ArgumentParser
import HealthModel

/// The options for the days on which the entries that are shown had happened.
struct DayOptions: ParsableArguments {
    @Option(name: .long, help: "Only what happened from this day, month or year on: 2025-03-01, 2025-03 or 2025.")
    var since: DateArgument?

    @Option(
        name: [.long, .customLong("happened-by")],
        help:
            "Only what had happened by the end of this day, month or year; what has no date is included without --since."
    )
    var until: DateArgument?

    var first: Day? { since?.date.firstDay }
    var last: Day? { until?.date.lastDay }

    func validate() throws {
        guard let first, let last, first > last else { return }
        throw ValidationError("--until \(last) is before --since \(first)")
    }
}

/// A day, a month or a year.
struct DateArgument: ExpressibleByArgument {
    let date: PartialDate

    init?(argument: String) {
        guard let date = try? PartialDate(parsing: argument) else { return nil }
        self.date = date
    }
}

/// The name of a kind of entry.
struct KindName: ExpressibleByArgument {
    let kind: Kind

    init?(argument: String) {
        guard let kind = Kind.typed(argument) else { return nil }
        self.kind = kind
    }

    static var allValueStrings: [String] { Kind.all.map { $0.word.replacing(" ", with: "-") } }
}
