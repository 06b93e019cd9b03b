import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import JournalPages

/// The pages that lead to an animal: the search of a practice for its patients, and the appointments of one animal.
extension ClinicPages {
    @Sendable func patients(_ visit: PageVisit) async throws -> Response {
        let caller = try visit.caller
        let visitor = try await visitor(visit.practice(), visit)
        // The page shows no patient yet. The read of none records the refusal of those who are no members.
        if !visitor.isMember { _ = try await journal.patients.list(of: visitor.view.practice.id, caller) }
        let page = PatientSearchPage(visitor.view)
        return visit.response(page, visitor.view.words["practiceTab.patients"])
    }

    /// Finds patients by name, which is sent with a form so that it is in no address.
    @Sendable func find(_ visit: PageVisit) async throws -> Response {
        let typed = try await visit.form()
        let caller = try visit.caller
        let visitor = try await visitor(visit.practice(), visit)
        let words = visitor.view.words
        let name = typed["name"].trimming(\.isWhitespace)
        guard name.count >= 2 || !visitor.isMember else {
            let page = PatientSearchPage(visitor.view, typed: name, problem: words["twoLetters"])
            return visit.response(page, words["practiceTab.patients"], status: .badRequest)
        }
        let found = try await journal.patients.list(of: visitor.view.practice.id, matching: .name(name), caller)
        let clients = try await clients(of: found, visitor, caller)
        let page = PatientSearchPage(visitor.view, typed: name, found: found.map(\.document), clients: clients)
        return visit.response(page, words["practiceTab.patients"])
    }

    /// The names of the clients who bring patients, by id.
    func clients(of found: [PatientAnswer], _ visitor: Visitor, _ caller: Caller) async throws -> [UUID: String] {
        let ids = found.prefix(PatientSearchPage.shown).flatMap(\.document.clients)
        return try await journal.clients.clientNames(Set(ids), of: visitor.view.practice.id, caller)
    }

    /// Asks what the entries that the practice wrote are read for.
    @Sendable func written(_ visit: PageVisit) async throws -> Response {
        let visitor = try await visitor(visit.practice(), visit)
        // The page shows nothing of the record yet. The read of no patient records the refusal of those who are no members.
        if !visitor.isMember { _ = try await journal.patients.list(of: visitor.view.practice.id, visit.caller) }
        let page = WrittenEntriesPage(visitor.view, action: visit.request.uri.path)
        return visit.response(page, visitor.view.words["writtenHeading"])
    }

    @Sendable func showWritten(_ visit: PageVisit) async throws -> Response {
        let typed = try await visit.form()
        var caller = try visit.caller
        let visitor = try await visitor(visit.practice(), visit)
        let (words, action) = (visitor.view.words, visit.request.uri.path)
        caller.purpose = typed["purpose"].trimming(\.isWhitespace)
        let page: WrittenEntriesPage
        var status = HTTPResponse.Status.ok
        do {
            let found = try await journal.patients.entriesWritten(
                by: visitor.view.practice.id,
                in: visit.record(),
                caller
            )
            let names = pages.names(in: found)
            page = WrittenEntriesPage(
                visitor.view,
                action: action,
                purpose: caller.purpose,
                found: found.reversed().map { EntryLine($0, visitor.view.reader, names, isLinked: false) }
            )
        } catch let error as JournalError where error.field == "purpose" {
            let problem = caller.purpose.isEmpty ? words["writtenPurposeNeeded"] : words.sentence(error.text)
            page = WrittenEntriesPage(visitor.view, action: action, purpose: caller.purpose, problem: problem)
            status = .badRequest
        }
        return visit.response(page, words["writtenHeading"], status: status)
    }

    @Sendable func ofRecord(_ visit: PageVisit) async throws -> Response {
        let (record, caller) = (try visit.record(), try visit.caller)
        let reader = visit.reader
        let found = try await journal.appointments.list(of: record, caller)
        let triages = try await journal.triage.triages(of: record, caller)
        let head = try await visit.frame(record, at: .appointments)
        let now = journal.now
        var views: [UUID: PracticeView] = [:]
        var readers: [UUID: AppointmentReader] = [:]
        var open: [PracticeView] = []
        for answer in try await journal.practices.list(caller) {
            let practice = answer.practice
            let isNamed =
                found.contains { $0.state.details.practice == practice.id }
                || triages.contains { $0.state.practice == practice.id }
            let offers =
                practice.closed == nil && head.isAnimal && head.mayEdit
                && practice.services.contains { $0.value.ended == nil && $0.value.profile.isOnline }
            guard isNamed || offers else { continue }
            let specialists = isNamed ? try await journal.practices.specialists(of: practice.id, caller) : []
            let view = PracticeView(
                practice,
                try journal.practiceStates.clock(of: practice),
                specialists: specialists,
                reader
            )
            views[practice.id] = view
            readers[practice.id] = AppointmentReader(practice: practice, roles: [], now: now)
            if offers { open.append(view) }
        }
        let entries = found.compactMap { answer -> RecordAppointmentsPage.Entry? in
            let practice = answer.state.details.practice
            guard let view = views[practice], let rules = readers[practice] else { return nil }
            let mayChange = head.mayEdit && rules.may(.cancel, answer.state) && answer.state.details.start > now
            return .init(answer.document, view, mayChange: mayChange)
        }
        let visits = triages.compactMap { answer in
            views[answer.state.practice].map { RecordAppointmentsPage.Visit(answer.document, $0) }
        }
        let registrations =
            head.isAnimal && head.mayEdit ? try await journal.patients.registrations(of: record, caller) : []
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
        return visit.response(page, title)
    }

    /// Accepts, refuses or ends the registration of an animal at a practice.
    @Sendable func answerRegistration(_ visit: PageVisit) async throws -> Response {
        let typed = try await visit.form()
        let (record, practice) = (try visit.record(), try visit.practice())
        let caller = try visit.writer(typed)
        let done: String
        switch typed["answer"] {
        case "accept":
            _ = try await journal.patients.acceptRegistration(of: record, at: practice, caller)
            done = "registrationAcceptedNow"
        case "end":
            let known = try await journal.patients.registrations(of: record, caller).first { $0.practice == practice }
            _ = try await journal.patients.endRegistration(of: record, at: practice, caller)
            done = known?.state.status == .requested ? "registrationRefusedNow" : "registrationEndedNow"
        default:
            throw JournalError(.invalid, field: "answer", "must be \"accept\" or \"end\"")
        }
        return Pages.redirect(to: "/records/\(record.text)/appointments?done=\(done)")
    }
}
