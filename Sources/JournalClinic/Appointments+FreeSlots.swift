internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import Interchange
package import JournalCore

/// A question for free times of a service, as people ask it.
package struct FreeSlotRequest: Hashable, Sendable {
    package var practice: UUID
    /// Nil for a time of `minutes` that belongs to no service, such as an emergency.
    package var service: UUID?
    package var days: ClosedRange<Day>
    /// Nil for all who work in the practice.
    package var specialist: UUID?
    /// Nil for a free room of the service, if it needs one.
    package var place: UUID?
    package var record: UUID?
    /// The appointment that is to be moved, whose own time does not count.
    package var moving: UUID?
    /// Nil for the duration of the service.
    package var minutes: Int?
    /// Nil for that of the service.
    ///
    /// An emergency can begin in all hours of the practice.
    package var type: AppointmentType?

    package init(practice: UUID, service: UUID?, days: ClosedRange<Day>) {
        self.practice = practice
        self.service = service
        self.days = days
    }
}

/// The free times of a service.
package struct FreeSlotAnswer: Sendable {
    package var slots: [FreeSlot]
    /// Why there is none.
    package var why: NoSlotReason?
    /// The zone of the practice.
    package var zone: String
    package var clock: PersonClock
    package var minutes: Int
    /// Why it is longer than the service usually is.
    package var lengthened: [ServiceDuration.Reason]
    /// The names of the specialists.
    package var names: [UUID: String]
    /// The position of the log for which the answer holds.
    package var position: UInt64
}

extension Journal.Appointments {
    /// Returns the free times of a service within some days of the practice's zone.
    package func freeSlots(
        _ request: FreeSlotRequest,
        _ caller: Caller
    ) async throws(JournalError) -> FreeSlotAnswer {
        try await journal.retrying {
            let position = try journal.log.head()
            let admission: PracticeAdmission
            if let record = request.record {
                admission = try await journal.access.admit(
                    caller,
                    to: .schedule(.arrange),
                    in: request.practice,
                    on: record
                )
                // A practice must not learn when an animal that is not its patient is elsewhere.
                if !admission.isClient { try journal.access.requirePatient(record, of: request.practice) }
            } else {
                admission = try await journal.access.admit(caller, to: .seeCalendar, in: request.practice)
            }
            return try freeSlots(request, admission, at: position)
        }
    }

    /// Returns the free times for a caller who may see them.
    package func freeSlots(
        _ request: FreeSlotRequest,
        _ admission: PracticeAdmission,
        at position: UInt64,
        near span: TimeSpan? = nil,
        purpose: Attendance.Purpose? = nil,
        limit: Int = SlotQuestion.maximumSlots
    ) throws -> FreeSlotAnswer {
        let practice = admission.practice
        let service = try request.service.map { id throws(JournalError) in
            guard let service = practice.services[id], service.ended == nil else {
                throw JournalError(ModelError.noService)
            }
            return service.profile
        }
        let usual = try service.map { service in
            try duration(of: service, for: request.record, besides: request.moving, admission)
        }
        guard let minutes = request.minutes ?? usual?.minutes else {
            throw ModelError(.invalid, field: "minutes", "is required without a service")
        }
        guard request.days.all.count <= SlotQuestion.maximumDays else {
            throw ModelError(.invalid, field: "to", "is more than \(SlotQuestion.maximumDays) days after the first")
        }
        let specialists = try journal.practices.directory(of: request.practice, asOf: position)
            .filter { request.specialist == nil || $0.id == request.specialist }
        if request.specialist != nil, specialists.isEmpty { throw JournalError(ModelError.noSpecialist) }
        guard var window = window(admission) else { throw ModelError(.invalid, field: "from", "is out of range") }
        if let span, let near = TimeSpan(max(window.start, span.start), min(window.end, span.end)) { window = near }
        let rooms = service?.places.filter { practice.places[$0].map { $0.ended == nil } ?? false }
        let type = request.type ?? service?.type ?? .routine
        let question = SlotQuestion(
            minutes: minutes,
            bufferBefore: service?.bufferBefore ?? 0,
            bufferAfter: service?.bufferAfter ?? 0,
            grid: service?.grid ?? ServiceProfile.defaultGrid,
            days: request.days,
            purpose: purpose ?? Attendance.Purpose(type),
            service: request.service,
            specialists: specialists.map(\.id),
            places: request.place.map { [$0] } ?? rooms ?? [],
            record: request.record,
            moving: request.moving,
            window: window
        )
        let (slots, why) = try freeSlots(question, specialists, admission, limit: limit)
        return FreeSlotAnswer(
            slots: slots,
            why: why,
            zone: practice.profile.zone,
            clock: admission.clock,
            minutes: minutes,
            lengthened: request.minutes == nil ? usual?.reasons ?? [] : [],
            names: Dictionary(specialists.map { ($0.id, $0.profile.name) }) { first, _ in first },
            position: position
        )
    }

