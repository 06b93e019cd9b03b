import HealthModel
import Interchange

/// Schemas for owners, invitations and emergencies.
extension OpenAPI {
    static let sharingSchemas: [JSONValue.Member] = [
        .init("Owners", list("owners", of: "Owner")),
        .init("Grants", list("caregivers", of: "Grant")),
        .init("Transfer", object(["to": JSONSchema.identifier])),
        .init("NewInvitation", newInvitation),
        .init(
            "MadeInvitation",
            object([
                "code": ["type": "string", "description": "The code; the journal does not store it."],
                "id": JSONSchema.identifier, "expires": JSONSchema.time, "position": JSONSchema.position,
            ])
        ),
        .init("Invitations", list("invitations", of: "Invitation")),
        .init("Acceptance", object(["code": ["type": "string", "minLength": 1]])),
        .init("Emergency", object(["reason": emergencyReason], optional: ["hours": number(1, Limits.emergencyHours)])),
        .init(
            "EmergencyByChip",
            object(
                ["chip": ["type": "string", "minLength": 1], "reason": emergencyReason],
                optional: ["hours": number(1, Limits.emergencyHours)]
            )
        ),
        .init(
            "OpenedEmergency",
            object([
                "position": JSONSchema.position, "record": JSONSchema.identifier, "expires": JSONSchema.time,
            ])
        ),
        .init("Notices", list("notices", of: "Notice")),
    ]

    private static let emergencyReason: JSONValue = [
        "allOf": [
            JSONSchema.plainText(maximum: Limits.reason), ["minLength": .integer(Limits.emergencyReason)],
        ]
    ]

    private static func number(_ low: Int, _ high: Int) -> JSONValue {
        ["type": ["integer", "null"], "minimum": .integer(low), "maximum": .integer(high)]
    }

    private static let newInvitation: JSONValue = {
        let terms = GrantTerms.requestSchema["properties"]?.members ?? []
        return object([:], optional: .object(terms + [.init("days", number(1, Limits.invitationDays))]))
    }()
}
