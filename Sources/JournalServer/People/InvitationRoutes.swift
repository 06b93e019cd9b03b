import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Routes for invitations: codes with which an account becomes a caregiver.
struct InvitationRoutes {
    let journal: Journal

    func add(to group: RouterGroup<ServerContext>) {
        group.get("records/:record/invitations", use: list)
        group.post("records/:record/invitations", use: invite)
        group.delete("records/:record/invitations/:invitation", use: withdraw)
        group.post("invitations/preview", use: preview)
        group.post("invitations/accept", use: accept)
    }

    @Sendable private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let invitations = try await journal.invitations(to: context.record(), context.requireCaller())
        let now = journal.now
        return Response(
            .object([.init("invitations", .array(invitations.map { NativeInvitation.write($0, now: now) }))])
        )
    }

    @Sendable private func invite(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["reason"])
        let document = try await request.json(["sections", "verbs", "from", "until", "emergencyAfterEnd", "days"])
        let made = try await journal.invite(
            NativeGrant.terms(document.value(without: "days")),
            to: context.record(),
            days: document.integer("days") ?? Journal.invitationDays,
            context.writer(request, body: document.bytes, reason: query["reason"])
        )
        return Response(
            .object([
                .init("code", .string(made.code)), .init("id", .string(made.id.text)),
                .init("expires", .string(made.expires.description)), .init("position", .integer(made.position)),
            ]),
            status: .created
        )
    }

    @Sendable private func withdraw(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["reason"])
        let caller = try context.writer(request, reason: query["reason"])
        return try await journal.withdrawInvitation(context.invitation(), of: context.record(), caller).response()
    }

    @Sendable private func preview(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let document = try await request.json(["code"])
        let preview = try await journal.previewInvitation(document.text("code"), context.requireCaller())
        return Response(
            NativeInvitationPreview.write(
                record: preview.record,
                terms: preview.terms,
                replaced: preview.replaced,
                today: journal.today
            )
        )
    }

    /// The code is sent in the body, because proxies and servers log addresses.
    @Sendable private func accept(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["reason"])
        let document = try await request.json(["code"])
        let caller = try context.writer(request, body: document.bytes, reason: query["reason"])
        return
            try await journal.acceptInvitation(document.text("code"), replacing: request.replacedGrant(), caller)
            .response()
    }
}
