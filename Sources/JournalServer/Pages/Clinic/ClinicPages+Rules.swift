import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import JournalPages

/// The page of the rules of triage, and their adoption.
extension ClinicPages {
    @Sendable func rules(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["done"])
        return try await rulesPage(request, context, notice: pages.notice(query, request, context))
    }

    /// Adopts a rule set of the program, or the text of one; a refused form is shown with the typed values.
    @Sendable func adoptRules(_ request: Request, _ context: ServerContext) async throws -> Response {
        let reader = pages.reader(request, context)
        _ = try Query(request, [])
        let typed = try await request.pageForm()
        let practice = try context.practice()
        let label = typed["rules"]
        do {
            let rules = try TriageRules.asked(
                label: label.isEmpty ? nil : label,
                text: label.isEmpty ? typed["text"].withUnixLines : nil
            )
            let veterinarian = typed["veterinarian"].trimming(\.isWhitespace)
            _ = try await journal.adoptTriageRules(
                rules,
                by: veterinarian,
                in: practice,
                context.writer(typed, request)
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
                request,
                context,
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
        _ request: Request,
        _ context: ServerContext,
        refused: TriageRulesPage.Refused? = nil,
        problem: String? = nil,
        key: String? = nil,
        status: HTTPResponse.Status = .ok,
        notice: PageFrame.Notice? = nil
    ) async throws -> Response {
        let caller = try context.requireCaller()
        let visit = try await visit(context.practice(), request, context)
        let adopted = try await journal.triageRules(of: visit.view.practice.id, caller)
        let page = TriageRulesPage(
            adopted,
            mayAdopt: !visit.roles.isDisjoint(with: TriageAction.adoptRules.roles),
            refused: refused,
            problem: problem,
            key: key ?? pages.key(),
            pages.names(adopted.adopted.map(\.stamp.actor)),
            visit.view
        )
        let title = visit.view.words["triageRules"]
        return pages.response(page, title, request, context, status: status, notice: notice)
    }
}
