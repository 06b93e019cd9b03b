import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import JournalPages

/// The form of an assessment.
extension ClinicPages {
    @Sendable func assessForm(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        return try await assessPage(request, context)
    }

    /// Stores the findings; a refused form is shown with the typed values.
    @Sendable func assess(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let typed = try await request.pageForm()
        let id = try context.triage()
        let reader = pages.reader(request, context)
        var problems: [String: String] = [:]
        let findings = FindingsForm.read(typed.values, signs: typed.several("signs"), &problems, reader)
        if problems.isEmpty, findings.values.isEmpty {
            return try await assessPage(request, context, typed, problem: reader.words["nothingFoundYet"])
        }
        guard problems.isEmpty else {
            let problem = reader.summary(problems)
            return try await assessPage(request, context, typed, problems: problems, problem: problem)
        }
        do {
            _ = try await journal.changeTriage(id, .assess(findings), context.writer(typed, request))
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
            return try await assessPage(request, context, typed, problems: problems, problem: problem, status: status)
        }
    }

    /// The name of the field of the form to which an error such as `symptoms[0]` belongs.
    private static func field(_ name: String) -> String {
        String(name.prefix { $0 != "[" })
    }

    private func assessPage(
        _ request: Request,
        _ context: ServerContext,
        _ typed: PageForm? = nil,
        problems: [String: String] = [:],
        problem: String? = nil,
        status: HTTPResponse.Status? = nil
    ) async throws -> Response {
        let caller = try context.requireCaller()
        let id = try context.triage()
        let answer = try await journal.triage(id, caller)
        // For others, the explanation is refused as the assessment would be, which records the attempt.
        if answer.detail != .all { _ = try await journal.explainTriage(id, caller) }
        let state = answer.state
        let rules = try await journal.triageRules(of: state.practice, caller)
        guard let adopted = rules.current, state.isWaiting || typed != nil else {
            return Pages.redirect(to: "/triage/\(id.text)")
        }
        let visit = try await visit(state.practice, withSpecialists: true, request, context)
        let species = answer.patient.flatMap { SpeciesCode(name: $0.species) }
        let begun = FindingsForm.begun(after: state.assessment?.assessment.findings)
        let page = TriageAssessPage(
            answer.document,
            FindingsForm(try adopted.ruleSet(), species: species, visit.view),
            rules: adopted.rules,
            typed: typed?.values ?? begun.typed,
            ticked: typed?.several("signs") ?? begun.signs,
            problems: problems,
            problem: problem,
            isSpeciesKnown: species != nil,
            today: visit.today,
            key: pages.key(typed),
            visit.view
        )
        return pages.response(
            page,
            visit.view.words["assess"],
            request,
            context,
            status: status ?? (typed == nil ? .ok : .badRequest)
        )
    }
}
