import HTTPTypes
import HealthJournal
import Hummingbird
import Interchange
import Logging

/// The health checks and the metrics, at the service's address and at that of the metrics.
struct OperationsAnswers: Sendable {
    let journal: Journal
    let meter: RequestMeter
    let reminders: ReminderMonitor
    let access: MetricsAccess

    var live: Response { Response(.object([.init("status", .string("live"))])) }

    func ready(_ context: ServerContext) -> Response {
        let readiness = journal.maintenance.readiness()
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

    func metrics(_ request: Request, _ context: ServerContext) throws -> Response {
        try access.admit(request, context)
        return Response(Array(MetricsPage(journal, meter, reminders).text.utf8), type: .metrics)
    }
}
