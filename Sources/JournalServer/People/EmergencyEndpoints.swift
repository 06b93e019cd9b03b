package import FoundationEssentials
import HTTPTypes
package import HealthJournal
import HealthModel
import Hummingbird
package import Interchange

/// Emergency access to a record, and the notices that owners, or the practice that keeps it, get about it.
package enum EmergencyEndpoints: OperationGroup {
    package static let open = Endpoint(
        .post,
        "/v1/records/{record}/emergency-access",
        id: "openEmergency",
        "Open the emergency view of a record for some hours, as its caregiver; its owners are notified",
        tag: .emergencies,
        reason: .body,
        takes: .record,
        .hours,
        returns: .openedEmergency,
        problems: [.conflict, .erased]
    ) { journal, caller, record, hours in
        try await journal.sharing.openEmergency(record, hours: hours, caller)
    }

    package static let openByChip = Endpoint(
        .post,
        "/v1/practices/{practice}/emergency-access",
        id: "openEmergencyByChip",
        "Open the emergency view of an animal by its microchip number; its owners are notified",
        description: """
            For the veterinarians and nurses of a practice that has the animal, also if it is no patient. The view is open \
            to all of them for some hours, if the owner permits it in the profile (`isOpenToEmergencies`). If not, the \
            answer is that for an unknown number.
            """,
        tag: .clinic,
        reason: .body,
        takes: .practice,
        .chip,
        returns: .openedEmergency,
        problems: [.conflict]
    ) { journal, caller, practice, asked in
        try await journal.sharing.openEmergency(chip: asked.chip, in: practice, hours: asked.hours, caller)
    }

    package static let notices = Endpoint(
        .get,
        "/v1/notices",
        id: "listNotices",
        "List who opened the emergency view of the caller's own records, and of those that a practice keeps",
        description: """
            Of a record that a practice keeps, its managers and veterinarians get the notices.
            """,
        tag: .emergencies,
        returns: .list("notices", "Notices", "All notices."),
        problems: [.refused]
    ) { journal, caller in
        try await journal.sharing.notices(caller).map { journal.document(of: $0) }
    }

    package static let acknowledge = Endpoint(
        .post,
        "/v1/notices/{position}/acknowledge",
        id: "acknowledgeNotice",
        "Acknowledge a notice",
        tag: .emergencies,
        takes: .position("position", missing: "there is no such notice" as Message),
        returns: .written,
        problems: [.conflict]
    ) { journal, caller, position in
        try await journal.sharing.acknowledgeNotice(position, caller)
    }

    static let operations = [Operation(open), Operation(openByChip), Operation(notices), Operation(acknowledge)]
}

/// A request to open the emergency view of the animal with a microchip.
package struct ChipEmergency: Sendable {
    package var chip: String
    package var hours: Int

    package init(chip: String, hours: Int) {
        (self.chip, self.hours) = (chip, hours)
    }
}

extension RequestPart where Value == Int {
    /// For how many hours the view is opened.
    fileprivate static var hours: Self {
        Self(body: BodyDescription(schema: "Emergency", examples: [])) {
            let object = try $0.object
            try object.requireMembers(["reason", "hours"])
            return try object.optionalInteger("hours") ?? Journal.Sharing.emergencyHours
        } write: {
            $1.body = ["hours": .integer($0)]
        }
    }
}

extension RequestPart where Value == ChipEmergency {
    fileprivate static var chip: Self {
        Self(body: BodyDescription(schema: "EmergencyByChip", examples: [])) {
            let object = try $0.object
            try object.requireMembers(["chip", "reason", "hours"])
            return ChipEmergency(
                chip: try object.text("chip") ?? "",
                hours: try object.optionalInteger("hours") ?? Journal.Sharing.emergencyHours
            )
        } write: {
            $1.body = ["chip": .string($0.chip), "hours": .integer($0.hours)]
        }
    }
}

extension EndpointAnswer where Output == OpenedEmergency {
    fileprivate static let openedEmergency = shown("OpenedEmergency", "Opened.") { opened in
        [
            "position": .integer(opened.position), "record": .string(opened.record.text),
            "expires": .time(opened.expires),
        ]
    } read: { object throws(ModelError) in
        OpenedEmergency(
            position: try object.number("position"),
            record: try object.id("record"),
            expires: try object.instant("expires")
        )
    }
}
