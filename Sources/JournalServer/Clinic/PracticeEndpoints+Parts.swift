package import FoundationEssentials
import HTTPTypes
package import HealthJournal
package import HealthModel
import Hummingbird
import Interchange

/// The services and the rooms of a practice.
extension PracticeEndpoints {
    package static let setService = Endpoint(
        .put,
        "/v1/practices/{practice}/services/{service}",
        id: "setService",
        "Add a service under an id of the client's choice, or replace its description",
        tag: .clinic,
        takes: .practice,
        .service,
        .settings(
            ServiceProfile.self,
            "ServiceProfile",
            example: ("checkUp", ["name": "Check-up", "type": "routine", "minutes": 30, "online": true] as JSONValue)
        ),
        returns: .written,
        problems: [.conflict]
    ) { journal, caller, practice, service, profile in
        try await journal.practices.changePractice(practice, caller) { _ in .setService(service, profile) }
    }

    package static let endService = Endpoint(
        .delete,
        "/v1/practices/{practice}/services/{service}",
        id: "endService",
        "No longer offer a service; its appointments stay",
        tag: .clinic,
        takes: .practice,
        .service,
        returns: .written,
        problems: [.conflict]
    ) { journal, caller, practice, service in
        try await journal.practices.changePractice(practice, caller) { _ in .endService(service) }
    }

    package static let setRoom = Endpoint(
        .put,
        "/v1/practices/{practice}/rooms/{room}",
        id: "setRoom",
        "Add a room or a device under an id of the client's choice, or replace its description",
        tag: .clinic,
        takes: .practice,
        .room,
        .settings(
            PlaceProfile.self,
            "PlaceProfile",
            example: ("room", ["name": "Surgery", "capacity": 1] as JSONValue)
        ),
        returns: .written,
        problems: [.conflict]
    ) { journal, caller, practice, room, profile in
        try await journal.practices.changePractice(practice, caller) { _ in .setPlace(room, profile) }
    }

    package static let endRoom = Endpoint(
        .delete,
        "/v1/practices/{practice}/rooms/{room}",
        id: "endRoom",
        "No longer use a room or a device; its appointments stay",
        tag: .clinic,
        takes: .practice,
        .room,
        returns: .written,
        problems: [.conflict]
    ) { journal, caller, practice, room in
        try await journal.practices.changePractice(practice, caller) { _ in .endPlace(room) }
    }

    package static let blockedTimes = Endpoint(
        .get,
        "/v1/practices/{practice}/rooms/{room}/blocked",
        id: "listBlockedTimes",
        "List the times of the next months in which a room cannot be used",
        tag: .clinic,
        takes: .practice,
        .room,
        returns: .list("blocked", "BlockedTimes", "The times that are not over, the earliest one first.")
    ) { journal, caller, practice, room in
        try await journal.appointments.blockedTimes(of: room, in: practice, caller)
    }

    package static let block = Endpoint(
        .put,
        "/v1/practices/{practice}/rooms/{room}/blocked/{block}",
        id: "blockRoom",
        "Block a time of a room, such as for a repair, under an id of the client's choice",
        tag: .clinic,
        takes: .practice,
        .room,
        .blockedTime,
        returns: .written,
        problems: [.conflict]
    ) { journal, caller, practice, room, block in
        try await journal.appointments.blockRoom(block, room, in: practice, caller)
    }

    package static let unblock = Endpoint(
        .delete,
        "/v1/practices/{practice}/rooms/{room}/blocked/{block}",
        id: "unblockRoom",
        "Make a blocked time of a room free again",
        tag: .clinic,
        takes: .practice,
        .room,
        .id("block"),
        returns: .written,
        problems: [.conflict]
    ) { journal, caller, practice, room, block in
        try await journal.appointments.unblockRoom(block, room, in: practice, caller)
    }

    static let partOperations = [
        Operation(setService), Operation(endService), Operation(setRoom), Operation(endRoom), Operation(blockedTimes),
        Operation(block), Operation(unblock),
    ]
}

extension RequestPart where Value == UUID {
    fileprivate static var service: Self { id("service") }
    fileprivate static var room: Self { id("room") }
}

extension RequestPart where Value == BlockedTime {
    /// A blocked time under the id in the path.
    fileprivate static var blockedTime: Self {
        let example: JSONValue = ["from": "2027-03-02T07:00:00Z", "until": "2027-03-02T16:00:00Z"]
        return Self(names: ["block"], body: BodyDescription(schema: "BlockedTime", examples: [("repair", example)])) {
            BlockedTime(id: try $0.id("block"), span: try BlockedTime.span(request: $0.object))
        } write: {
            $1.parameters["block"] = $0.id.text
            $1.body = $0.request
        }
    }
}
