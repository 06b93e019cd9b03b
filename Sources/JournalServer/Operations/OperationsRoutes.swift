import HTTPTypes
import HealthJournal
import Hummingbird
import Interchange

/// Health checks and metrics for the operator.
///
/// The responses contain no personal data.
struct OperationsRoutes: Routes {
    let services: Services

    static let operations: [Operation] = [
        Operation(
            method: .get,
            path: "/health/live",
            id: "isLive",
            summary: "Report whether the process is running",
            tag: .service,
            answers: [.json("Liveness", "It is running.")],
            isPublic: true,
            handler: live
        ),
        Operation(
            method: .get,
            path: "/health/ready",
            id: "isReady",
            summary: "Report whether the journal can process requests",
            tag: .service,
            answers: [
                .json("Readiness", "It can."),
                .json("Readiness", "It cannot; the reason is in the service's log.", status: 503),
            ],
            isPublic: true,
            handler: ready
        ),
        Operation(
            method: .get,
            path: "/metrics",
            id: "showMetrics",
            summary: "Show the service's metrics in the Prometheus text format",
            description: """
                Without a token of the metrics, they are shown to programs of the service's machine alone, and not through \
                a proxy. The operator can give them a token, or an address of their own.
                """,
            tag: .service,
            answers: [.text("The metrics; they contain no data of records.")],
            problems: [.unauthenticated, .refused, .notFound],
            isPublic: true,
            handler: metrics
        ),
    ]

    private var answers: OperationsAnswers {
        OperationsAnswers(
            journal: journal,
            meter: services.meter,
            reminders: services.reminders.monitor,
            access: services.metrics
        )
    }

    private func live(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        answers.live
    }

    private func ready(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        answers.ready(context)
    }

    private func metrics(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        try answers.metrics(request, context)
    }
}

extension OperationsRoutes {
    static let schemas: [JSONValue.Member] = [
        .init(
            "Liveness",
            [
                "type": "object", "required": ["status"], "properties": ["status": ["const": "live"]],
                "additionalProperties": false,
            ]
        ),
        .init("Readiness", readiness),
    ]

    private static let readiness: JSONValue = [
        "type": "object",
        "required": [
            "status", "head", "checkpoint", "views", "readers", "maximumReaders", "oldestReaderCommits",
            "oldestReaderSeconds", "warnings", "reserveBytes", "freeBytes",
        ],
        "properties": [
            "status": ["enum": ["ready", "not ready"]],
            "head": ["type": "integer", "minimum": 0, "description": "The position of the newest event."],
            "checkpoint": [
                "type": "integer", "minimum": 0,
                "description": "The number of events covered by the newest checkpoint stored outside the log.",
            ],
            "views": [
                "type": "object",
                "additionalProperties": [
                    "type": "object",
                    "required": ["lag"],
                    "properties": [
                        "lag": ["type": "integer", "minimum": 0, "description": "Events not processed yet."]
                    ],
                    "additionalProperties": false,
                ],
            ],
            "readers": ["type": "integer", "minimum": 0, "description": "Reader slots that are or were in use."],
            "maximumReaders": ["type": "integer", "minimum": 0],
            "oldestReaderCommits": [
                "type": "integer", "minimum": 0,
                "description": "Commits since the oldest snapshot of the log that any process has open; 0 for none.",
            ],
            "oldestReaderSeconds": [
                "type": "integer", "minimum": 0,
                "description": "How long that snapshot has been open, as observed by the service.",
            ],
            "warnings": [
                "type": "array", "items": ["type": "string"],
                "description": "Conditions that need attention, such as low disk space.",
            ],
            "reserveBytes": [
                "type": ["integer", "null"], "minimum": 0,
                "description": "Disk space reserved for reads and erasures, if there is any.",
            ],
            "freeBytes": [
                "type": ["integer", "null"], "minimum": 0, "description": "Free space on the disk of the journal.",
            ],
        ],
        "additionalProperties": false,
    ]
}
