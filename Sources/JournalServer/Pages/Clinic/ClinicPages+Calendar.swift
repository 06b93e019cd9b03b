import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import JournalPages

/// The pages of a practice's calendar.
extension ClinicPages {
    @Sendable func practices(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let reader = pages.reader(request, context)
        let found = try await journal.practices(context.requireCaller()).filter { !$0.roles.isEmpty }
        let page = PracticesPage(found.map { ($0.practice, $0.roles) }, reader)
        return pages.response(page, reader.words["practices"], request, context)
    }

    @Sendable func start(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let caller = try context.requireCaller()
        let practice = try context.practice()
        let visit = try await visit(practice, request, context)
        // The calendar's own refusal is recorded; a redirect would only delay it.
        if !visit.isMember { _ = try await journal.calendar(of: practice, days: visit.today...visit.today, caller) }
        return Pages.redirect(to: "\(visit.view.address)/day")
    }

    @Sendable func day(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["day", "asOf", "done"])
        let caller = try context.requireCaller()
        let visit = try await visit(context.practice(), request, context)
        let day = try query.day("day") ?? visit.today
        let (view, answer, asOf) = try await calendar(visit, day...day, query, caller)
        let reader = visit.reader(journal.now)
        let answers = Dictionary(answer.appointments.map { ($0.state.id, $0) }) { first, _ in first }
        let page = PracticeDayPage(
            view,
            answer.document,
            moment: CalendarMoment(asOf, view),
            today: visit.today,
            key: pages.key()
        ) { appointment in
            answers[appointment.id].flatMap { reader.next($0, today: visit.today, day: day)?.rawValue }
        }
        let notice = pages.notice(query, request, context)
        return pages.response(page, view.words["practiceTab.day"], request, context, notice: notice)
    }

    @Sendable func week(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["day", "asOf"])
        let caller = try context.requireCaller()
        let visit = try await visit(context.practice(), request, context)
        let monday = (try query.day("day") ?? visit.today).monday
        let (view, answer, asOf) = try await calendar(visit, monday...monday.adding(days: 6), query, caller)
        let page = PracticeWeekPage(view, answer.document, moment: CalendarMoment(asOf, view), today: visit.today)
        return pages.response(page, view.words["practiceTab.week"], request, context)
    }

    @Sendable func open(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let caller = try context.requireCaller()
        let visit = try await visit(context.practice(), request, context)
        let first = visit.today.adding(days: -ClinicPages.openDays.before)
        var filter = AppointmentFilter()
        filter.onlyOpenQuestions = true
        let answer = try await journal.calendar(
            of: visit.view.practice.id,
            days: first...visit.today.adding(days: ClinicPages.openDays.after),
            matching: filter,
            caller
        )
        let view = PracticeView(
            answer.practice,
            visit.view.clock,
            specialists: answer.specialists,
            roles: visit.roles,
            pages.reader(request, context)
        )
        let page = PracticeOpenPage(view, answer.document)
        return pages.response(page, view.words["practiceTab.open"], request, context)
    }

    /// The list of a day to print.
    @Sendable func printed(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["day"])
        let caller = try context.requireCaller()
        let visit = try await visit(context.practice(), request, context)
        let day = try query.day("day") ?? visit.today
        let answer = try await journal.calendar(of: visit.view.practice.id, days: day...day, caller)
        let view = PracticeView(
            answer.practice,
            visit.view.clock,
            specialists: answer.specialists,
            roles: visit.roles,
            pages.reader(request, context)
        )
        let page = PracticePrintPage(view, answer.document, now: journal.now)
        return pages.response(page, view.words["printDay"], request, context)
    }

    /// Reads the calendar as of the moment that a query asks for.
    private func calendar(
        _ visit: Visit,
        _ days: ClosedRange<Day>,
        _ query: Query,
        _ caller: Caller
    ) async throws -> (PracticeView, CalendarAnswer, AsOf?) {
        let asOf = try query.asOf(by: visit.view.clock)
        let answer = try await journal.calendar(of: visit.view.practice.id, days: days, asOf: asOf, caller)
        let view = PracticeView(
            answer.practice,
            try journal.clock(of: answer.practice),
            specialists: answer.specialists,
            roles: visit.roles,
            visit.view.reader
        )
        return (view, answer, asOf)
    }
}
