import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import JournalPages

/// Pages that give the planned doses of a record a secret address for calendar programs, and withdraw it.
struct CalendarPages: PageGroup {
    let pages: Pages

    func add(to routes: PageRoutes) {
        routes.get("records/:record/calendars", query: ["done"], list)
        routes.post("records/:record/calendars", link)
        routes.post("records/:record/calendars/:calendar/unlink", unlink)
    }

    @Sendable private func list(_ visit: PageVisit) async throws -> Response {
        try await response(visit)
    }

    private func response(
        _ visit: PageVisit,
        typed: CalendarsPage.Typed = CalendarsPage.Typed(),
        problems: [String: String] = [:],
        key: String? = nil,
        status: HTTPResponse.Status = .ok,
        notice: PageFrame.Notice? = nil
    ) async throws -> Response {
        let reader = visit.reader
        let (record, caller) = (try visit.record(), try visit.caller)
        let calendars = try await journal.reminders.calendars(of: .doses(of: record), caller)
        let page = CalendarsPage(
            try await visit.frame(record, at: .medication, kinds: CarePages.kinds),
            calendars.map { journal.document(of: $0) },
            typed: typed,
            confirmation: try pages.confirmation(caller, reader, problems),
            key: key ?? pages.key(),
            reader
        )
        return visit.response(page, reader.words["calendars"], status: status, notice: notice)
    }

    @Sendable private func link(_ visit: PageVisit) async throws -> Response {
        let reader = visit.reader
        let typed = try await visit.form()
        let record = try visit.record()
        let made: NewCalendar
        do {
            made = try await journal.reminders.linkCalendar(
                to: .doses(of: record),
                showsNames: ReminderDetail(rawValue: typed["detail"])?.showsNames ?? false,
                times: CalendarLink.Times(rawValue: typed["times"]) ?? .utc,
                current: typed.values["current"].flatMap { $0.isEmpty ? nil : $0 },
                visit.writer(typed)
            )
        } catch {
            let error = JournalError(error)
            guard error.isOfTheForm || error.field == "current" else { throw error }
            var again = CalendarsPage.Typed()
            (again.detail, again.times) = (typed["detail"], typed["times"])
            var problems: [String: String] = [:]
            if error.field == "current" {
                problems["current"] = reader.words.sentence(error.text)
            } else {
                again.problem = reader.words.sentence(error.text, of: error.field)
            }
            return try await response(
                visit,
                typed: again,
                problems: problems,
                key: pages.key(typed),
                status: .badRequest
            )
        }
        let page = SecretPage(
            heading: reader.words["calendarAddress"],
            secret: visit.request.origin(isSecure: pages.cookie.isSecure) + made.path,
            hint: reader.words["calendarAddressHint"],
            done: "/records/\(record.text)/calendars"
        )
        return visit.response(page, reader.words["calendarAddress"])
    }

    @Sendable private func unlink(_ visit: PageVisit) async throws -> Response {
        let typed = try await visit.form()
        let record = try visit.record()
        _ = try await journal.reminders.unlinkCalendar(visit.calendar(), of: .doses(of: record), visit.writer(typed))
        return Pages.redirect(to: "/records/\(record.text)/calendars?done=calendarUnlinked")
    }
}
