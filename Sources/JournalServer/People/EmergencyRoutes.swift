import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Routes for emergency access to a record, and for the notices that owners, or the practice that keeps it, get about it.
struct EmergencyRoutes: Routes {
    let services: Services

    static let operations: [Operation] = [
        Operation(
            method: .post,
            path: "/v1/records/{record}/emergency-access",
            id: "openEmergency",
            summary: "Open the emergency view of a record for some hours, as its caregiver; its owners are notified",
            tag: .emergencies,
            parameters: [.idempotencyKey],
            body: BodyDescription(schema: "Emergency", examples: []),
            answers: [.json("OpenedEmergency", "Opened.", status: 201)],
            problems: [.conflict, .erased],
            handler: open
        ),
        Operation(
            method: .post,
            path: "/v1/practices/{practice}/emergency-access",
            id: "openEmergencyByChip",
            summary: "Open the emergency view of an animal by its microchip number; its owners are notified",
            description: """
                For the veterinarians and nurses of a practice that has the animal, also if it is no patient. The view is open \
                to all of them for some hours, if the owner permits it in the profile (`isOpenToEmergencies`). If not, the \
                answer is that for an unknown number.
                """,
            tag: .clinic,
            parameters: [.idempotencyKey],
            body: BodyDescription(schema: "EmergencyByChip", examples: []),
            answers: [.json("OpenedEmergency", "Opened.", status: 201)],
            problems: [.conflict],
            handler: openByChip
        ),
        Operation(
            method: .get,
            path: "/v1/notices",
            id: "listNotices",
            summary:
                "List who opened the emergency view of the caller's own records, and of those that a practice keeps",
            description: """
                Of a record that a practice keeps, its managers and veterinarians get the notices.
                """,
            tag: .emergencies,
            answers: [.json("Notices", "All notices.")],
            problems: [.refused],
            handler: notices
        ),
        Operation(
            method: .post,
            path: "/v1/notices/{position}/acknowledge",
            id: "acknowledgeNotice",
            summary: "Acknowledge a notice",
            tag: .emergencies,
            parameters: [.reason, .idempotencyKey],
            answers: [.written],
            problems: [.conflict],
            handler: acknowledge
        ),
    ]

    private func open(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let document = try await request.json(["reason", "hours"])
        let opened = try await journal.openEmergency(
            context.record(),
            hours: document.integer("hours") ?? Journal.emergencyHours,
            context.writer(request, body: document.bytes, reason: document.text("reason"))
        )
        return response(opened)
    }

    private func openByChip(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let document = try await request.json(["chip", "reason", "hours"])
        let opened = try await journal.openEmergency(
            chip: document.text("chip"),
            in: context.practice(),
            hours: document.integer("hours") ?? Journal.emergencyHours,
            context.writer(request, body: document.bytes, reason: document.text("reason"))
        )
        return response(opened)
    }

    private func response(_ opened: OpenedEmergency) -> Response {
        Response(
            .object([
                .init("position", .integer(opened.position)), .init("record", .string(opened.record.text)),
                .init("expires", .string(opened.expires.description)),
            ]),
            status: .created
        )
    }

    private func notices(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let notices = try await journal.notices(context.requireCaller())
        return Response(["notices": .array(notices.map { journal.document(of: $0).json })])
    }

    private func acknowledge(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        guard let position = context.parameters.get("position").flatMap({ UInt64($0) }) else {
            throw JournalError(.notFound, "there is no such notice")
        }
        return try await journal.acknowledgeNotice(position, context.writer(request, reason: query[.reason]))
            .response()
    }
}
