import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import JournalPages

/// The pages that lead to an animal: the search of a practice for its patients, and the appointments of one animal.
extension ClinicPages {
    @Sendable func patients(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let caller = try context.requireCaller()
        let visit = try await visit(context.practice(), request, context)
        // The page shows no patient yet. The read of none records the refusal of those who are no members.
        if !visit.isMember { _ = try await journal.patients(of: visit.view.practice.id, caller) }
        let page = PatientSearchPage(visit.view)
        return pages.response(page, visit.view.words["practiceTab.patients"], request, context)
    }

    /// Finds patients by name, which is sent with a form so that it is in no address.
    @Sendable func find(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let typed = try await request.pageForm()
        let caller = try context.requireCaller()
        let visit = try await visit(context.practice(), request, context)
        let words = visit.view.words
        let name = typed["name"].trimming(\.isWhitespace)
        guard name.count >= 2 || !visit.isMember else {
            let page = PatientSearchPage(visit.view, typed: name, problem: words["twoLetters"])
            return pages.response(page, words["practiceTab.patients"], request, context, status: .badRequest)
        }
        let found = try await journal.patients(of: visit.view.practice.id, matching: .name(name), caller)
        let clients = try await clients(of: found, visit, caller)
        let page = PatientSearchPage(visit.view, typed: name, found: found.map(\.document), clients: clients)
        return pages.response(page, words["practiceTab.patients"], request, context)
    }

    /// The names of the clients who bring patients, by id.
    func clients(of found: [PatientAnswer], _ visit: Visit, _ caller: Caller) async throws -> [UUID: String] {
        let ids = found.prefix(PatientSearchPage.shown).flatMap(\.document.clients)
        return try await journal.clientNames(Set(ids), of: visit.view.practice.id, caller)
    }

    /// Asks what the entries that the practice wrote are read for.
    @Sendable func written(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let visit = try await visit(context.practice(), request, context)
        // The page shows nothing of the record yet. The read of no patient records the refusal of those who are no members.
        if !visit.isMember { _ = try await journal.patients(of: visit.view.practice.id, context.requireCaller()) }
        let page = WrittenEntriesPage(visit.view, action: request.uri.path)
        return pages.response(page, visit.view.words["writtenHeading"], request, context)
    }

    @Sendable func showWritten(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let typed = try await request.pageForm()
        var caller = try context.requireCaller()
        let visit = try await visit(context.practice(), request, context)
        let (words, action) = (visit.view.words, request.uri.path)
        caller.purpose = typed["purpose"].trimming(\.isWhitespace)
        let page: WrittenEntriesPage
        var status = HTTPResponse.Status.ok
        do {
            let found = try await journal.entriesWritten(by: visit.view.practice.id, in: context.record(), caller)
            let names = pages.names(in: found)
            page = WrittenEntriesPage(
                visit.view,
                action: action,
                purpose: caller.purpose,
                found: found.reversed().map { EntryLine($0, visit.view.reader, names, isLinked: false) }
            )
        } catch let error as JournalError where error.field == "purpose" {
            let problem = caller.purpose.isEmpty ? words["writtenPurposeNeeded"] : words.sentence(error.text)
            page = WrittenEntriesPage(visit.view, action: action, purpose: caller.purpose, problem: problem)
            status = .badRequest
        }
        return pages.response(page, words["writtenHeading"], request, context, status: status)
    }

    @Sendable func ofRecord(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["done"])
        let (record, caller) = (try context.record(), try context.requireCaller())
        let reader = pages.reader(request, context)
        let found = try await journal.appointments(of: record, caller)
        let triages = try await journal.triages(of: record, caller)
        let head = try await pages.frame(record, at: .appointments, reader, context)
        let now = journal.now
        var views: [UUID: PracticeView] = [:]
        var readers: [UUID: AppointmentReader] = [:]
        var open: [PracticeView] = []
        for answer in try await journal.practices(caller) {
            let practice = answer.practice
            let isNamed =
                found.contains { $0.state.details.practice == practice.id }
                || triages.contains { $0.state.practice == practice.id }
            let offers =
                practice.closed == nil && head.isAnimal && head.mayEdit
                && practice.services.contains { $0.value.ended == nil && $0.value.profile.isOnline }
            guard isNamed || offers else { continue }
            let specialists = isNamed ? try await journal.specialists(of: practice.id, caller) : []
            let view = PracticeView(practice, try journal.clock(of: practice), specialists: specialists, reader)
            views[practice.id] = view
            readers[practice.id] = AppointmentReader(practice: practice, roles: [], now: now)
            if offers { open.append(view) }
        }
        let entries = found.compactMap { answer -> RecordAppointmentsPage.Entry? in
            let practice = answer.state.details.practice
            guard let view = views[practice], let rules = readers[practice] else { return nil }
            let mayChange = head.mayEdit && rules.mayCancel(answer.state) && answer.state.details.start > now
            return .init(answer.document, view, mayChange: mayChange)
        }
        let visits = triages.compactMap { answer in
            views[answer.state.practice].map { RecordAppointmentsPage.Visit(answer.document, $0) }
        }
        let registrations = head.isAnimal && head.mayEdit ? try await journal.registrations(of: record, caller) : []
        let page = RecordAppointmentsPage(
            head,
            entries,
            triages: visits,
            practices: open,
            registrations: registrations.map(\.document),
            reader.words,
            now: now
        )
        let title = reader.words["tab.appointments"]
        let notice = pages.notice(query, request, context)
        return pages.response(page, title, request, context, notice: notice)
    }

    /// Accepts, refuses or ends the registration of an animal at a practice.
    @Sendable func answerRegistration(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let typed = try await request.pageForm()
        let (record, practice) = (try context.record(), try context.practice())
        let caller = try context.writer(typed, request)
        let done: String
        switch typed["answer"] {
        case "accept":
            _ = try await journal.acceptRegistration(of: record, at: practice, caller)
            done = "registrationAcceptedNow"
        case "end":
            let known = try await journal.registrations(of: record, caller).first { $0.practice == practice }
            _ = try await journal.endRegistration(of: record, at: practice, caller)
            done = known?.state.status == .requested ? "registrationRefusedNow" : "registrationEndedNow"
        default:
            throw JournalError(.invalid, field: "answer", "must be \"accept\" or \"end\"")
        }
        return Pages.redirect(to: "/records/\(record.text)/appointments?done=\(done)")
    }
}
