import HealthModel
import Interchange

/// Schemas for owners, invitations and emergencies.
extension OpenAPI {
    static let sharingSchemas: [JSONValue.Member] = [
        .init(
            "Owners",
            list("owners", object(["account": JSONSchema.identifier], optional: ["name": ["type": "string"]]))
        ),
        .init("Transfer", object(["to": JSONSchema.identifier])),
        .init("NewInvitation", newInvitation),
        .init(
            "MadeInvitation",
            object([
                "code": ["type": "string", "description": "The code; the journal does not store it."],
                "id": JSONSchema.identifier, "expires": JSONSchema.time, "position": JSONSchema.position,
            ])
        ),
        .init("Invitations", list("invitations", invitation)),
        .init("Acceptance", object(["code": ["type": "string", "minLength": 1]])),
        .init(
            "InvitationPreview",
            object(
                ["record": JSONSchema.identifier, "terms": reference("GrantTerms")],
                optional: ["replaces": reference("Grant")]
            )
        ),
        .init(
            "Emergency",
            object(
                [
                    "reason": [
                        "allOf": [
                            JSONSchema.plainText(maximum: Limits.reason),
                            ["minLength": .integer(Limits.emergencyReason)],
                        ]
                    ]
                ],
                optional: ["hours": number(1, Limits.emergencyHours)]
            )
        ),
        .init(
            "OpenedEmergency",
            object([
                "position": JSONSchema.position, "record": JSONSchema.identifier, "expires": JSONSchema.time,
            ])
        ),
        .init("Notices", list("notices", notice)),
    ]

    private static func number(_ low: Int, _ high: Int) -> JSONValue {
        ["type": ["integer", "null"], "minimum": .integer(low), "maximum": .integer(high)]
    }

    private static let newInvitation: JSONValue = {
        guard case .object(let members)? = terms["properties"] else { return terms }
        return object([:], optional: .object(members + [.init("days", number(1, Limits.invitationDays))]))
    }()

    private static let invitation = object(
        [
            "id": JSONSchema.identifier, "state": ["enum": ["accepted", "withdrawn", "open", "expired"]],
            "sections": ["type": "array", "items": sections], "verbs": ["type": "array", "items": verbs],
            "madeAt": JSONSchema.time, "expires": JSONSchema.time,
        ],
        optional: [
            "from": JSONSchema.date, "until": JSONSchema.date, "acceptedAt": JSONSchema.time,
            "account": JSONSchema.identifier, "emergencyAfterEnd": emergencyAfterEnd,
        ]
    )

    private static let notice = object(
        [
            "position": JSONSchema.position, "record": JSONSchema.identifier, "displayName": ["type": "string"],
            "account": JSONSchema.identifier, "reason": ["type": "string"], "openedAt": JSONSchema.time,
            "expires": JSONSchema.time, "acknowledged": ["type": "boolean"],
        ],
        optional: [
            "name": ["type": "string"], "acknowledgedAt": JSONSchema.time, "acknowledgedBy": JSONSchema.identifier,
        ]
    )
}
