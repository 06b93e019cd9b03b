import HealthJournal
import HealthModel
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// Serves the metrics and the health checks at an address of their own.
struct MetricsListener: Service {
    let host: String
    let port: Int
    let operations: OperationsAnswers
    let server: HTTPServerBuilder
    let logger: Logger

    func run() async throws {
        let router = Router(context: ServerContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: PlainProblemMiddleware())
        router.get("/health/live") { _, _ in operations.live }
        router.get("/health/ready") { _, context in operations.ready(context) }
        router.get("/metrics") { request, context in try operations.metrics(request, context) }
        let application = Application(
            responder: router.buildResponder(),
            server: server,
            configuration: ApplicationConfiguration(address: .hostname(host, port: port)),
            onServerRunning: { [logger] channel in
                let port = channel.localAddress?.port ?? 0
                logger.notice("metrics", metadata: ["address": "http://\(host):\(port)/metrics"])
            },
            logger: logger
        )
        do {
            try await application.run()
        } catch let error as IOError {
            throw JournalError(.failed, "cannot listen on \(host), port \(port), for metrics: \(error.reason)")
        }
    }
}

/// Converts errors into problem documents.
private struct PlainProblemMiddleware: RouterMiddleware {
    func handle(
        _ request: Request,
        context: ServerContext,
        next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            return Problem(error).response
        }
    }
}
