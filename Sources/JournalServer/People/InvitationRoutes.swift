import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Routes for invitations: codes with which an account becomes a caregiver.
struct InvitationRoutes: Routes {
    let services: Services

    static let operations: [Operation] = [
        Operation(
            method: .get,
            path: "/v1/records/{record}/invitations",
            id: "listInvitations",
            summary: "List the invitations to a record, and their state",
            tag: .caregivers,
            answers: [.json("Invitations", "All invitations, without their codes, which are not stored.")],
            problems: [.erased],
            handler: list
        ),
        Operation(
            method: .post,
            path: "/v1/records/{record}/invitations",
            id: "invite",
            summary: "Create an invitation code for one caregiver; it is shown only once",
            tag: .caregivers,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(schema: "NewInvitation", examples: invitationExamples),
            answers: [.json("MadeInvitation", "The code.", status: 201)],
            problems: [.conflict, .erased],
            handler: invite
        ),
        Operation(
            method: .delete,
            path: "/v1/records/{record}/invitations/{invitation}",
            id: "withdrawInvitation",
            summary: "Withdraw an invitation",
            tag: .caregivers,
            parameters: [.reason, .idempotencyKey],
            answers: [.written],
            problems: [.conflict, .erased],
            handler: withdraw
        ),
        Operation(
            method: .post,
            path: "/v1/invitations/preview",
            id: "previewInvitation",
            summary: "Show the access that a code gives, and which of the caller's grants it would replace",
            tag: .caregivers,
            body: BodyDescription(schema: "Acceptance", examples: []),
            answers: [.json("InvitationPreview", "What accepting the invitation would do.")],
            problems: [.refused, .notFound, .erased],
            handler: preview
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
            problems: [.refused, .notFound, .conflict, .stale, .erased],
            handler: accept
        ),
    ]

    private func list(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let invitations = try await journal.invitations(to: context.record(), context.requireCaller())
        let now = journal.now
        return Response(["invitations": .array(invitations.map { InvitationDocument($0, now: now).json })])
    }

    private func invite(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let document = try await request.json([
            "sections", "verbs", "from", "until", "emergencyAfterEnd", "notify", "days",
        ])
        let made = try await journal.invite(
            GrantTerms(request: document.value(without: "days")),
            to: context.record(),
            days: document.integer("days") ?? Journal.invitationDays,
            context.writer(request, body: document.bytes, reason: query[.reason])
        )
        return Response(
            .object([
                .init("code", .string(made.code)), .init("id", .string(made.id.text)),
                .init("expires", .string(made.expires.description)), .init("position", .integer(made.position)),
            ]),
            status: .created
        )
    }

    private func withdraw(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let caller = try context.writer(request, reason: query[.reason])
        return try await journal.withdrawInvitation(context.invitation(), of: context.record(), caller).response()
    }

    private func preview(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let document = try await request.json(["code"])
        let preview = try await journal.previewInvitation(document.text("code"), context.requireCaller())
        return Response(journal.document(of: preview).json)
    }

    /// The code is sent in the body, because proxies and servers log addresses.
    private func accept(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let document = try await request.json(["code"])
        let caller = try context.writer(request, body: document.bytes, reason: query[.reason])
        return
            try await journal.acceptInvitation(document.text("code"), replacing: request.replacedGrant(), caller)
            .response()
    }
}

extension InvitationRoutes {
    private static let invitationExamples: [Example] = [
        ("aunt", ["sections": ["myhealth"], "verbs": ["read"], "days": 3])
    ]
}
