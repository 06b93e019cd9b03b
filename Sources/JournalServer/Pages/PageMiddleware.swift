import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages
import Logging
import NIOHTTP1

/// Requires a session, redirects to the sign-in page without one, and shows errors as pages.
struct PageMiddleware: RouterMiddleware {
    let pages: Pages

    func handle(
        _ request: Request,
        context: ServerContext,
        next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        do {
            guard context.caller?.session != nil else { return Pages.redirect(to: request.signInAddress) }
            return try await next(request, context)
        } catch let error as HTTPParserError {
            throw error
        } catch {
            let problem = Problem(error)
            if problem.status == .unauthorized { return Pages.redirect(to: request.signInAddress) }
            if problem.status.kind == .serverError {
                context.log.error("failed", metadata: ["error": "\(JournalError(error))"])
            }
            return pages.response(problem, request, context)
        }
    }
}

extension Pages {
    func response(_ problem: Problem, _ request: Request, _ context: ServerContext) -> Response {
        let isShut = problem.slug == ProblemType.refused.rawValue && context.caller?.hasRecords == true
        let record = isShut ? try? context.record() : nil
        let page = ProblemPage(
            problem.slug,
            detail: problem.text,
            field: problem.field,
            emergency: record.map { "/records/\($0.text)/emergency" },
            words(request, context)
        )
        var response = response(page, page.heading, request, context, status: problem.status)
        response.headers.append(contentsOf: problem.headers)
        response.headers[.wwwAuthenticate] = nil
        return response
    }
}

extension Request {
    /// The address of the sign-in page, which returns to the requested page.
    fileprivate var signInAddress: String {
        guard method == .get, uri.path != "/",
            let path = uri.string.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
        else { return "/sign-in" }
        return "/sign-in?next=\(path)"
    }
}
