package import FoundationEssentials

/// What became of an appointment; the raw value is the word in documents of VetNet, which has no holds.
package enum AppointmentStatus: String, EventChoice, Sendable {
    /// Reserved for a client until a moment.
    case held
    case scheduled
    case confirmed
    case inProgress = "in_progress"
    case completed
    case cancelled
    case noShow = "no_show"

    package var name: String { rawValue }

    /// Whether the appointment takes up the time of its resources.
    package var takesTime: Bool {
        switch self {
        case .held, .scheduled, .confirmed, .inProgress: true
        case .completed, .cancelled, .noShow: false
        }
    }
}

/// An appointment as of a position of the log.
package struct AppointmentState: Hashable, Sendable {
    package let id: UUID
    /// The record of the animal.
    package let record: UUID
    package var details: AppointmentDetails
    package var status: AppointmentStatus
    /// The end of a hold.
    package var heldUntil: Instant?
    package var added: Stamp
    package var updated: Stamp
    package var arrived: Stamp?
    package var begun: Stamp?
    package var completed: Stamp?
    /// Who called it off, if it was cancelled.
    package var cancelledBy: AppointmentParty?
    package var cancelled: Stamp?
    /// Why it was cancelled, in a word of the practice; empty if no reason was stated.
    package var cancelCode = ""
    /// How often it was moved or reassigned, as in iCalendar's SEQUENCE.
    package var sequence = 0
    package var notes: [Note] = []
    /// Set if it was entered in error.
    package var retracted: Stamp?

    package struct Note: Hashable, Sendable {
        package var text: String
        package var added: Stamp
    }

    package init(id: UUID, record: UUID, details: AppointmentDetails, status: AppointmentStatus, added: Stamp) {
        self.id = id
        self.record = record
        self.details = details
        self.status = status
        self.added = added
        updated = added
    }
}

extension AppointmentState {
    /// Whether the client cancelled it later than the practice asks for, in hours before its start.
    package func isCancelledLate(noticeHours: Int) -> Bool {
        guard status == .cancelled, cancelledBy == .client, let cancelled else { return false }
        return cancelled.recordedAt > details.start.adding(minutes: -noticeHours * 60)
    }
}

/// A side of an appointment.
package enum AppointmentParty: String, EventChoice, Sendable {
    case client, practice

    package var name: String { rawValue }
}

/// How an appointment was confirmed.
package enum ConfirmationWay: String, EventChoice, Sendable {
    case page, phone, message

    package var name: String { rawValue }
}

/// Folds one event into the appointment of its stream; nil before it is held or booked.
package func evolve(_ state: inout AppointmentState?, _ event: RecordedEvent) {
    var appointment: AppointmentState
    switch (event.event.data, state) {
    case (let held as AppointmentHeld, nil):
        appointment = AppointmentState(
            id: event.stream,
            record: event.subject,
            details: held.details,
            status: .held,
            added: event.stamp
        )
        appointment.heldUntil = held.until
    case (let booked as AppointmentBooked, nil):
        appointment = AppointmentState(
            id: event.stream,
            record: event.subject,
            details: booked.details,
            status: .scheduled,
            added: event.stamp
        )
    case (_, let known?):
        appointment = known
        appointment.apply(event)
    default:
        return
    }
    appointment.updated = event.stamp
    state = appointment
}

extension AppointmentState {
    fileprivate mutating func apply(_ event: RecordedEvent) {
        switch event.event.data {
        case let booked as AppointmentBooked:
            (details, status, heldUntil) = (booked.details, .scheduled, nil)
        case is AppointmentConfirmed:
            status = .confirmed
        case let moved as AppointmentRescheduled:
            (details, status, arrived) = (moved.details, .scheduled, nil)
            sequence += 1
        case let given as AppointmentReassigned:
            details = given.details
            sequence += 1
        case let displaced as AppointmentDisplaced:
            (details, status, arrived) = (displaced.details, .scheduled, nil)
            sequence += 1
        case is AppointmentArrived:
            arrived = event.stamp
        case is AppointmentBegun:
            (status, begun) = (.inProgress, event.stamp)
        case is AppointmentCompleted:
            (status, completed) = (.completed, event.stamp)
        case let cancelled as AppointmentCancelled:
            (status, heldUntil, cancelledBy) = (.cancelled, nil, cancelled.by)
            cancelCode = cancelled.code
            self.cancelled = event.stamp
        case is AppointmentMissed:
            status = .noShow
        case let reinstated as AppointmentReinstated:
            (details, status, cancelledBy, cancelCode) = (reinstated.details, .scheduled, nil, "")
            (arrived, cancelled) = (nil, nil)
            sequence += 1
        case let changed as AppointmentChanged:
            details = changed.details
        case let noted as AppointmentNoteAdded:
            notes.append(Note(text: noted.text, added: event.stamp))
        case is AppointmentRetracted:
            retracted = event.stamp
        default:
            break
        }
    }
}
