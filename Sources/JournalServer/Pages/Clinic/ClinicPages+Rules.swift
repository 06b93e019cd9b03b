import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import JournalPages

/// The page of the rules of triage, and their adoption.
extension ClinicPages {
    @Sendable func rules(_ visit: PageVisit) async throws -> Response {
        try await rulesPage(visit)
    }

    /// Adopts a rule set of the program, or the text of one; a refused form is shown with the typed values.
    @Sendable func adoptRules(_ visit: PageVisit) async throws -> Response {
        let reader = visit.reader
        let typed = try await visit.form()
        let practice = try visit.practice()
        let label = typed["rules"]
        do {
            let rules = try TriageRules.asked(
                label: label.isEmpty ? nil : label,
                text: label.isEmpty ? typed["text"].withUnixLines : nil
            )
            let veterinarian = typed["veterinarian"].trimming(\.isWhitespace)
            _ = try await journal.triage.adoptTriageRules(
                rules,
                by: veterinarian,
                in: practice,
                visit.writer(typed)
            )
            return Pages.redirect(to: "/practices/\(practice.text)/rules?done=rulesAdopted")
        } catch {
            let error = JournalError(error)
            guard error.isOfTheForm else { throw error }
            var problems: [String: String] = [:]
            var problem = reader.message(for: error, &problems)
            if let text = problems.removeValue(forKey: "rules") {
                if label.isEmpty { problems["text"] = text } else { problem = text }
            }
            return try await rulesPage(
                visit,
                refused: .init(
                    rules: label,
                    text: typed["text"],
                    veterinarian: typed["veterinarian"],
                    problems: problems
                ),
                problem: problem,
                key: pages.key(typed),
                status: error.code == .conflict ? .conflict : .badRequest
            )
        }
    }

    private func rulesPage(
        _ visit: PageVisit,
        refused: TriageRulesPage.Refused? = nil,
        problem: String? = nil,
        key: String? = nil,
        status: HTTPResponse.Status = .ok,
        notice: PageFrame.Notice? = nil
    ) async throws -> Response {
        let caller = try visit.caller
        let visitor = try await visitor(visit.practice(), visit)
        let adopted = try await journal.triage.triageRules(of: visitor.view.practice.id, caller)
        let page = TriageRulesPage(
            adopted,
            mayAdopt: !visitor.roles.isDisjoint(with: TriageAction.adoptRules.roles),
            refused: refused,
            problem: problem,
            key: key ?? pages.key(),
            pages.names(adopted.adopted.map(\.stamp.actor)),
            visitor.view
        )
        let title = visitor.view.words["triageRules"]
        return visit.response(page, title, status: status, notice: notice)
    }
}
