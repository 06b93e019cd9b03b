import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Routes for the services and the rooms of a practice.
extension PracticeRoutes {
    static let partOperations = [
        Operation(
            method: .put,
            path: "/v1/practices/{practice}/services/{service}",
            id: "setService",
            summary: "Add a service under an id of the client's choice, or replace its description",
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(
                schema: "ServiceProfile",
                examples: [("checkUp", ["name": "Check-up", "type": "routine", "minutes": 30, "online": true])]
            ),
            answers: [.written],
            problems: [.conflict],
            handler: setService
        ),
        Operation(
            method: .delete,
            path: "/v1/practices/{practice}/services/{service}",
            id: "endService",
            summary: "No longer offer a service; its appointments stay",
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            answers: [.written],
            problems: [.conflict],
            handler: endService
        ),
        Operation(
            method: .put,
            path: "/v1/practices/{practice}/rooms/{room}",
            id: "setRoom",
            summary: "Add a room or a device under an id of the client's choice, or replace its description",
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(schema: "PlaceProfile", examples: [("room", ["name": "Surgery", "capacity": 1])]),
            answers: [.written],
            problems: [.conflict],
            handler: setRoom
        ),
        Operation(
            method: .delete,
            path: "/v1/practices/{practice}/rooms/{room}",
            id: "endRoom",
            summary: "No longer use a room or a device; its appointments stay",
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            answers: [.written],
            problems: [.conflict],
            handler: endRoom
        ),
        Operation(
            method: .get,
            path: "/v1/practices/{practice}/rooms/{room}/blocked",
            id: "listBlockedTimes",
            summary: "List the times of the next months in which a room cannot be used",
            tag: .clinic,
            answers: [.json("BlockedTimes", "The times that are not over, the earliest one first.")],
            handler: blockedTimes
        ),
        Operation(
            method: .put,
            path: "/v1/practices/{practice}/rooms/{room}/blocked/{block}",
            id: "blockRoom",
            summary: "Block a time of a room, such as for a repair, under an id of the client's choice",
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(
                schema: "BlockedTime",
                examples: [("repair", ["from": "2027-03-02T07:00:00Z", "until": "2027-03-02T16:00:00Z"])]
            ),
            answers: [.written],
            problems: [.conflict],
            handler: blockRoom
        ),
        Operation(
            method: .delete,
            path: "/v1/practices/{practice}/rooms/{room}/blocked/{block}",
            id: "unblockRoom",
            summary: "Make a blocked time of a room free again",
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            answers: [.written],
            problems: [.conflict],
            handler: unblockRoom
        ),
    ]

    private func blockedTimes(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let found = try await journal.blockedTimes(
            of: context.room(),
            in: context.practice(),
            context.requireCaller()
        )
        return Response(["blocked": .array(found.map(\.json))])
    }

    private func blockRoom(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let (object, caller) = try await request.object(context, query)
        let block = BlockedTime(id: try context.block(), span: try BlockedTime.span(request: object))
        return try await journal.blockRoom(block, context.room(), in: context.practice(), caller).response()
    }

    private func unblockRoom(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let caller = try context.writer(request, reason: query[.reason])
        return try await journal.unblockRoom(context.block(), context.room(), in: context.practice(), caller)
            .response()
    }

    private func setService(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let (practice, service) = (try context.practice(), try context.service())
        let (profile, caller): (ServiceProfile, Caller) = try await read(request, context, query)
        return try await journal.changePractice(practice, caller) { _ in .setService(service, profile) }.response()
    }

    private func endService(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let caller = try context.writer(request, reason: query[.reason])
        let service = try context.service()
        return try await journal.changePractice(context.practice(), caller) { _ in .endService(service) }.response()
    }

    private func setRoom(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let (practice, room) = (try context.practice(), try context.room())
        let (profile, caller): (PlaceProfile, Caller) = try await read(request, context, query)
        return try await journal.changePractice(practice, caller) { _ in .setPlace(room, profile) }.response()
    }

    private func endRoom(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let caller = try context.writer(request, reason: query[.reason])
        let room = try context.room()
        return try await journal.changePractice(context.practice(), caller) { _ in .endPlace(room) }.response()
    }
}
