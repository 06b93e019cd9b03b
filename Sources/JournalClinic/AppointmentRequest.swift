package import FoundationEssentials
package import HealthModel
internal import JournalCore

/// A request to book, reserve or move an appointment, as people make it.
package struct AppointmentRequest: Hashable, Sendable {
    package var practice: UUID
    package var record: UUID
    /// The id for the appointment; nil for a new id.
    package var id: UUID?
    package var service: UUID?
    package var start: Start
    /// Nil for the duration of the service.
    package var minutes: Int?
    package var type: AppointmentType?
    package var specialist: UUID?
    package var others: [UUID] = []
    /// Nil for a free room of the service, if it needs one.
    package var places: [UUID]?
    package var reason = ""
    package var notes = ""
    package var instructions = ""
    /// The triage of the animal from which it is booked.
    package var assessment: UUID?
    /// The appointment whose time this one takes.
    package var displacing: Displacement?

    /// What becomes of an appointment that makes room for another one.
    package struct Displacement: Hashable, Sendable {
        package var appointment: UUID
        /// Its new time; nil if it is cancelled and its patient waits.
        package var start: Start?

        package init(_ appointment: UUID, to start: Start?) {
            self.appointment = appointment
            self.start = start
        }
    }

    /// A start as an instant, or by the practice's clock.
    package enum Start: Hashable, Sendable {
        case instant(Instant)
        case wall(WallMoment)

        /// Parses an RFC 3339 time, or a time by the practice's clock such as `2027-03-28T09:00`.
        package init(parsing text: String) throws(ModelError) {
            if let wall = try? WallMoment(parsing: text), wall.time != nil {
                self = .wall(wall)
            } else {
                do { self = .instant(try Instant(parsing: text)) } catch {
                    throw ModelError(
                        .invalid,
                        field: "start",
                        "write the time as 2027-03-28T09:00 (the practice's clock) or 2027-03-28T07:00:00Z"
                    )
                }
            }
        }
    }

    package init(practice: UUID, record: UUID, start: Start) {
        self.practice = practice
        self.record = record
        self.start = start
    }
}

extension PersonClock {
    /// Returns the moment that people mean by a start; throws an error for a clock time that comes twice or never.
    func instant(of start: AppointmentRequest.Start) throws(ModelError) -> Instant {
        switch start {
        case .instant(let instant):
            return instant
        case .wall(let wall):
            let first = moment(of: wall)
            if first.isInGap {
                throw ModelError(
                    .invalid,
                    field: "start",
                    "the clocks skip this time: the next one is \(self.wall(at: first.instant))"
                )
            }
            let last = lastMoment(of: wall)
            if last > first.instant {
                throw ModelError(
                    .invalid,
                    field: "start",
                    "this time comes twice, because the clocks are set back: say which one, \(first.instant) or \(last)"
                )
            }
            return first.instant
        }
    }
}
