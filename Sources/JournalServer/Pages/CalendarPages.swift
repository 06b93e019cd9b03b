import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import JournalPages

/// Pages that give the planned doses of a record a secret address for calendar programs, and withdraw it.
struct CalendarPages {
    let pages: Pages
    private var journal: Journal { pages.journal }

    init(_ pages: Pages) {
        self.pages = pages
    }

    func add(to group: RouterGroup<ServerContext>) {
        group.get("records/:record/calendars", use: list)
        group.post("records/:record/calendars", use: link)
        group.post("records/:record/calendars/:calendar/unlink", use: unlink)
    }

    @Sendable private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["done"])
        return try await response(request, context, notice: pages.notice(query, request, context))
    }

    private func response(
        _ request: Request,
        _ context: ServerContext,
        typed: CalendarsPage.Typed = CalendarsPage.Typed(),
        problems: [String: String] = [:],
        key: String? = nil,
        status: HTTPResponse.Status = .ok,
        notice: PageFrame.Notice? = nil
    ) async throws -> Response {
        let reader = pages.reader(request, context)
        let (record, caller) = (try context.record(), try context.requireCaller())
        let calendars = try await journal.calendars(of: .doses(of: record), caller)
        let page = CalendarsPage(
            try await pages.frame(record, at: .medication, kinds: CarePages.kinds, reader, context),
            calendars.map { journal.document(of: $0) },
            typed: typed,
            confirmation: try pages.confirmation(caller, reader, problems),
            key: key ?? pages.key(),
            reader
        )
        return pages.response(page, reader.words["calendars"], request, context, status: status, notice: notice)
    }

    @Sendable private func link(_ request: Request, _ context: ServerContext) async throws -> Response {
        let reader = pages.reader(request, context)
        _ = try Query(request, [])
        let typed = try await request.pageForm()
        let record = try context.record()
        let made: NewCalendar
        do {
            made = try await journal.linkCalendar(
                to: .doses(of: record),
                showsNames: ReminderDetail(rawValue: typed["detail"])?.showsNames ?? false,
                times: CalendarLink.Times(rawValue: typed["times"]) ?? .utc,
                current: typed.values["current"].flatMap { $0.isEmpty ? nil : $0 },
                context.writer(typed, request)
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
                request,
                context,
                typed: again,
                problems: problems,
                key: pages.key(typed),
                status: .badRequest
            )
        }
        let page = SecretPage(
            heading: reader.words["calendarAddress"],
            secret: request.origin(isSecure: pages.cookie.isSecure) + made.path,
            hint: reader.words["calendarAddressHint"],
            done: "/records/\(record.text)/calendars"
        )
        return pages.response(page, reader.words["calendarAddress"], request, context)
    }

    @Sendable private func unlink(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let typed = try await request.pageForm()
        let record = try context.record()
        _ = try await journal.unlinkCalendar(context.calendar(), of: .doses(of: record), context.writer(typed, request))
        return Pages.redirect(to: "/records/\(record.text)/calendars?done=calendarUnlinked")
    }
}
