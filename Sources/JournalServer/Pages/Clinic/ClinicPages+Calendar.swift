import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import JournalPages

/// The pages of a practice's calendar.
extension ClinicPages {
    @Sendable func practices(_ visit: PageVisit) async throws -> Response {
        let reader = visit.reader
        let found = try await journal.practices.list(visit.caller).filter { !$0.roles.isEmpty }
        let page = PracticesPage(found.map { ($0.practice, $0.roles) }, reader)
        return visit.response(page, reader.words["practices"])
    }

    @Sendable func start(_ visit: PageVisit) async throws -> Response {
        let caller = try visit.caller
        let practice = try visit.practice()
        let visitor = try await visitor(practice, visit)
        // The calendar's own refusal is recorded; a redirect would only delay it.
        if !visitor.isMember {
            _ = try await journal.appointments.calendar(of: practice, days: visitor.today...visitor.today, caller)
        }
        return Pages.redirect(to: "\(visitor.view.address)/day")
    }

    @Sendable func day(_ visit: PageVisit) async throws -> Response {
        let caller = try visit.caller
        let visitor = try await visitor(visit.practice(), visit)
        let day = try visit.query.day("day") ?? visitor.today
        let (view, answer, asOf) = try await calendar(visitor, day...day, visit.query, caller)
        let reader = visitor.reader(journal.now)
        let answers = Dictionary(answer.appointments.map { ($0.state.id, $0) }) { first, _ in first }
        let page = PracticeDayPage(
            view,
            answer.document,
            moment: CalendarMoment(asOf, view),
            today: visitor.today,
            key: pages.key()
        ) { appointment in
            answers[appointment.id].flatMap { reader.next($0, today: visitor.today, day: day)?.rawValue }
        }
        return visit.response(page, view.words["practiceTab.day"])
    }

    @Sendable func week(_ visit: PageVisit) async throws -> Response {
        let caller = try visit.caller
        let visitor = try await visitor(visit.practice(), visit)
        let monday = (try visit.query.day("day") ?? visitor.today).monday
        let (view, answer, asOf) = try await calendar(visitor, monday...monday.adding(days: 6), visit.query, caller)
        let page = PracticeWeekPage(view, answer.document, moment: CalendarMoment(asOf, view), today: visitor.today)
        return visit.response(page, view.words["practiceTab.week"])
    }

    @Sendable func open(_ visit: PageVisit) async throws -> Response {
        let caller = try visit.caller
        let visitor = try await visitor(visit.practice(), visit)
        let first = visitor.today.adding(days: -ClinicPages.openDays.before)
        var filter = AppointmentFilter()
        filter.onlyOpenQuestions = true
        let answer = try await journal.appointments.calendar(
            of: visitor.view.practice.id,
            days: first...visitor.today.adding(days: ClinicPages.openDays.after),
            matching: filter,
            caller
        )
        let view = PracticeView(
            answer.practice,
            visitor.view.clock,
            specialists: answer.specialists,
            roles: visitor.roles,
            visit.reader
        )
        let page = PracticeOpenPage(view, answer.document)
        return visit.response(page, view.words["practiceTab.open"])
    }

    /// The list of a day to print.
    @Sendable func printed(_ visit: PageVisit) async throws -> Response {
        let caller = try visit.caller
        let visitor = try await visitor(visit.practice(), visit)
        let day = try visit.query.day("day") ?? visitor.today
        let answer = try await journal.appointments.calendar(of: visitor.view.practice.id, days: day...day, caller)
        let view = PracticeView(
            answer.practice,
            visitor.view.clock,
            specialists: answer.specialists,
            roles: visitor.roles,
            visit.reader
        )
        let page = PracticePrintPage(view, answer.document, now: journal.now)
        return visit.response(page, view.words["printDay"])
    }

    /// Reads the calendar as of the moment that a query asks for.
    private func calendar(
        _ visitor: Visitor,
        _ days: ClosedRange<Day>,
        _ query: Query,
        _ caller: Caller
    ) async throws -> (PracticeView, CalendarAnswer, AsOf?) {
        let asOf = try query.asOf(by: visitor.view.clock)
        let answer = try await journal.appointments.calendar(
            of: visitor.view.practice.id,
            days: days,
            asOf: asOf,
            caller
        )
        let view = PracticeView(
            answer.practice,
            try journal.practiceStates.clock(of: answer.practice),
            specialists: answer.specialists,
            roles: visitor.roles,
            visitor.view.reader
        )
        return (view, answer, asOf)
    }
}
