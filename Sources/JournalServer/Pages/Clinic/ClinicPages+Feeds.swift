import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import JournalPages

/// The page that gives the appointments of a specialist a secret address for calendar programs.
extension ClinicPages {
    @Sendable func feeds(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["done"])
        return try await feedsPage(request, context, notice: pages.notice(query, request, context))
    }

    private func feedsPage(
        _ request: Request,
        _ context: ServerContext,
        typed: PageForm? = nil,
        problems: [String: String] = [:],
        problem: String? = nil,
        status: HTTPResponse.Status = .ok,
        notice: PageFrame.Notice? = nil
    ) async throws -> Response {
        let reader = pages.reader(request, context)
        let caller = try context.requireCaller()
        let visit = try await visit(context.practice(), withSpecialists: true, request, context)
        let view = visit.view
        var found: [PracticeFeedsPage.Feed] = []
        for specialist in view.specialists {
            let source = CalendarSource.appointments(of: specialist.id, at: view.practice.id)
            found += try await journal.calendars(of: source, caller).filter(\.isLinked)
                .map { .init(journal.document(of: $0), of: specialist, view.reader) }
        }
        // Those who are no members have no calendar to see, also in a practice without specialists.
        if !visit.isMember { _ = try await journal.patients(of: view.practice.id, caller) }
        let page = PracticeFeedsPage(
            view,
            found,
            chosen: typed?["specialist"] ?? visit.specialist?.text ?? "",
            detail: typed?["detail"] ?? "",
            problems: problems,
            problem: problem,
            confirmation: try pages.confirmation(caller, reader, problems),
            key: pages.key(typed)
        )
        return pages.response(page, view.words["feeds"], request, context, status: status, notice: notice)
    }

    @Sendable func linkFeed(_ request: Request, _ context: ServerContext) async throws -> Response {
        let reader = pages.reader(request, context)
        _ = try Query(request, [])
        let typed = try await request.pageForm()
        let practice = try context.practice()
        var problems: [String: String] = [:]
        var problem: String?
        if let specialist = UUID(uuidString: typed["specialist"]) {
            do {
                let made = try await journal.linkCalendar(
                    to: .appointments(of: specialist, at: practice),
                    showsNames: ReminderDetail(rawValue: typed["detail"])?.showsNames ?? false,
                    current: typed.values["current"].flatMap { $0.isEmpty ? nil : $0 },
                    context.writer(typed, request)
                )
                let page = SecretPage(
                    heading: reader.words["calendarAddress"],
                    secret: request.origin(isSecure: pages.cookie.isSecure) + made.path,
                    hint: reader.words["calendarAddressHint"],
                    done: "/practices/\(practice.text)/feeds"
                )
                return pages.response(page, reader.words["calendarAddress"], request, context)
            } catch {
                let error = JournalError(error)
                guard error.isOfTheForm || error.field == "current" else { throw error }
                problem = reader.message(for: error, &problems)
            }
        } else {
            problems["specialist"] = reader.words["chooseSpecialist"]
        }
        return try await feedsPage(
            request,
            context,
            typed: typed,
            problems: problems,
            problem: problem,
            status: .badRequest
        )
    }

    @Sendable func unlinkFeed(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let typed = try await request.pageForm()
        let practice = try context.practice()
        guard let specialist = UUID(uuidString: typed["specialist"]) else {
            throw JournalError(.invalid, field: "specialist", "must be a UUID")
        }
        let source = CalendarSource.appointments(of: specialist, at: practice)
        _ = try await journal.unlinkCalendar(context.calendar(), of: source, context.writer(typed, request))
        return Pages.redirect(to: "/practices/\(practice.text)/feeds?done=calendarUnlinked")
    }
}
