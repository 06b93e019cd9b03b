package import HealthModel
package import Interchange

/// One of the things that are in the way of an appointment.
package struct BookingConflict: Hashable, Sendable {
    /// What it concerns: `start`, `specialist`, `room`, `record` or `service`.
    package var field: String?
    package var text: Message
    /// The time that is taken, if one is; without names and reasons.
    package var taken: TimeSpan?

    package init(_ refusal: BookingRules.Refusal) {
        (field, text, taken) = (refusal.error.field, refusal.error.text, refusal.taken)
    }

    package var sentence: String { field.map { "\($0): \(text)" } ?? "\(text)" }

    package static let schema = JSONSchema.object(
        ["detail": ["type": "string"]],
        optional: [
            "field": ["type": "string"],
            "taken": JSONSchema.object(["start": JSONSchema.time, "end": JSONSchema.time]),
        ]
    )

    /// Describes the member of the error that a client receives.
    package static let member = JSONValue.Member(
        "conflicts",
        JSONSchema.array(of: schema)
            .merging([
                "description": "Everything that is in the way of the appointment, in the order in which it was found."
            ])
    )

    package var json: JSONValue {
        .present([
            "field": field.map { .string($0) }, "detail": .string("\(text)"),
            "taken": taken.map { ["start": .time($0.start), "end": .time($0.end)] },
        ])
    }

    /// Reads the conflicts of an error; none if it has none.
    package static func list(_ error: JSONValue) -> [BookingConflict] {
        guard let object = try? NativeObject(error), let list = try? object.objects("conflicts") else { return [] }
        return list.compactMap(BookingConflict.init)
    }

    private init?(_ object: NativeObject) {
        guard let detail = try? object.text("detail") else { return nil }
        text = Message(verbatim: detail)
        field = try? object.text("field")
        let taken = try? object.optionalObject("taken")
        if let taken, let start = try? taken.instant("start"), let end = try? taken.instant("end") {
            self.taken = TimeSpan(start, end)
        }
    }
}
