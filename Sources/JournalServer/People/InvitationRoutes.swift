import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Codes by which one becomes a caregiver.
struct InvitationRoutes {
    let journal: Journal

    func add(to group: RouterGroup<ServerContext>) {
        group.get("records/:record/invitations", use: list)
        group.post("records/:record/invitations", use: invite)
        group.delete("records/:record/invitations/:invitation", use: withdraw)
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
        let document = try await request.json(["sections", "verbs", "from", "until", "days"])
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

    /// The code comes in the body: an address is written to logs on its way.
    @Sendable private func accept(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["reason"])
        let document = try await request.json(["code"])
        let caller = try context.writer(request, body: document.bytes, reason: query["reason"])
        return try await journal.acceptInvitation(document.text("code"), caller).response()
    }
}
