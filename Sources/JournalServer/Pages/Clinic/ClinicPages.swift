import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// Pages of practices: the calendar, the booking of appointments, and their changes; and triage.
struct ClinicPages: PageGroup {
    let pages: Pages

    func add(to routes: PageRoutes) {
        routes.get("practices", practices)
        routes.get("practices/:practice", start)
        routes.get("practices/:practice/day", query: ["day", "asOf", "done"], day)
        routes.get("practices/:practice/week", query: ["day", "asOf"], week)
        routes.get("practices/:practice/open", open)
        routes.get("practices/:practice/print", query: ["day"], printed)
        routes.get("practices/:practice/patients", patients)
        routes.post("practices/:practice/patients", find)
        routes.get("practices/:practice/patients/:record/written", written)
        routes.post("practices/:practice/patients/:record/written", showWritten)
        routes.get("practices/:practice/new-patient", query: ["next"], newPatient)
        routes.post("practices/:practice/new-patient", createPatient)
        routes.get("practices/:practice/feeds", query: ["done"], feeds)
        routes.post("practices/:practice/feeds", linkFeed)
        routes.post("practices/:practice/feeds/:calendar/unlink", unlinkFeed)
        routes.get(
            "practices/:practice/book",
            query: ["record", "service", "moving", "assessment", "from", "slot", "type"],
            booking
        )
        routes.post("practices/:practice/book", book)
        routes.get("practices/:practice/board", query: ["asOf", "done", "still", IdleSessions.automatic], board)
        routes.post("practices/:practice/board", begin)
        routes.get("practices/:practice/arrive", query: ["record", "appointment"], arrival)
        routes.post("practices/:practice/arrive", findArrival)
        routes.get("practices/:practice/rules", query: ["done"], rules)
        routes.post("practices/:practice/rules", adoptRules)
        routes.get("triage/:triage", query: ["done"], showTriage)
        routes.post("triage/:triage/change", changeTriage)
        routes.get("triage/:triage/assess", assessForm)
        routes.post("triage/:triage/assess", assess)
        routes.get("triage/:triage/explain", query: ["rules"], explainTriage)
        routes.get("records/:record/appointments", query: ["done"], ofRecord)
        routes.post("records/:record/registrations/:practice", answerRegistration)
        routes.get("appointments/:appointment", query: ["change", "done"], show)
        routes.post("appointments/:appointment/change", change)
    }

    /// How many days before and after today the work list covers; together at most `SlotQuestion.maximumDays`.
    static let openDays = (before: 30, after: 60)

    /// A practice as the reader of a page sees it.
    struct Visitor {
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
    func visitor(
        _ practice: UUID,
        withSpecialists: Bool = false,
        _ visit: PageVisit
    ) async throws -> Visitor {
        let caller = try visit.caller
        let answer = try await journal.practices.practice(practice, caller)
        let clock = try journal.practiceStates.clock(of: answer.practice)
        let specialists = withSpecialists ? try await journal.practices.specialists(of: practice, caller) : []
        return Visitor(
            view: PracticeView(
                answer.practice,
                clock,
                specialists: specialists,
                roles: answer.roles,
                visit.reader
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
