package import FoundationEssentials
package import HealthModel
package import Interchange

/// The appointments of a series, and the times that were left out.
package struct BookedSeries: APIDocument, Hashable {
    package var position: UInt64
    package var booked: [Visit]
    package var skipped: [Skipped]

    /// An appointment of the series.
    package struct Visit: APIDocument, Hashable {
        /// Nil if it was only tried.
        package var entry: UUID?
        package var start: Instant
        package var wall: WallMoment

        package init(entry: UUID?, _ details: AppointmentDetails) {
            (self.entry, start, wall) = (entry, details.start, details.wall)
        }

        package static let schema = JSONSchema.object(
            ["start": JSONSchema.time, "wall": ["type": "string"]],
            optional: ["entry": JSONSchema.identifier]
        )

        package var json: JSONValue {
            .present([
                "entry": entry.map { .string($0.text) }, "start": .time(start), "wall": .string(wall.description),
            ])
        }

        package init(_ object: NativeObject) throws(ModelError) {
            entry = try object.optionalID("entry")
            start = try object.instant("start")
            wall = try WallMoment(parsing: object.required("wall"))
        }
    }

    /// A time that was left out, and why it cannot be booked.
    package struct Skipped: APIDocument, Hashable {
        package var wall: WallMoment
        package var why: String

        package init(_ wall: WallMoment, why: String) {
            (self.wall, self.why) = (wall, why)
        }

        package static let schema = JSONSchema.object(["wall": ["type": "string"], "why": ["type": "string"]])

        package var json: JSONValue { ["wall": .string(wall.description), "why": .string(why)] }

        package init(_ object: NativeObject) throws(ModelError) {
            wall = try WallMoment(parsing: object.required("wall"))
            why = try object.required("why")
        }
    }

    package init(position: UInt64, booked: [Visit], skipped: [Skipped]) {
        (self.position, self.booked, self.skipped) = (position, booked, skipped)
    }

    package static let schema = JSONSchema.object([
        "position": JSONSchema.position, "booked": JSONSchema.array(of: Visit.schema),
        "skipped": JSONSchema.array(of: Skipped.schema)
            .merging(["description": "The times that were left out because they cannot be booked."]),
    ])

    package var json: JSONValue {
        [
            "position": .integer(position), "booked": .array(booked.map(\.json)),
            "skipped": .array(skipped.map(\.json)),
        ]
    }

    package init(_ object: NativeObject) throws(ModelError) {
        position = try object.number("position")
        booked = try object.documents("booked")
        skipped = try object.documents("skipped")
    }
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
