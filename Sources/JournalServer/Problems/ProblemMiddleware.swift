import HealthJournal
import Hummingbird
import Logging
import NIOHTTP1

/// Converts the errors of inner handlers into problem documents, or into HTML pages for browsers.
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
            // After a parser error the end of the body is unknown: the server itself responds and closes the
            // connection.
            throw error
        } catch {
            let problem = Problem(error)
            if problem.status.kind == .serverError {
                // A `JournalError` never contains the content of a record.
                context.log.error("failed", metadata: ["error": "\(JournalError(error))"])
            }
            if request.isForFHIR { return problem.outcome }
            return request.isForPage ? pages.response(problem, request, context) : problem.response
        }
    }
}

extension Request {
    /// Whether the client expects an OperationOutcome.
    fileprivate var isForFHIR: Bool { uri.path.hasPrefix(FHIRService.path + "/") }

    /// Whether the client expects an HTML page rather than an API response.
    fileprivate var isForPage: Bool {
        !uri.path.hasPrefix("/v1/") && headers[values: .accept].contains { $0.contains(AnswerType.html.essence) }
    }
}
