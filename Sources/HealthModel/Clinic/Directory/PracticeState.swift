package import FoundationEssentials

/// A practice as of a position of the log: its description, hours, services and rooms.
package struct PracticeState: Hashable, Sendable {
    package let id: UUID
    package var profile: PracticeProfile
    package var created: Stamp
    /// The last event of the practice's stream.
    package var updated: Stamp
    package var closed: Stamp?
    package var timetables = Dated<Timetable>()
    package var services: [UUID: Service] = [:]
    package var places: [UUID: Place] = [:]

    package struct Service: Hashable, Sendable {
        package var profile: ServiceProfile
        package var ended: Stamp?
    }

    package struct Place: Hashable, Sendable {
        package var profile: PlaceProfile
        package var ended: Stamp?
    }

    package init(id: UUID, profile: PracticeProfile, created: Stamp) {
        self.id = id
        self.profile = profile
        self.created = created
        updated = created
    }
}

/// Folds one event into the practice of its stream; nil before it is created.
package func evolve(_ state: inout PracticeState?, _ event: RecordedEvent) {
    if let created = event.event.data as? PracticeCreated {
        state = PracticeState(id: event.stream, profile: created.profile, created: event.stamp)
        return
    }
    guard var practice = state else { return }
    switch event.event.data {
    case let changed as PracticeChanged: practice.profile = changed.profile
    case is PracticeClosed: practice.closed = event.stamp
    case let set as TimetableSet: practice.timetables.set(set.timetable, from: set.from)
    case let set as ServiceSet: practice.services[set.service] = .init(profile: set.profile)
    case let ended as ServiceEnded: practice.services[ended.service]?.ended = event.stamp
    case let set as PlaceSet: practice.places[set.place] = .init(profile: set.profile)
    case let ended as PlaceEnded: practice.places[ended.place]?.ended = event.stamp
    default: return
    }
    practice.updated = event.stamp
    state = practice
}

/// A command on a practice.
package enum PracticeCommand: Hashable, Sendable {
    case create(PracticeProfile)
    case change(PracticeProfile)
    case close
    case setTimetable(Timetable, from: Day)
    case setService(UUID, ServiceProfile)
    case endService(UUID)
    case setPlace(UUID, PlaceProfile)
    case endPlace(UUID)
}

/// Returns the events that a command on a practice produces; throws if the command is refused.
package func decide(
    _ command: PracticeCommand,
    _ state: PracticeState?,
    now: Instant
) throws(ModelError) -> [JournalEvent] {
    if case .create(let profile) = command {
        guard state == nil else { throw ModelError(.conflict, field: "id", "the id is in use") }
        try profile.validate(now: now)
        return [JournalEvent(PracticeCreated(profile: profile))]
    }
    guard let state else { throw .noPractice }
    if state.closed != nil { throw ModelError(.conflict, "the practice is closed") }
    switch command {
    case .create: return []
    case .change(let profile):
        try profile.validate(now: now)
        return profile == state.profile ? [] : [JournalEvent(PracticeChanged(profile: profile))]
    case .close:
        return [JournalEvent(PracticeClosed())]
    case .setTimetable(let timetable, let day):
        try timetable.validate()
        if state.timetables.values.contains(.init(from: day, value: timetable)) { return [] }
        return [JournalEvent(TimetableSet(from: day, timetable: timetable))]
    case .setService(let id, let profile):
        try profile.validate(now: now)
        for place in profile.places where state.places[place] == nil {
            throw ModelError(.notFound, field: "places", "the practice has no such room")
        }
        if let specialty = profile.specialty, !state.hasSpecialty(specialty) {
            throw ModelError(.notFound, field: "specialty", "the practice has no such specialty")
        }
        if let service = state.services[id], service.ended == nil, service.profile == profile { return [] }
        try requireUnique(profile.name, among: state.services, besides: id) { $0.ended == nil ? $0.profile.name : nil }
        return [JournalEvent(ServiceSet(service: id, profile: profile))]
    case .endService(let id):
        guard let service = state.services[id] else { throw .noService }
        return service.ended == nil ? [JournalEvent(ServiceEnded(service: id))] : []
    case .setPlace(let id, let profile):
        try profile.validate(now: now)
        if let place = state.places[id], place.ended == nil, place.profile == profile { return [] }
        try requireUnique(profile.name, among: state.places, besides: id) { $0.ended == nil ? $0.profile.name : nil }
        return [JournalEvent(PlaceSet(place: id, profile: profile))]
    case .endPlace(let id):
        guard let place = state.places[id] else { throw .noPlace }
        return place.ended == nil ? [JournalEvent(PlaceEnded(place: id))] : []
    }
}

/// Throws an error if another part of the practice has the name, whatever its case.
private func requireUnique<Part>(
    _ name: String,
    among parts: [UUID: Part],
    besides id: UUID,
    _ nameOf: (Part) -> String?
) throws(ModelError) {
    guard parts.contains(where: { $0.key != id && nameOf($0.value)?.lowercased() == name.lowercased() }) else { return }
    throw ModelError(.conflict, field: "name", "the practice has one with this name already")
}

extension PracticeState {
    /// Whether the practice has a specialty, whatever its case.
    func hasSpecialty(_ name: String) -> Bool {
        profile.specialties.contains { $0.name.lowercased() == name.lowercased() }
    }
}

extension ModelError {
    package static let noPractice = ModelError(.notFound, "there is no such practice")
    package static let noService = ModelError(.notFound, field: "service", "the practice has no such service")
    package static let noPlace = ModelError(.notFound, field: "room", "the practice has no such room")
}
