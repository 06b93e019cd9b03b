import HTTPTypes
import Interchange

/// Owners, invitations and emergencies.
extension OpenAPI {
    static let ownerOperations: [Operation] = [
        Operation(
            method: .get,
            path: "/v1/records/{record}/owners",
            id: "listOwners",
            summary: "List who owns a record",
            tag: .owners,
            parameters: [.asOf],
            answers: [.json("Owners", "The owners.")],
            problems: [.erased]
        ),
        Operation(
            method: .put,
            path: "/v1/records/{record}/owners/{account}",
            id: "addOwner",
            summary: "Make somebody an owner of a record, beside those there are",
            tag: .owners,
            parameters: [.reason, .idempotencyKey],
            answers: [.written],
            problems: [.conflict, .erased]
        ),
        Operation(
            method: .delete,
            path: "/v1/records/{record}/owners/{account}",
            id: "removeOwner",
            summary: "Let somebody own a record no longer; one owner stays",
            tag: .owners,
            parameters: [.reason, .idempotencyKey],
            answers: [.written],
            problems: [.conflict, .erased]
        ),
        Operation(
            method: .post,
            path: "/v1/records/{record}/transfer",
            id: "transferRecord",
            summary: "Give a record to another owner, as a pet is",
            tag: .owners,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(schema: "Transfer", examples: Examples.transfers),
            answers: [.written],
            problems: [.conflict, .erased]
        ),
    ]

    static let invitationOperations: [Operation] = [
        Operation(
            method: .get,
            path: "/v1/records/{record}/invitations",
            id: "listInvitations",
            summary: "List the invitations to a record, and what became of them",
            tag: .caregivers,
            answers: [.json("Invitations", "All invitations; their codes are nowhere.")],
            problems: [.erased]
        ),
        Operation(
            method: .post,
            path: "/v1/records/{record}/invitations",
            id: "invite",
            summary: "Make a code by which one person becomes a caregiver; it is shown this once",
            tag: .caregivers,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(schema: "NewInvitation", examples: Examples.invitations),
            answers: [.json("MadeInvitation", "The code.", status: 201)],
            problems: [.conflict, .erased]
        ),
        Operation(
            method: .delete,
            path: "/v1/records/{record}/invitations/{invitation}",
            id: "withdrawInvitation",
            summary: "Withdraw an invitation",
            tag: .caregivers,
            parameters: [.reason, .idempotencyKey],
            answers: [.written],
            problems: [.conflict, .erased]
        ),
        Operation(
            method: .post,
            path: "/v1/invitations/accept",
            id: "acceptInvitation",
            summary: "Become a caregiver by a code",
            tag: .caregivers,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(schema: "Acceptance", examples: []),
            answers: [.written],
            problems: [.refused, .notFound, .conflict, .erased]
        ),
    ]

    static let emergencyOperations: [Operation] = [
        Operation(
            method: .post,
            path: "/v1/records/{record}/emergency-access",
            id: "openEmergency",
            summary: "See all of a record for some hours, as its caregiver, in an emergency; its owners are told",
            tag: .emergencies,
            parameters: [.idempotencyKey],
            body: BodyDescription(schema: "Emergency", examples: []),
            answers: [.json("OpenedEmergency", "Opened.", status: 201)],
            problems: [.conflict, .erased]
        ),
        Operation(
            method: .get,
            path: "/v1/notices",
            id: "listNotices",
            summary: "List who opened the emergency view of the caller's own records",
            tag: .emergencies,
            answers: [.json("Notices", "All notices.")],
            problems: [.refused]
        ),
        Operation(
            method: .post,
            path: "/v1/notices/{position}/acknowledge",
            id: "acknowledgeNotice",
            summary: "Say that a notice was seen",
            tag: .emergencies,
            parameters: [.reason, .idempotencyKey],
            answers: [.written],
            problems: [.conflict]
        ),
    ]
}
