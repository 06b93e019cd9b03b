import HTTPTypes
import HealthJournal
import Hummingbird
import Interchange
import Logging

/// Health checks and metrics for the operator.
///
/// The responses contain no personal data and need no token.
struct OperationsRoutes {
    let journal: Journal
    let meter: RequestMeter

    func add(to router: Router<ServerContext>) {
        router.get("health/live", use: live)
        router.get("health/ready", use: ready)
        router.get("metrics", use: metrics)
    }

    @Sendable private func live(_ request: Request, _ context: ServerContext) async throws -> Response {
        Response(.object([.init("status", .string("live"))]))
    }

    @Sendable private func ready(_ request: Request, _ context: ServerContext) async throws -> Response {
        let readiness = journal.readiness()
        let isReady = readiness.problems.isEmpty
        for problem in readiness.problems { context.log.error("not ready", metadata: ["problem": "\(problem)"]) }
        return Response(
            .object([
                .init("status", .string(isReady ? "ready" : "not ready")),
                .init("head", .integer(readiness.head)),
                .init("checkpoint", .integer(readiness.checkpointSize)),
                .init(
                    "views",
                    .object(readiness.views.map { .init($0.name, .object([.init("lag", .integer($0.lag))])) })
                ),
                .init("readers", .integer(readiness.readers)),
                .init("maximumReaders", .integer(readiness.maximumReaders)),
                .init("oldestReaderCommits", .integer(readiness.oldestReaderCommits)),
                .init("oldestReaderSeconds", .integer(readiness.oldestReaderSeconds)),
                .init("warnings", .array(readiness.warnings.map { .string($0) })),
                .init("reserveBytes", readiness.reserveBytes.map { .integer($0) } ?? .null),
                .init("freeBytes", readiness.freeBytes.map { .integer($0) } ?? .null),
            ]),
            status: isReady ? .ok : .serviceUnavailable
        )
    }

    @Sendable private func metrics(_ request: Request, _ context: ServerContext) async throws -> Response {
        Response(Array(MetricsPage(journal, meter).text.utf8), type: .metrics)
    }
}
