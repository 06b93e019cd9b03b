import HTTPTypes
import Interchange

extension OpenAPI {
    static let serviceOperations: [Operation] = [
        Operation(
            method: .get,
            path: "/openapi.json",
            id: "describe",
            summary: "This description",
            tag: .service,
            answers: [.json("Description", "OpenAPI 3.1.")],
            isPublic: true
        ),
        Operation(
            method: .get,
            path: "/health/live",
            id: "isLive",
            summary: "Tell whether the process runs",
            tag: .service,
            answers: [.json("Liveness", "It runs.")],
            isPublic: true
        ),
        Operation(
            method: .get,
            path: "/health/ready",
            id: "isReady",
            summary: "Tell whether the journal can do its work",
            tag: .service,
            answers: [
                .json("Readiness", "It can."),
                .json("Readiness", "It cannot; whoever runs the service finds the reason in its log.", status: 503),
            ],
            isPublic: true
        ),
        Operation(
            method: .get,
            path: "/metrics",
            id: "showMetrics",
            summary: "Show the service's figures in Prometheus' text form",
            tag: .service,
            answers: [.text("Figures; none says anything of a record.")],
            isPublic: true
        ),
    ]

    static let serviceSchemas: [JSONValue.Member] = [
        .init("Description", ["type": "object", "required": ["openapi", "info", "paths"]]),
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
        "required": ["status", "head", "checkpoint", "views", "readers", "maximumReaders", "freeBytes"],
        "properties": [
            "status": ["enum": ["ready", "not ready"]],
            "head": ["type": "integer", "minimum": 0, "description": "The position of the newest event."],
            "checkpoint": [
                "type": "integer", "minimum": 0,
                "description": "How many events the newest checkpoint outside the log covers.",
            ],
            "views": [
                "type": "object",
                "additionalProperties": [
                    "type": "object",
                    "required": ["lag"],
                    "properties": [
                        "lag": ["type": "integer", "minimum": 0, "description": "Events that are not in it yet."]
                    ],
                    "additionalProperties": false,
                ],
            ],
            "readers": ["type": "integer", "minimum": 0, "description": "Slots of readers that are or were in use."],
            "maximumReaders": ["type": "integer", "minimum": 0],
            "freeBytes": [
                "type": ["integer", "null"], "minimum": 0, "description": "Free space where the journal lies.",
            ],
        ],
        "additionalProperties": false,
    ]
}
