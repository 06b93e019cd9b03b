import ArgumentParser
import FoundationEssentials
import HealthModel

/// A day that was given as an argument: a date, or one of the words of ``RelativeDay``.
enum TypedDay: ExpressibleByArgument {
    case date(Day)
    case relative(RelativeDay)

    init?(argument: String) {
        if let word = RelativeDay(typed: argument) {
            self = .relative(word)
        } else if let day = try? Day(parsing: argument) {
            self = .date(day)
        } else {
            return nil
        }
    }

    /// The day by the person's clock, which only a word needs.
    func day(of record: UUID, in session: Session) async throws -> Day {
        switch self {
        case .date(let day): day
        case .relative(let word): try await word.day(today: session.wall(in: session.personZone(of: record)).day)
        }
    }
}

/// A moment of a plan that was given as an argument: a day or a time of a day, by the person's clock.
struct TypedMoment: ExpressibleByArgument {
    private let day: TypedDay
    /// Nil for a day without a time.
    private let time: WallTime?

    init?(argument: String) {
        if let day = TypedDay(argument: argument) {
            (self.day, time) = (day, nil)
        } else if let wall = try? WallMoment(parsing: WallTime.withTwoDigits(argument)) {
            (day, time) = (.date(wall.day), wall.time)
        } else {
            return nil
        }
    }

    /// The moment itself or, of a day, its start.
    func start(today: Day) -> WallMoment {
        switch day {
        case .date(let day): WallMoment(day: day, time: time)
        case .relative(let word): WallMoment(day: word.day(today: today))
        }
    }

    /// The end of a period up to this moment: a day is included, as in the forms of the pages.
    func end(today: Day) -> WallMoment {
        let start = start(today: today)
        return start.time == nil ? WallMoment(day: start.day.adding(days: 1)) : start
    }
}