    /// Searches some days after the other until there are enough times, so that the first times of an empty calendar cost
    /// as much as those of one day.
    private func freeSlots(
        _ question: SlotQuestion,
        _ specialists: [SpecialistState],
        _ admission: PracticeAdmission,
        limit: Int
    ) throws -> (slots: [FreeSlot], why: NoSlotReason?) {
        var slots: [FreeSlot] = []
        var reasons: [NoSlotReason] = []
        var first = question.days.lowerBound
        var count = 1
        while first <= question.days.upperBound {
            var part = question
            part.days = first...min(question.days.upperBound, first.adding(days: count - 1))
            let found = try rules(for: part, specialists, admission).freeSlots(part, limit: .max)
            slots += found.slots
            if let why = found.why { reasons.append(why) }
            first = part.days.upperBound.adding(days: 1)
            count = min(count * 2, Self.searchedDays)
            if slots.count >= limit { break }
        }
        slots.sort()
        return (Array(slots.prefix(limit)), slots.isEmpty ? reasons.max() : nil)
    }

    /// How many days are searched at once, at most.
    private static let searchedDays = 16

    /// Returns the free times nearest to one that is taken; of the same distance, those of the same specialist first.
    func alternatives(
        to details: AppointmentDetails,
        of record: UUID,
        moving appointment: UUID?,
        _ admission: PracticeAdmission
    ) throws -> (slots: [FreeSlotDocument], position: UInt64) {
        let day = admission.clock.day(at: details.start)
        var request = FreeSlotRequest(practice: admission.id, service: details.service, days: day...day)
        (request.record, request.moving, request.minutes) = (record, appointment, details.minutes)
        request.type = details.type
        let near = TimeSpan(start: details.start, minutes: details.minutes)?
            .widened(before: TakenTime.nearMinutes, after: TakenTime.nearMinutes)
        var answer = try freeSlots(request, admission, at: journal.log.head(), near: near, limit: .max)
        if answer.slots.count < TakenTime.maximumAlternatives {
            request.days = day...day.adding(days: TakenTime.alternativeDays - 1)
            answer = try freeSlots(request, admission, at: journal.log.head(), limit: .max)
        }
        func distance(_ slot: FreeSlot) -> Int64 { abs(slot.start.microseconds - details.start.microseconds) }
        let nearest = answer.slots.sorted { first, second in
            let (near, far) = (distance(first), distance(second))
            if near != far { return near < far }
            let isSame = (first.specialist == details.specialist, second.specialist == details.specialist)
            return isSame.0 == isSame.1 ? first < second : isSame.0
        }
        return (nearest.prefix(TakenTime.maximumAlternatives).map(answer.document), answer.position)
    }

    /// When the caller may book: in the future, and for clients within the limits of the practice.
    private func window(_ admission: PracticeAdmission) -> TimeSpan? {
        let profile = admission.practice.profile
        let isClient = admission.asker == .client
        let from = isClient ? journal.now.adding(minutes: profile.bookFromHours * 60) : journal.now
        // For staff it is as good as unlimited.
        let until = journal.now.adding(minutes: (isClient ? profile.bookUntilDays : 146_000) * 1_440)
        return TimeSpan(from, max(until, from.adding(minutes: 1))) ?? TimeSpan(start: from, minutes: 1)
    }

    /// Reads the diaries of everything that a question for free times concerns.
    private func rules(
        for question: SlotQuestion,
        _ specialists: [SpecialistState],
        _ admission: PracticeAdmission
    ) throws -> BookingRules {
        var rules = BookingRules(
            practice: admission.practice,
            specialists: Dictionary(specialists.map { ($0.id, $0) }) { first, _ in first },
            diaries: Diaries(),
            clock: admission.clock,
            now: journal.now,
            species: try question.record.flatMap { try patientName($0, asOf: journal.log.head())?.species }
        )
        let resources: [ClinicResource] =
            question.specialists.map { .specialist($0) } + question.places.map { .place($0) }
            + (question.record.map { [.patient($0)] } ?? [])
        // Buffers reach into the day before, and an appointment may end on the next day.
        let local = question.days.lowerBound.adding(days: -1)...question.days.upperBound.adding(days: 1)
        guard let days = admission.clock.span(of: local)?.days else { return rules }
        for resource in resources {
            for day in days.all {
                let diary = try countedDiary(of: resource, on: day).state
                if !diary.taken.isEmpty { rules.diaries.diaries[Diaries.Key(resource, day)] = diary }
            }
        }
        return rules
    }
}
