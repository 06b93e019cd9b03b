import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import JournalPages

/// The triage board of a practice, and the page that puts a patient on it.
extension ClinicPages {
    @Sendable func board(_ visit: PageVisit) async throws -> Response {
        let caller = try visit.caller
        let visitor = try await visitor(visit.practice(), visit)
        let view = visitor.view
        let asOf = try visit.query.asOf(by: view.clock)
        let found = try await journal.triage.triageBoard(of: view.practice.id, asOf: asOf, caller)
        let page = TriageBoardPage(
            view,
            found.map(\.document),
            now: found.first?.shownAt ?? journal.now,
            moment: CalendarMoment(asOf, view),
            hasRules: try await hasRules(view.practice.id, caller),
            visitor.boardPermissions,
            specialist: visitor.specialist?.text,
            isStill: visit.query["still"] != nil,
            key: pages.key()
        )
        var response = visit.response(page, view.words["practiceTab.board"])
        // Without JavaScript too. Nothing can be typed on a page that loads itself.
        if page.refreshes, let refresh = HTTPField.Name("Refresh") {
            let seconds = TriageBoardPage.refreshSeconds
            response.headers[refresh] = "\(seconds); url=\(page.address)?\(IdleSessions.automatic)=true"
        }
        return response
    }

    func hasRules(_ practice: UUID, _ caller: Caller) async throws -> Bool {
        try await journal.triage.triageRules(of: practice, caller).current != nil
    }

    // MARK: - A patient arrives

    /// Reads the practice for a caller who may put patients on the board; throws, and records the refusal, for others.
    private func arrivals(_ visit: PageVisit, _ caller: Caller) async throws -> Visitor {
        let visitor = try await visitor(visit.practice(), visit)
        if visitor.roles.isDisjoint(with: TriageAction.begin.roles) {
            // The board is for the same roles, so that reading it is refused.
            _ = try await journal.triage.triageBoard(of: visitor.view.practice.id, caller)
        }
        return visitor
    }

    /// The search for a patient or, with the id of a record, that patient alone.
    @Sendable func arrival(_ visit: PageVisit) async throws -> Response {
        let caller = try visit.caller
        let visitor = try await arrivals(visit, caller)
        var found: [PatientAnswer]?
        if let record = try id(visit.query["record"], "record") {
            found = try await journal.patients.list(of: visitor.view.practice.id, matching: .record(record), caller)
        }
        let page = ArrivalPage(
            visitor.view,
            found: found?.map(\.document),
            clients: try await clients(of: found ?? [], visitor, caller),
            waiting: try await waiting(found ?? [], visitor, caller),
            appointment: try id(visit.query["appointment"], "appointment")?.text,
            key: pages.key()
        )
        return visit.response(page, visitor.view.words["patientArrives"])
    }

    /// Finds patients by name, which is sent with a form so that it is in no address.
    @Sendable func findArrival(_ visit: PageVisit) async throws -> Response {
        let typed = try await visit.form()
        let caller = try visit.caller
        let visitor = try await arrivals(visit, caller)
        let words = visitor.view.words
        let name = typed["name"].trimming(\.isWhitespace)
        guard name.count >= 2 else {
            let page = ArrivalPage(visitor.view, typed: name, problem: words["twoLetters"], key: pages.key())
            return visit.response(page, words["patientArrives"], status: .badRequest)
        }
        let found = try await journal.patients.list(of: visitor.view.practice.id, matching: .name(name), caller)
        let page = ArrivalPage(
            visitor.view,
            typed: name,
            found: found.map(\.document),
            clients: try await clients(of: found, visitor, caller),
            waiting: try await waiting(found, visitor, caller),
            key: pages.key()
        )
        return visit.response(page, words["patientArrives"])
    }

    private func waiting(_ found: [PatientAnswer], _ visitor: Visitor, _ caller: Caller) async throws -> [UUID: Instant]
    {
        let records = found.prefix(PatientSearchPage.shown).map(\.patient.record)
        return try await journal.triage.waitingSince(Set(records), at: visitor.view.practice.id, caller)
    }

    /// Puts a patient on the board, also as "Red now"; the typed values are shown again if that is refused.
    @Sendable func begin(_ visit: PageVisit) async throws -> Response {
        let typed = try await visit.form()
        let practice = try visit.practice()
        guard let record = try id(typed["record"], "record") else {
            throw JournalError(.invalid, field: "record", "is required")
        }
        var asked = TriageRequest(practice: practice, record: record)
        asked.appointment = try id(typed["appointment"], "appointment")
        asked.complaint = typed["complaint"].trimming(\.isWhitespace)
        asked.isRedNow = typed["how"] == TriageStep.redNow.rawValue
        do {
            let result = try await journal.triage.beginTriage(asked, visit.writer(typed))
            guard let entry = result.entry else { throw JournalError(.failed, "the triage has no id") }
            let done = asked.isRedNow ? "redNowDone" : "onBoard"
            return Pages.redirect(to: "/practices/\(practice.text)/board?done=\(done)#triage-\(entry.text)")
        } catch {
            let error = JournalError(error)
            guard error.isOfTheForm else { throw error }
            let caller = try visit.caller
            let visitor = try await arrivals(visit, caller)
            let found = try await journal.patients.list(of: practice, matching: .record(record), caller)
            let (words, text) = (visitor.view.words, visitor.view.words.sentence(error.text))
            let problem = error.field == "complaint" ? words["labelled", words["complaint"], text] : text
            let page = ArrivalPage(
                visitor.view,
                found: found.map(\.document),
                clients: try await clients(of: found, visitor, caller),
                waiting: try await waiting(found, visitor, caller),
                appointment: asked.appointment?.text,
                problem: found.isEmpty ? text : nil,
                refused: .init(complaint: typed["complaint"], problem: problem),
                key: pages.key(typed)
            )
            let status: HTTPResponse.Status = error.code == .invalid ? .badRequest : .conflict
            return visit.response(page, visitor.view.words["patientArrives"], status: status)
        }
    }
}

extension ClinicPages.Visitor {
    fileprivate var boardPermissions: TriageBoardPage.Permissions {
        var permissions = TriageBoardPage.Permissions()
        permissions.begin = !roles.isDisjoint(with: TriageAction.begin.roles)
        permissions.treat = !roles.isDisjoint(with: TriageAction.take.roles)
        permissions.adoptRules = !roles.isDisjoint(with: TriageAction.adoptRules.roles)
        return permissions
    }
}
