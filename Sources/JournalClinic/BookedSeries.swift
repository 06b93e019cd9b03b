package import FoundationEssentials
package import HealthModel
package import Interchange
internal import JournalCore

/// The appointments of a series, and the times that were left out.
package struct BookedSeries: DefinedDocument, Hashable {
    package var position: UInt64
    package var booked: [Visit]
    package var skipped: [Skipped]

    /// An appointment of the series.
    package struct Visit: DefinedDocument, Hashable {
        /// Nil if it was only tried.
        package var entry: UUID?
        package var start: Instant
        package var wall: WallMoment

        package static let definition = DocumentDefinition(
            Visit.init,
            DocumentMember("entry", \.entry),
            DocumentMember("start", \.start),
            DocumentMember("wall", \.wall)
        )
    }

    /// A time that was left out, and why it cannot be booked.
    package struct Skipped: DefinedDocument, Hashable {
        package var wall: WallMoment
        package var why: String

        package init(_ wall: WallMoment, why: String) {
            (self.wall, self.why) = (wall, why)
        }

        package static let definition = DocumentDefinition(
            { wall, why in Skipped(wall, why: why) },
            DocumentMember("wall", \.wall),
            DocumentMember("why", \.why)
        )
    }

    package init(position: UInt64, booked: [Visit], skipped: [Skipped]) {
        (self.position, self.booked, self.skipped) = (position, booked, skipped)
    }

    package static let definition = DocumentDefinition(
        BookedSeries.init,
        DocumentMember("position", \.position),
        DocumentMember("booked", \.booked),
        DocumentMember("skipped", \.skipped, "The times that were left out because they cannot be booked.")
    )
}

/// A request for a series as the API receives it.
package enum SeriesRequest {
    /// A series is neither reserved, nor does it take the time of another appointment.
    private static let appointment = JSONValue.object(
        AppointmentRequest.schema.members.map { member in
            guard member.name == "properties" else { return member }
            let kept = member.value.members.filter { !["holdUntil", "displacing"].contains($0.name) }
            return .init("properties", .object(kept))
        }
    )

    package static let appointmentMembers = appointment["properties"]?.members.map(\.name) ?? []

    package static let schema = JSONSchema.object(
        [
            "appointment": appointment,
            "everyDays": [
                "type": "integer", "minimum": .integer(Repetition.daysRange.lowerBound),
                "maximum": .integer(Repetition.daysRange.upperBound),
                "description": "The days from one appointment to the next.",
            ],
            "count": [
                "type": "integer", "minimum": .integer(Repetition.countRange.lowerBound),
                "maximum": .integer(Repetition.countRange.upperBound),
                "description": "The number of appointments, with the first one.",
            ],
        ],
        optional: [
            "skipTaken": [
                "type": "boolean", "description": "Leave out the times that cannot be booked, and book the others.",
            ]
        ]
    )

    /// The body of a request.
    package static func json(_ request: AppointmentRequest, _ repetition: Repetition, skipTaken: Bool) -> JSONValue {
        [
            "appointment": request.json(heldUntil: nil), "everyDays": .integer(repetition.days),
            "count": .integer(repetition.count), "skipTaken": .bool(skipTaken),
        ]
    }
}

extension BookedSeries.Visit {
    package init(entry: UUID?, _ details: AppointmentDetails) {
        (self.entry, start, wall) = (entry, details.start, details.wall)
    }
}
