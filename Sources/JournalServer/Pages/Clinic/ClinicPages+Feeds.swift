import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import JournalPages

/// The page that gives the appointments of a specialist a secret address for calendar programs.
extension ClinicPages {
    @Sendable func feeds(_ visit: PageVisit) async throws -> Response {
        try await feedsPage(visit)
    }

    private func feedsPage(
        _ visit: PageVisit,
        typed: PageForm? = nil,
        problems: [String: String] = [:],
        problem: String? = nil,
        status: HTTPResponse.Status = .ok,
        notice: PageFrame.Notice? = nil
    ) async throws -> Response {
        let reader = visit.reader
        let caller = try visit.caller
        let visitor = try await visitor(visit.practice(), withSpecialists: true, visit)
        let view = visitor.view
        var found: [PracticeFeedsPage.Feed] = []
        for specialist in view.specialists {
            let source = CalendarSource.appointments(of: specialist.id, at: view.practice.id)
            found += try await journal.reminders.calendars(of: source, caller).filter(\.isLinked)
                .map { .init(journal.document(of: $0), of: specialist, view.reader) }
        }
        // Those who are no members have no calendar to see, also in a practice without specialists.
        if !visitor.isMember { _ = try await journal.patients.list(of: view.practice.id, caller) }
        let page = PracticeFeedsPage(
            view,
            found,
            chosen: typed?["specialist"] ?? visitor.specialist?.text ?? "",
            detail: typed?["detail"] ?? "",
            problems: problems,
            problem: problem,
            confirmation: try pages.confirmation(caller, reader, problems),
            key: pages.key(typed)
        )
        return visit.response(page, view.words["feeds"], status: status, notice: notice)
    }

    @Sendable func linkFeed(_ visit: PageVisit) async throws -> Response {
        let reader = visit.reader
        let typed = try await visit.form()
        let practice = try visit.practice()
        var problems: [String: String] = [:]
        var problem: String?
        if let specialist = UUID(uuidString: typed["specialist"]) {
            do {
                let made = try await journal.reminders.linkCalendar(
                    to: .appointments(of: specialist, at: practice),
                    showsNames: ReminderDetail(rawValue: typed["detail"])?.showsNames ?? false,
                    current: typed.values["current"].flatMap { $0.isEmpty ? nil : $0 },
                    visit.writer(typed)
                )
                let page = SecretPage(
                    heading: reader.words["calendarAddress"],
                    secret: visit.request.origin(isSecure: pages.cookie.isSecure) + made.path,
                    hint: reader.words["calendarAddressHint"],
                    done: "/practices/\(practice.text)/feeds"
                )
                return visit.response(page, reader.words["calendarAddress"])
            } catch {
                let error = JournalError(error)
                guard error.isOfTheForm || error.field == "current" else { throw error }
                problem = reader.message(for: error, &problems)
            }
        } else {
            problems["specialist"] = reader.words["chooseSpecialist"]
        }
        return try await feedsPage(
            visit,
            typed: typed,
            problems: problems,
            problem: problem,
            status: .badRequest
        )
    }

    @Sendable func unlinkFeed(_ visit: PageVisit) async throws -> Response {
        let typed = try await visit.form()
        let practice = try visit.practice()
        guard let specialist = UUID(uuidString: typed["specialist"]) else {
            throw JournalError(.invalid, field: "specialist", "must be a UUID")
        }
        let source = CalendarSource.appointments(of: specialist, at: practice)
        _ = try await journal.reminders.unlinkCalendar(visit.calendar(), of: source, visit.writer(typed))
        return Pages.redirect(to: "/practices/\(practice.text)/feeds?done=calendarUnlinked")
    }
}
