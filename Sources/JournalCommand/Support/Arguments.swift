import ArgumentParser
import FoundationEssentials
import HealthModel

extension ModelError {
    /// The error as a usage error, for an argument that cannot be parsed.
    var asUsage: ValidationError { ValidationError(description) }

    /// The error as a usage error of an option.
    func asUsage(of option: String) -> ValidationError { ValidationError("\(option): \(message)") }
}

/// A position, time or date at which state is read; a date may be one of the words of ``RelativeDay``.
enum When {
    case moment(AsOf)
    case relative(RelativeDay)

    /// Throws a usage error if the text is none of them, or could be a position and a year.
    init(typed text: String) throws {
        if let word = RelativeDay(typed: text) {
            self = .relative(word)
            return
        }
        do {
            self = .moment(try AsOf(typed: text).throughItsSecond)
        } catch {
            throw error.asUsage
        }
    }

    /// The moment; a word is a day by the clock by which times are typed.
    func asOf(in session: Session) -> AsOf {
        switch self {
        case .moment(let moment): moment
        case .relative(let word): .day(word.day(in: session.output.typedZone))
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

    /// Throws a usage error if the days end before they begin.
    func moment(in session: Session) throws -> ReadMoment {
        let period = try days.period(in: session.output.typedZone)
        return ReadMoment(asOf: asOf?.asOf(in: session), happenedFrom: period.first, happenedBy: period.last)
    }
}

/// A time that was given as an argument: in RFC 3339, by the clocks of the journal's zone, or as the start of a day,
/// which may be one of the words of ``RelativeDay``.
struct TypedTime: ExpressibleByArgument {
    private let text: String

    init?(argument: String) {
        // Anything else than a time and a day is refused before the journal is opened.
        guard (try? Instant(typed: argument, in: .gmt)) != nil || TypedDay(argument: argument) != nil else {
            return nil
        }
        text = argument
    }

    /// Throws `invalid` if the clocks skip the time or show it twice.
    func instant(in zone: TimeZone) throws(ModelError) -> Instant {
        switch TypedDay(argument: text) {
        case .date(let day): day.adding(days: -1).end(in: zone)
        case .relative(let word): word.day(in: zone).adding(days: -1).end(in: zone)
        case nil: try Instant(typed: text, in: zone)
        }
    }
}

extension EntryContent {
    /// Sets the date that a person typed, which may be one of the words of ``RelativeDay``.
    mutating func setDate(typed text: String, in zone: TimeZone) throws(ModelError) {
        if let word = RelativeDay(typed: text) {
            date = .date(.day(word.day(in: zone)))
            return
        }
        // The parser of dates would name only one of their forms.
        guard text.isEmpty || text.prefixMatch(of: /[0-9]{4}/) != nil else {
            throw ModelError(
                .invalid,
                field: "date",
                "not a date: write it as 2026-03-01, 2026-03 or 2026, as a time such as 2026-03-01T08:00, or as yesterday"
            )
        }
        do throws(ModelError) {
            date = text.isEmpty ? nil : try OccurredDate(typed: text, in: zone)
        } catch {
            throw ModelError(error.code, field: "date", error.text)
        }
    }

    /// Sets fields that a person typed: times by the clocks of a zone, and numbers as the terminal's locale writes them.
    mutating func set(typed assignments: [TypedField], in zone: TimeZone) throws(ModelError) {
        let assignments = try assignments.named(
            among: kind.fields.leaves.map(\.name) + ["date", "comment", "voiceEntryUsed"]
        )
        var plain = assignments
        for (index, (name, value)) in assignments.enumerated() {
            if name == "date" {
                try setDate(typed: value, in: zone)
                plain[index].value = date?.description ?? ""
            }
            switch kind.fields.path(named: name)?.fields.last?.type {
            case .decimal, .integer: plain[index].value = TypedNumber.plain(value)
            case .wallTime, .wallMoment: plain[index].value = WallTime.withTwoDigits(value)
            default: break
            }
        }
        try set(plain)
    }
}

/// Reads a file or, for `-`, the standard input, up to a limit in bytes.
func readFile(_ path: String, atMost limit: Int) throws -> [UInt8] {
    try BoundedFile.read(path, atMost: limit)
}
