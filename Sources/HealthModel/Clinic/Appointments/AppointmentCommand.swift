package import FoundationEssentials

/// A command on an appointment.
package enum AppointmentCommand: Hashable, Sendable {
    /// Reserves a time for a client.
    case hold(AppointmentDetails, until: Instant)
    /// Books a time, or the time that was held.
    case book(AppointmentDetails)
    case confirm(ConfirmationWay)
    case reschedule(AppointmentDetails)
    case reassign(AppointmentDetails)
    /// Moves it to make room for another appointment.
    case displace(AppointmentDetails, by: UUID)
    case arrive
    case begin
    case complete
    case cancel(AppointmentParty, code: String)
    case miss
    case reinstate
    /// Replaces its texts and its type.
    case change(AppointmentDetails)
    case addNote(String)
    case retract

    /// The agreement that the command wants to hold from then on; nil if it changes none.
    package var details: AppointmentDetails? {
        switch self {
        case .hold(let details, _), .book(let details), .reschedule(let details), .reassign(let details),
            .displace(let details, _), .change(let details):
            details
        case .confirm, .arrive, .begin, .complete, .cancel, .miss, .reinstate, .addNote, .retract:
            nil
        }
    }

    /// The kind of change; nil for a reservation, which changes nothing.
    package var verb: AppointmentVerb? {
        switch self {
        case .hold: nil
        case .book: .book
        case .confirm: .confirm
        case .reschedule: .move
        case .reassign: .reassign
        case .displace: .displace
        case .arrive: .arrive
        case .begin: .begin
        case .complete: .complete
        case .cancel: .cancel
        case .miss: .missed
        case .reinstate: .reinstate
        case .change: .edit
        case .addNote: .note
        case .retract: .retract
        }
    }

    /// Reports whether the command is possible in a status; nil is that of an appointment that does not exist yet.
    fileprivate func isPossible(in status: AppointmentStatus?) -> Bool {
        guard let status else { return verb == nil || verb == .book }
        return verb?.possibleFrom.contains(status) ?? false
    }
}

/// Returns the event that a command on an appointment produces, or none if it would change nothing; throws if the
/// command is refused.
///
/// It decides on the states alone: whether the time is free is decided with the diaries (`BookingRules`).
package func decide(
    _ command: AppointmentCommand,
    _ state: AppointmentState?,
    reason: String = "",
    missedAfterMinutes: Int = 15,
    now: Instant
) throws(ModelError) -> [JournalEvent] {
    if state?.retracted != nil { throw ModelError(.conflict, "the appointment was entered in error and retracted") }
    if state?.status == .held, let until = state?.heldUntil, until <= now, case .book = command {
        throw ModelError(.conflict, "the reservation of the time has ended: book it anew")
    }
    guard command.isPossible(in: state?.status) else {
        guard let state else { throw .noAppointment }
        throw ModelError(
            .conflict,
            field: "status",
            "an appointment that is \(state.status.sentence) cannot be \(command.verb?.participle ?? "held")"
        )
    }
    try command.details?.validate()
    switch command {
    case .hold(let details, let until):
        guard now < until, until <= now.adding(minutes: 1_440) else {
            throw ModelError(.invalid, field: "until", "a time is reserved for at most 24 hours")
        }
        return [JournalEvent(AppointmentHeld(details: details, until: until))]
    case .book(let details):
        return [JournalEvent(AppointmentBooked(details: details))]
    case .confirm(let way):
        return [JournalEvent(AppointmentConfirmed(way: way))]
    case .reschedule(let details):
        if details == state?.details { return [] }
        return [JournalEvent(AppointmentRescheduled(details: details))]
    case .reassign(let details):
        guard let state else { throw .noAppointment }
        guard details.start == state.details.start, details.minutes == state.details.minutes else {
            throw ModelError(.invalid, field: "start", "stays the same: move the appointment to change its time")
        }
        return details == state.details ? [] : [JournalEvent(AppointmentReassigned(details: details))]
    case .displace(let details, let other):
        try requireReason(reason)
        return [JournalEvent(AppointmentDisplaced(details: details, by: other))]
    case .arrive:
        return state?.arrived == nil ? [JournalEvent(AppointmentArrived())] : []
    case .begin:
        return [JournalEvent(AppointmentBegun())]
    case .complete:
        return [JournalEvent(AppointmentCompleted())]
    case .cancel(let party, let code):
        try TextCheck.check(code, field: "code", maximum: Limits.line)
        return [JournalEvent(AppointmentCancelled(by: party, code: code))]
    case .miss:
        guard let state else { throw .noAppointment }
        if state.arrived != nil { throw ModelError(.conflict, field: "status", "the patient has arrived") }
        let earliest = state.details.start.adding(minutes: missedAfterMinutes)
        guard now >= earliest else {
            throw ModelError(.conflict, "an appointment counts as missed from \(earliest) on, not before")
        }
        return [JournalEvent(AppointmentMissed())]
    case .reinstate:
        guard let state else { throw .noAppointment }
        return [JournalEvent(AppointmentReinstated(details: state.details))]
    case .change(let details):
        guard let state else { throw .noAppointment }
        guard details.takesSameTime(as: state.details), details.practice == state.details.practice else {
            throw ModelError(.invalid, field: "start", "stays the same: move the appointment to change its time")
        }
        if state.status == .completed { try requireReason(reason) }
        return details == state.details ? [] : [JournalEvent(AppointmentChanged(details: details))]
    case .addNote(let text):
        try TextCheck.check(text, field: "text", maximum: Limits.paragraphs)
        if text.isEmpty { throw ModelError(.invalid, field: "text", "is required") }
        if state?.status == .completed { try requireReason(reason) }
        return [JournalEvent(AppointmentNoteAdded(text: text))]
    case .retract:
        return [JournalEvent(AppointmentRetracted())]
    }
}

private func requireReason(_ reason: String) throws(ModelError) {
    if reason.isEmpty { throw ModelError(.invalid, field: "reason", "is required") }
}

extension AppointmentStatus {
    /// The word for it in a sentence.
    package var sentence: String {
        switch self {
        case .held: "reserved"
        case .scheduled: "scheduled"
        case .confirmed: "confirmed"
        case .inProgress: "in progress"
        case .completed: "completed"
        case .cancelled: "cancelled"
        case .noShow: "missed"
        }
    }
}

extension ModelError {
    package static let noAppointment = ModelError(.notFound, "there is no such appointment")
}
