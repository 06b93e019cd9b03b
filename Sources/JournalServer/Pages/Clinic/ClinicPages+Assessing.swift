import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import JournalPages

/// The form of an assessment.
extension ClinicPages {
    @Sendable func assessForm(_ visit: PageVisit) async throws -> Response {
        try await assessPage(visit)
    }

    /// Stores the findings; a refused form is shown with the typed values.
    @Sendable func assess(_ visit: PageVisit) async throws -> Response {
        let typed = try await visit.form()
        let id = try visit.triage()
        let reader = visit.reader
        var problems: [String: String] = [:]
        let findings = FindingsForm.read(typed.values, signs: typed.several("signs"), &problems, reader)
        if problems.isEmpty, findings.values.isEmpty {
            return try await assessPage(visit, typed, problem: reader.words["nothingFoundYet"])
        }
        guard problems.isEmpty else {
            let problem = reader.summary(problems)
            return try await assessPage(visit, typed, problems: problems, problem: problem)
        }
        do {
            _ = try await journal.triage.changeTriage(id, .assess(findings), visit.writer(typed))
            return Pages.redirect(to: "/triage/\(id.text)?done=assessedNow")
        } catch {
            let error = JournalError(error)
            let isOfField = error.field.map { FindingsForm.has(ClinicPages.field($0)) } ?? false
            guard error.isOfTheForm || isOfField else { throw error }
            var problem = reader.words.sentence(error.text)
            if isOfField, let field = error.field {
                problems[ClinicPages.field(field)] = problem
                problem = reader.summary(problems) ?? problem
            }
            let status: HTTPResponse.Status = error.code == .conflict ? .conflict : .badRequest
            return try await assessPage(visit, typed, problems: problems, problem: problem, status: status)
        }
    }

    /// The name of the field of the form to which an error such as `symptoms[0]` belongs.
    private static func field(_ name: String) -> String {
        String(name.prefix { $0 != "[" })
    }

    private func assessPage(
        _ visit: PageVisit,
        _ typed: PageForm? = nil,
        problems: [String: String] = [:],
        problem: String? = nil,
        status: HTTPResponse.Status? = nil
    ) async throws -> Response {
        let caller = try visit.caller
        let id = try visit.triage()
        let answer = try await journal.triage.find(id, caller)
        // For others, the explanation is refused as the assessment would be, which records the attempt.
        if answer.detail != .all { _ = try await journal.triage.explainTriage(id, caller) }
        let state = answer.state
        let rules = try await journal.triage.triageRules(of: state.practice, caller)
        guard let adopted = rules.current, state.isWaiting || typed != nil else {
            return Pages.redirect(to: "/triage/\(id.text)")
        }
        let visitor = try await visitor(state.practice, withSpecialists: true, visit)
        let species = answer.patient.flatMap { SpeciesCode(name: $0.species) }
        let begun = FindingsForm.begun(after: state.assessment?.assessment.findings)
        let page = TriageAssessPage(
            answer.document,
            FindingsForm(try adopted.ruleSet(), species: species, visitor.view),
            rules: adopted.rules,
            typed: typed?.values ?? begun.typed,
            ticked: typed?.several("signs") ?? begun.signs,
            problems: problems,
            problem: problem,
            isSpeciesKnown: species != nil,
            today: visitor.today,
            key: pages.key(typed),
            visitor.view
        )
        return visit.response(page, visitor.view.words["assess"], status: status ?? (typed == nil ? .ok : .badRequest))
    }
}
