import HTTPTypes
import HealthModel
import Hummingbird
import Logging

/// Counts each request and logs its result, with the route template instead of the address.
struct MeterMiddleware: RouterMiddleware {
    let meter: RequestMeter
    /// Tells the addresses of clients for the log; nil if they are not logged.
    let loggedSite: PublicSite?

    func handle(
        _ request: Request,
        context: ServerContext,
        next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        meter.begin()
        let start = ContinuousClock.now
        var status = HTTPResponse.Status.badRequest
        defer {
            let duration = ContinuousClock.now - start
            let label = RequestMeter.Label(
                method: known.contains(request.method) ? request.method.rawValue : "other",
                route: context.endpointPath ?? "none",
                status: status.code
            )
            meter.end(label, in: duration)
            if context.logger.logLevel <= .info { log(label, duration, request, context) }
        }
        var response = try await next(request, context)
        status = response.status
        response.headers[.xRequestID] = context.requestID
        return response
    }

    private func log(
        _ label: RequestMeter.Label,
        _ duration: Duration,
        _ request: Request,
        _ context: ServerContext
    ) {
        var metadata: Logger.Metadata = [
            "method": "\(label.method)", "route": "\(label.route)", "status": "\(label.status)",
            "milliseconds": "\(Int(duration / .milliseconds(1)))",
        ]
        if let account = context.note.account { metadata["account"] = "\(account.text)" }
        if let correlation = context.note.correlation { metadata["correlation"] = "\(correlation.text)" }
        if let client = loggedSite?.client(of: request, connectedFrom: context.peer.flatMap { IPAddress($0) }) {
            metadata["client"] = "\(client)"
        }
        context.log.info("answered", metadata: metadata)
    }
}

private let known: Set<HTTPRequest.Method> = [.get, .head, .post, .put, .patch, .delete, .options]
