package import HealthModel
package import Interchange

/// The time that is in the way of an appointment, and times that can be booked instead.
package struct TakenTime: Hashable, Sendable {
    /// Without names and reasons, because it may belong to another client.
    package var span: TimeSpan
    /// At most `maximumAlternatives`, the nearest one first.
    package var alternatives: [FreeSlotDocument]
    /// The position of the log for which the alternatives hold.
    package var position: UInt64

    package static let maximumAlternatives = 5
    /// How far before and after the appointment alternatives are searched first.
    package static let nearMinutes = 120
    /// How many days are searched for alternatives, with that of the appointment.
    package static let alternativeDays = 7

    package init(span: TimeSpan, alternatives: [FreeSlotDocument] = [], position: UInt64 = 0) {
        self.span = span
        self.alternatives = alternatives
        self.position = position
    }

    /// Describes the members of the error that a client receives.
    package static let schemas: [JSONValue.Member] = [
        .init("taken", JSONSchema.object(["start": JSONSchema.time, "end": JSONSchema.time])),
        .init(
            "alternatives",
            JSONSchema.array(of: FreeSlotDocument.schema)
                .merging([
                    "maxItems": .integer(maximumAlternatives),
                    "description": "Times that can be booked instead, the nearest one first.",
                ])
        ),
        .init("position", JSONSchema.position),
    ]

    /// The members of the error.
    package var members: [JSONValue.Member] {
        [
            .init("taken", ["start": .time(span.start), "end": .time(span.end)]),
            .init("alternatives", .array(alternatives.map(\.json))),
            .init("position", .integer(position)),
        ]
    }

    /// Reads the members of an error; nil if it has none.
    package init?(_ error: JSONValue) {
        guard let object = try? NativeObject(error), let taken = try? object.object("taken"),
            let start = try? taken.instant("start"), let end = try? taken.instant("end"),
            let span = TimeSpan(start, end)
        else { return nil }
        self.init(
            span: span,
            alternatives: (try? object.documents("alternatives")) ?? [],
            position: (try? object.number("position")) ?? 0
        )
    }
}
