package import FoundationEssentials

/// A resource whose time is booked: a specialist, a room or device, or a patient.
package enum ClinicResource: Hashable, Sendable {
    case specialist(UUID)
    /// A room or a device.
    case place(UUID)
    /// An animal, by its record.
    case patient(UUID)

    package var id: UUID {
        switch self {
        case .specialist(let id), .place(let id), .patient(let id): id
        }
    }

    /// The name of the field that refers to it.
    package var field: String {
        switch self {
        case .specialist: "specialist"
        case .place: "room"
        case .patient: "record"
        }
    }
}

/// What takes up one resource on one UTC day: appointments and blocked times.
///
/// A time that reaches into a second day is in the diaries of both days. Days are those of UTC, so that no change of a
/// zone moves a diary.
package struct Diary: Hashable, Sendable {
    /// By the id of the appointment or of the blocked time.
    package private(set) var taken: [UUID: Taken] = [:]

    package struct Taken: Hashable, Sendable {
        package var span: TimeSpan
        /// The part of the span that is the appointment itself, without the buffers before and after it.
        package var minutes: Int
        /// The end of a hold that has not been booked yet.
        package var heldUntil: Instant?
        /// Whether it is a blocked time, such as a meeting, and no appointment.
        package var isBlocked: Bool

        package init(span: TimeSpan, minutes: Int, heldUntil: Instant? = nil, isBlocked: Bool = false) {
            self.span = span
            self.minutes = minutes
            self.heldUntil = heldUntil
            self.isBlocked = isBlocked
        }

        package func counts(at now: Instant) -> Bool { heldUntil.map { now < $0 } ?? true }
    }

    package init() {}

    /// The times that count at a moment, except one.
    package func times(at now: Instant, besides id: UUID?) -> [Taken] {
        taken.filter { $0.key != id && $0.value.counts(at: now) }.map(\.value)
    }

    package mutating func set(_ id: UUID, _ taken: Taken?) { self.taken[id] = taken }
}

/// Folds one event into the diary of its stream.
package func evolve(_ diary: inout Diary, _ event: RecordedEvent) {
    switch event.event.data {
    case let taken as SlotTaken:
        guard let span = TimeSpan(taken.from, taken.to) else { return }
        diary.set(taken.appointment, Diary.Taken(span: span, minutes: taken.minutes, heldUntil: taken.until))
    case let blocked as SlotBlocked:
        guard let span = TimeSpan(blocked.from, blocked.to) else { return }
        diary.set(blocked.block, Diary.Taken(span: span, minutes: span.minutes, isBlocked: true))
    case let freed as SlotFreed:
        diary.set(freed.appointment, nil)
    default:
        break
    }
}

/// The diaries of some resources on some days.
package struct Diaries: Sendable {
    package struct Key: Hashable, Sendable {
        package var resource: ClinicResource
        package var day: Day

        package init(_ resource: ClinicResource, _ day: Day) {
            self.resource = resource
            self.day = day
        }
    }

    package var diaries: [Key: Diary] = [:]

    package init() {}

    /// Frees what an appointment takes up.
    package mutating func free(_ appointment: UUID) {
        for key in diaries.keys { diaries[key]?.set(appointment, nil) }
    }

    /// Lets an appointment take up its time, in the diaries that are here.
    package mutating func take(_ appointment: UUID, _ details: AppointmentDetails, of record: UUID) {
        guard let span = details.span, let wide = details.wideSpan else { return }
        for (resource, time) in details.resources.map({ ($0, wide) }) + [(.patient(record), span)] {
            for day in time.days.all {
                diaries[Key(resource, day)]?.set(appointment, Diary.Taken(span: time, minutes: details.minutes))
            }
        }
    }

    /// Returns what takes up a resource in a span at a moment; what reaches over midnight is in two diaries.
    package func times(
        of resource: ClinicResource,
        in span: TimeSpan,
        at now: Instant,
        besides id: UUID?
    ) -> [Diary.Taken] {
        var found: [UUID: Diary.Taken] = [:]
        for day in span.days.all {
            for (key, taken) in diaries[Key(resource, day)]?.taken ?? [:]
            where key != id && taken.counts(at: now) && taken.span.overlaps(span) {
                found[key] = taken
            }
        }
        return Array(found.values)
    }

    /// Returns the time that leaves no room for a span, or nil if there is room for it.
    ///
    /// At no moment of the span are more than `capacity` times taken, the span included, and none is blocked.
    package func obstacle(
        to span: TimeSpan,
        of resource: ClinicResource,
        capacity: Int = 1,
        at now: Instant,
        besides id: UUID?
    ) -> TimeSpan? {
        let taken = times(of: resource, in: span, at: now, besides: id)
            .sorted { ($0.span.start, $0.span.end) < ($1.span.start, $1.span.end) }
        // A blocked time leaves no room, however many appointments there is room for.
        if let blocked = taken.first(where: \.isBlocked) { return blocked.span }
        // The number of times grows only where one begins.
        for time in taken {
            let moment = max(time.span.start, span.start)
            if taken.count(where: { $0.span.contains(moment) }) >= capacity { return time.span }
        }
        return nil
    }

    /// Returns the appointments of a resource that start within a span, at a moment.
    package func appointments(
        of resource: ClinicResource,
        startingIn span: TimeSpan,
        at now: Instant,
        besides id: UUID?
    ) -> [Diary.Taken] {
        times(of: resource, in: span, at: now, besides: id).filter { !$0.isBlocked && span.contains($0.span.start) }
    }
}

extension ClosedRange<Day> {
    package var all: [Day] {
        (lowerBound.daysSince1970...upperBound.daysSince1970).map { Day(daysSince1970: $0) }
    }
}
