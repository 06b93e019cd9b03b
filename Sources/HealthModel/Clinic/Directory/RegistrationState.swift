package import FoundationEssentials

/// What a practice keeps about a patient.
package struct RegistrationProfile: ClinicProfile {
    package var values: FieldValues

    /// The number under which the practice keeps the patient.
    package static let number = Field(1, "number", "Number", .text(maximum: 50))
    package static let clients = Field(2, "clients", "Clients", .list(of: .id, maximum: 10))
    /// The client who is asked first; one of `clients`.
    package static let primary = Field(3, "primary", "First client", .id)
    /// What everybody who handles the animal must know, such as that it bites.
    package static let alerts = Field(4, "alerts", "Alerts", .text(maximum: Limits.line))

    package static let fields = [number, clients, primary, alerts]

    package init(values: FieldValues) { self.values = values }

    package var number: String { values.text(Self.number) ?? "" }
    package var clients: [UUID] { [UUID](fieldValue: values[Self.clients]) ?? [] }
    package var primary: UUID? { UUID(fieldValue: values[Self.primary]) ?? clients.first }
    package var alerts: String { values.text(Self.alerts) ?? "" }

    package func check() throws(ModelError) {
        if Set(clients).count < clients.count { throw ModelError(.invalid, field: "clients", "one is named twice") }
        if let primary, !clients.contains(primary) {
            throw ModelError(.invalid, field: "primary", "must be one of the clients")
        }
    }
}

/// The registration of one animal at one practice as of a position of the log.
package struct RegistrationState: Hashable, Sendable {
    /// When the practice asked for it or, if no request was needed, when it was made.
    package var made: Stamp
    package var profile: RegistrationProfile
    /// When an owner of the record accepted it, or made it; nil of a request.
    package var accepted: Stamp?
    /// When it ended, or the request was refused or withdrawn.
    package var ended: Stamp?
    /// The recalls that are neither met nor dropped.
    package var recalls: [UUID: Recall] = [:]

    package var number: String { profile.number }

    package var status: RegistrationStatus { ended != nil ? .ended : accepted == nil ? .requested : .accepted }

    /// A visit that is due.
    package struct Recall: Hashable, Sendable {
        package var service: UUID
        package var due: Day
        /// Recalls of one group replace each other, such as those for all vaccinations against rabies.
        package var group: String

        package init(service: UUID, due: Day, group: String) {
            self.service = service
            self.due = due
            self.group = group
        }
    }
}

/// Whether an animal is a patient of a practice.
package enum RegistrationStatus: String, CaseIterable, Hashable, Sendable {
    /// The practice asked. It sees nothing of the record, and can book nothing for the animal.
    case requested
    case accepted
    /// It ended, or the request was refused or withdrawn. The practice may only ask again.
    case ended
}

/// Folds one event into the registration of its stream; nil before one is made.
package func evolve(_ state: inout RegistrationState?, _ event: RecordedEvent) {
    switch event.event.data {
    case let requested as RegistrationRequested:
        state = RegistrationState(made: event.stamp, profile: requested.profile, recalls: state?.recalls ?? [:])
    case let made as RegistrationMade:
        var profile = state?.profile ?? RegistrationProfile(values: FieldValues())
        profile.values[RegistrationProfile.number] = .text(made.number)
        state = RegistrationState(
            made: state?.status == .requested ? state?.made ?? event.stamp : event.stamp,
            profile: profile,
            accepted: event.stamp,
            recalls: state?.recalls ?? [:]
        )
    case let changed as RegistrationChanged: state?.profile = changed.profile
    case is RegistrationEnded: state?.ended = event.stamp
    case let set as RecallSet:
        state?.recalls[set.recall] = .init(service: set.service, due: set.due, group: set.group)
    case let met as RecallMet: state?.recalls[met.recall] = nil
    case let dropped as RecallDropped: state?.recalls[dropped.recall] = nil
    default: break
    }
}

extension RegistrationState {
    /// Returns the events that set a recall; the open recall of its group is met by the visit that the new one follows.
    package func setting(_ recall: Recall, id: UUID) -> [JournalEvent] {
        meeting(group: recall.group)
            + [JournalEvent(RecallSet(recall: id, service: recall.service, due: recall.due, group: recall.group))]
    }

    /// Returns the events that meet the open recalls of a group.
    package func meeting(group: String) -> [JournalEvent] {
        recalls.filter { $0.value.group == group }.keys.sorted { $0.text < $1.text }
            .map { JournalEvent(RecallMet(recall: $0)) }
    }
}
