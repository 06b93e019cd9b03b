package import FoundationEssentials
package import HealthModel
package import Interchange

/// An appointment that is at another time by the clock than agreed, because the zone of its practice was changed.
package struct MovedAppointment: Hashable, Sendable {
    package var appointment: UUID
    package var start: Instant
    /// The clock time on which people agreed.
    package var agreed: WallMoment
    /// The clock time by the practice's new zone.
    package var wall: WallMoment

    package static let schema = JSONSchema.object([
        "appointment": JSONSchema.identifier, "start": JSONSchema.time, "agreed": ["type": "string"],
        "wall": ["type": "string"],
    ])

    package var json: JSONValue {
        [
            "appointment": .string(appointment.text), "start": .time(start), "agreed": .string(agreed.description),
            "wall": .string(wall.description),
        ]
    }

    package init(_ state: AppointmentState, _ clock: PersonClock) {
        (appointment, start, agreed) = (state.id, state.details.start, state.details.wall)
        wall = clock.wall(at: start)
    }

    package init(_ object: NativeObject) throws(ModelError) {
        appointment = try object.id("appointment")
        start = try object.instant("start")
        agreed = try object.wall("agreed")
        wall = try object.wall("wall")
    }
}
