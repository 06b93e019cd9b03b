package import FoundationEssentials

/// A patient on the waiting list of a practice as of a position of the log.
package struct WaitState: Hashable, Sendable {
    package let id: UUID
    package let record: UUID
    package let practice: UUID
    package var profile: WaitProfile
    package var added: Stamp
    package var updated: Stamp
    /// The appointment whose time was offered last.
    package var offered: UUID?
    package var withdrawn: Stamp?

    package init(id: UUID, record: UUID, practice: UUID, profile: WaitProfile, added: Stamp) {
        self.id = id
        self.record = record
        self.practice = practice
        self.profile = profile
        self.added = added
        updated = added
    }
}

/// Where a patient on a waiting list is.
package enum WaitStatus: String, CaseIterable, Sendable {
    case open
    /// A time is reserved for it.
    case offered
    /// It has an appointment.
    case booked
    case withdrawn
    /// Its last day is over.
    case expired
}

extension WaitState {
    /// Returns the status on a day; `appointment` is the one that was offered.
    package func status(on today: Day, _ appointment: AppointmentState?, now: Instant) -> WaitStatus {
        if withdrawn != nil { return .withdrawn }
        switch appointment?.status {
        case .held? where appointment?.heldUntil.map { now < $0 } ?? false: return .offered
        case .scheduled?, .confirmed?, .inProgress?, .completed?: return .booked
        default: break
        }
        if let last = profile.lastDay, last < today { return .expired }
        return .open
    }

    /// The order of a waiting list: by urgency, then by how long they wait.
    package static func order(_ left: WaitState, _ right: WaitState) -> Bool {
        (left.profile.urgencyWord, left.added.position, left.id.text)
            < (right.profile.urgencyWord, right.added.position, right.id.text)
    }
}

/// Folds one event into the waiting entry of its stream; nil before it is added.
package func evolve(_ state: inout WaitState?, _ event: RecordedEvent) {
    if let added = event.event.data as? WaitAdded {
        state = WaitState(
            id: event.stream,
            record: event.subject,
            practice: added.practice,
            profile: added.profile,
            added: event.stamp
        )
        return
    }
    guard var wait = state else { return }
    switch event.event.data {
    case let offered as WaitOffered: wait.offered = offered.appointment
    case is WaitWithdrawn: wait.withdrawn = event.stamp
    default: return
    }
    wait.updated = event.stamp
    state = wait
}

extension ModelError {
    package static let noWait = ModelError(.notFound, "there is no such entry on a waiting list")
}
