package import FoundationEssentials

/// A specialist as of a position of the log, with the hours in each practice and the absences.
package struct SpecialistState: Hashable, Sendable {
    package let id: UUID
    package var profile: SpecialistProfile
    package var added: Stamp
    package var updated: Stamp
    /// The practices in which the specialist works or worked.
    package var posts: [UUID: Post] = [:]
    package var absences: [UUID: Absence] = [:]
    /// The first day on which the specialist does not work any more, in any practice.
    package var endedFrom: Day?

    /// The work of a specialist in one practice.
    package struct Post: Hashable, Sendable {
        package var joined: Stamp
        /// The first day on which the specialist does not work there any more.
        package var leftFrom: Day?
        package var hours = Dated<WeeklyHours>()
        /// Set together with the hours.
        package var preferences = Dated<[AvailabilityPreference]>()
    }

    package init(id: UUID, profile: SpecialistProfile, added: Stamp) {
        self.id = id
        self.profile = profile
        self.added = added
        updated = added
    }

    /// Whether the specialist works in a practice on a day of its zone.
    package func works(in practice: UUID, on day: Day) -> Bool {
        guard let post = posts[practice] else { return false }
        return post.leftFrom.map { day < $0 } ?? true && endedFrom.map { day < $0 } ?? true
    }
}

/// A time in which a specialist is not available.
package struct Absence: Hashable, Sendable {
    package var span: TimeSpan
    package var why: Reason

    package enum Reason: String, EventChoice, Sendable {
        case leave, sick, meeting, other

        package var name: String { rawValue }
    }

    package init(span: TimeSpan, why: Reason) {
        self.span = span
        self.why = why
    }
}

/// Folds one event into the specialist of its stream; nil before one is added.
package func evolve(_ state: inout SpecialistState?, _ event: RecordedEvent) {
    if let added = event.event.data as? SpecialistAdded {
        var specialist = SpecialistState(id: event.stream, profile: added.profile, added: event.stamp)
        specialist.posts[added.practice] = SpecialistState.Post(joined: event.stamp)
        state = specialist
        return
    }
    guard var specialist = state else { return }
    switch event.event.data {
    case let changed as SpecialistChanged:
        specialist.profile = changed.profile
    case let joined as SpecialistJoined:
        var post = specialist.posts[joined.practice] ?? SpecialistState.Post(joined: event.stamp)
        post.leftFrom = nil
        specialist.posts[joined.practice] = post
    case let left as SpecialistLeft:
        specialist.posts[left.practice]?.leftFrom = left.from
    case let set as AvailabilitySet:
        specialist.posts[set.practice]?.hours.set(set.hours, from: set.from)
        specialist.posts[set.practice]?.preferences.set(set.preferences, from: set.from)
    case let added as AbsenceAdded:
        guard let span = TimeSpan(added.from, added.until) else { return }
        specialist.absences[added.absence] = Absence(span: span, why: added.why)
    case let removed as AbsenceRemoved:
        specialist.absences[removed.absence] = nil
    case let ended as SpecialistEnded:
        specialist.endedFrom = ended.from
    case is SpecialistReturned:
        specialist.endedFrom = nil
    default:
        return
    }
    specialist.updated = event.stamp
    state = specialist
}

/// A command on a specialist.
package enum SpecialistCommand: Hashable, Sendable {
    case add(SpecialistProfile, practice: UUID)
    case change(SpecialistProfile)
    case join(practice: UUID)
    case leave(practice: UUID, from: Day)
    case setHours(WeeklyHours, [AvailabilityPreference] = [], practice: UUID, from: Day)
    case addAbsence(UUID, Absence)
    case removeAbsence(UUID)
    case end(from: Day)
    case takeBack
}

/// Returns the events that a command on a specialist produces; throws if the command is refused.
///
/// An absence and an end always succeed, because people fall ill: the appointments that they hit are listed elsewhere.
package func decide(
    _ command: SpecialistCommand,
    _ state: SpecialistState?,
    now: Instant
) throws(ModelError) -> [JournalEvent] {
    if case .add(let profile, let practice) = command {
        guard state == nil else { throw ModelError(.conflict, field: "id", "the id is in use") }
        try profile.validate(now: now)
        return [JournalEvent(SpecialistAdded(practice: practice, profile: profile))]
    }
    guard let state else { throw .noSpecialist }
    switch command {
    case .add: return []
    case .change(let profile):
        try profile.validate(now: now)
        return profile == state.profile ? [] : [JournalEvent(SpecialistChanged(profile: profile))]
    case .join(let practice):
        if let post = state.posts[practice], post.leftFrom == nil { return [] }
        return [JournalEvent(SpecialistJoined(practice: practice))]
    case .leave(let practice, let day):
        guard let post = state.posts[practice] else { throw .noSpecialist }
        return post.leftFrom == day ? [] : [JournalEvent(SpecialistLeft(practice: practice, from: day))]
    case .setHours(let hours, let preferences, let practice, let day):
        guard let post = state.posts[practice] else { throw .noSpecialist }
        try hours.validate(field: "hours")
        try AvailabilityPreference.validate(preferences)
        if post.hours.values.contains(.init(from: day, value: hours)), post.preferences.value(on: day) == preferences {
            return []
        }
        return [
            JournalEvent(AvailabilitySet(practice: practice, from: day, hours: hours, preferences: preferences))
        ]
    case .addAbsence(let id, let absence):
        if state.absences[id] == absence { return [] }
        if state.absences.count >= Limits.absences {
            throw ModelError(.conflict, "the specialist has \(Limits.absences) absences: remove old ones")
        }
        return [
            JournalEvent(AbsenceAdded(absence: id, from: absence.span.start, until: absence.span.end, why: absence.why))
        ]
    case .removeAbsence(let id):
        guard state.absences[id] != nil else { throw ModelError(.notFound, "there is no such absence") }
        return [JournalEvent(AbsenceRemoved(absence: id))]
    case .end(let day):
        return state.endedFrom == day ? [] : [JournalEvent(SpecialistEnded(from: day))]
    case .takeBack:
        return state.endedFrom == nil ? [] : [JournalEvent(SpecialistReturned())]
    }
}

extension ModelError {
    package static let noSpecialist = ModelError(
        .notFound,
        field: "specialist",
        "the practice has no such specialist"
    )
}
