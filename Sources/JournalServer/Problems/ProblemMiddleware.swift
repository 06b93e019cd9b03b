import HealthJournal
import Hummingbird
import Logging
import NIOHTTP1

/// Answers whatever goes wrong behind it with a problem document; a browser, with a page.
struct ProblemMiddleware: RouterMiddleware {
    let pages: Pages

    func handle(
        _ request: Request,
        context: ServerContext,
        next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPParserError {
            // What follows on the connection cannot be told from the body: the server answers and closes it.
            throw error
        } catch {
            let problem = Problem(error)
            if problem.status.kind == .serverError {
                // An error of the journal never holds what a record says.
                context.log.error("failed", metadata: ["error": "\(JournalError(error))"])
            }
            return request.isForPage ? pages.response(problem, request, context) : problem.response
        }
    }
}

extension Request {
    /// Whether somebody looks for a page, and no program for an answer.
    fileprivate var isForPage: Bool {
        !uri.path.hasPrefix("/v1/") && headers[values: .accept].contains { $0.contains(AnswerType.html.essence) }
    }
}
