import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// Pages of practices: the calendar, the booking of appointments, and their changes; and triage.
struct ClinicPages {
    let pages: Pages
    var journal: Journal { pages.journal }

    init(_ pages: Pages) {
        self.pages = pages
    }

    func add(to group: RouterGroup<ServerContext>) {
        group.get("practices", use: practices)
        group.get("practices/:practice", use: start)
        group.get("practices/:practice/day", use: day)
        group.get("practices/:practice/week", use: week)
        group.get("practices/:practice/open", use: open)
        group.get("practices/:practice/print", use: printed)
        group.get("practices/:practice/patients", use: patients)
        group.post("practices/:practice/patients", use: find)
        group.get("practices/:practice/patients/:record/written", use: written)
        group.post("practices/:practice/patients/:record/written", use: showWritten)
        group.get("practices/:practice/new-patient", use: newPatient)
        group.post("practices/:practice/new-patient", use: createPatient)
        group.get("practices/:practice/feeds", use: feeds)
        group.post("practices/:practice/feeds", use: linkFeed)
        group.post("practices/:practice/feeds/:calendar/unlink", use: unlinkFeed)
        group.get("practices/:practice/book", use: booking)
        group.post("practices/:practice/book", use: book)
        group.get("practices/:practice/board", use: board)
        group.post("practices/:practice/board", use: begin)
        group.get("practices/:practice/arrive", use: arrival)
        group.post("practices/:practice/arrive", use: findArrival)
        group.get("practices/:practice/rules", use: rules)
        group.post("practices/:practice/rules", use: adoptRules)
        group.get("triage/:triage", use: showTriage)
        group.post("triage/:triage/change", use: changeTriage)
        group.get("triage/:triage/assess", use: assessForm)
        group.post("triage/:triage/assess", use: assess)
        group.get("triage/:triage/explain", use: explainTriage)
        group.get("records/:record/appointments", use: ofRecord)
        group.post("records/:record/registrations/:practice", use: answerRegistration)
        group.get("appointments/:appointment", use: show)
        group.post("appointments/:appointment/change", use: change)
    }

    /// How many days before and after today the work list covers; together at most `SlotQuestion.maximumDays`.
    static let openDays = (before: 30, after: 60)

    /// A practice as the reader of a page sees it.
    struct Visit {
        let view: PracticeView
        let roles: Set<ClinicRole>
        /// The specialist that the reader is; nil if the reader is none.
        let specialist: UUID?
        /// Today by the practice's clock.
        let today: Day

        var isMember: Bool { !roles.isEmpty }

        func reader(_ now: Instant) -> AppointmentReader {
            AppointmentReader(practice: view.practice, roles: roles, now: now)
        }
    }

    /// Reads a practice, which is none of its patients.
    func visit(
        _ practice: UUID,
        withSpecialists: Bool = false,
        _ request: Request,
        _ context: ServerContext
    ) async throws -> Visit {
        let caller = try context.requireCaller()
        let answer = try await journal.practice(practice, caller)
        let clock = try journal.clock(of: answer.practice)
        let specialists = withSpecialists ? try await journal.specialists(of: practice, caller) : []
        return Visit(
            view: PracticeView(
                answer.practice,
                clock,
                specialists: specialists,
                roles: answer.roles,
                pages.reader(request, context)
            ),
            roles: answer.roles,
            specialist: answer.members[caller.account]?.specialist,
            today: clock.day(at: journal.now)
        )
    }

    /// Parses an id that a form or an address contains; nil if there is none.
    func id(_ text: String?, _ field: String) throws -> UUID? {
        guard let text, !text.isEmpty else { return nil }
        guard let id = UUID(uuidString: text) else { throw JournalError(.invalid, field: field, "must be a UUID") }
        return id
    }
}

extension Query {
    /// The day of a page; nil if the parameter is missing or empty.
    func day(_ name: String) throws -> Day? {
        try value(name) { text throws(ModelError) in text.isEmpty ? nil : try Day(parsing: text) } ?? nil
    }

    /// The moment of a calendar page: as everywhere, or a time by the practice's clock, as a field of a form has it.
    func asOf(by clock: PersonClock) throws -> AsOf? {
        try value("asOf") { text throws(ModelError) in
            if text.isEmpty { return nil }
            if let wall = try? WallMoment(parsing: text), wall.time != nil {
                return .instant(clock.lastMoment(of: wall))
            }
            return try AsOf(parsing: text)
        } ?? nil
    }
}
