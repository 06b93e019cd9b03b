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
        let page = PatientSearchPage(visit.view, typed: name, found: found.map(\.document))
        return pages.response(page, words["practiceTab.patients"], request, context)
    }

    @Sendable func ofRecord(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
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
        let page = RecordAppointmentsPage(head, entries, triages: visits, practices: open, now: now)
        return pages.response(page, reader.words["tab.appointments"], request, context)
    }
}
