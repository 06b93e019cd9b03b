import HTTPTypes
import Interchange

/// Operations on owners, invitations and emergencies.
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
            summary: "Add an owner to a record",
            tag: .owners,
            parameters: [.reason, .idempotencyKey],
            answers: [.written],
            problems: [.conflict, .erased]
        ),
        Operation(
            method: .delete,
            path: "/v1/records/{record}/owners/{account}",
            id: "removeOwner",
            summary: "Remove an owner from a record; the last one cannot be removed",
            tag: .owners,
            parameters: [.reason, .idempotencyKey],
            answers: [.written],
            problems: [.conflict, .erased]
        ),
        Operation(
            method: .post,
            path: "/v1/records/{record}/transfer",
            id: "transferRecord",
            summary: "Transfer a record to another owner, for example when a pet is given away",
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
            summary: "List the invitations to a record, and their state",
            tag: .caregivers,
            answers: [.json("Invitations", "All invitations, without their codes, which are not stored.")],
            problems: [.erased]
        ),
        Operation(
            method: .post,
            path: "/v1/records/{record}/invitations",
            id: "invite",
            summary: "Create an invitation code for one caregiver; it is shown only once",
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
            path: "/v1/invitations/preview",
            id: "previewInvitation",
            summary: "Show the access that a code gives, and which of the caller's grants it would replace",
            tag: .caregivers,
            body: BodyDescription(schema: "Acceptance", examples: []),
            answers: [.json("InvitationPreview", "What accepting the invitation would do.")],
            problems: [.refused, .notFound, .erased]
        ),
        Operation(
            method: .post,
            path: "/v1/invitations/accept",
            id: "acceptInvitation",
            summary: "Accept an invitation code; with If-Match, the position of the caller's grant, replace that grant",
            tag: .caregivers,
            parameters: [.reason, .idempotencyKey, .ifMatch],
            body: BodyDescription(schema: "Acceptance", examples: []),
            answers: [.written],
            problems: [.refused, .notFound, .conflict, .stale, .erased]
        ),
    ]

    static let emergencyOperations: [Operation] = [
        Operation(
            method: .post,
            path: "/v1/records/{record}/emergency-access",
            id: "openEmergency",
            summary: "Open the emergency view of a record for some hours, as its caregiver; its owners are notified",
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
            summary: "Acknowledge a notice",
            tag: .emergencies,
            parameters: [.reason, .idempotencyKey],
            answers: [.written],
            problems: [.conflict]
        ),
    ]
}
