internal import AppointmentCalendar
internal import EventLog
package import FoundationEssentials
package import HealthModel
package import JournalCore

/// Adds events to the append of a booking.
package typealias BookingAddition = @Sendable (_ appointment: UUID, PracticeAdmission, inout Change) throws -> Void

/// A booking that was decided and added to an append.
struct PlacedBooking: Sendable {
    let id: UUID
    let details: AppointmentDetails
}

extension Journal.Appointments {
    /// Books an appointment, or reserves its time until a moment.
    ///
    /// Throws `slotTaken` if a specialist, the room or the patient is not free. With `dryRun`, nothing is appended.
    package func book(
        _ request: AppointmentRequest,
        heldUntil: Instant? = nil,
        dryRun: Bool = false,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await bookTime(request, heldUntil: heldUntil, dryRun: dryRun, caller) { _, _, _ in }
    }

    /// Books an appointment, or reserves its time, as the gate permits the action; `also` adds further events to the same
    /// append.
    ///
    /// With `statesAnyField`, the booking may state fields that the caller could not read afterwards.
    func bookTime(
        _ request: AppointmentRequest,
        as action: ScheduleAction = .arrange,
        heldUntil: Instant? = nil,
        dryRun: Bool = false,
        statesAnyField: Bool = false,
        _ caller: Caller,
        also: @escaping BookingAddition
    ) async throws(JournalError) -> WriteResult {
        try await journal.changing(caller, inTurnOn: turns(of: request), isTrial: dryRun) { change in
            let admission = try await journal.access.admit(
                caller,
                to: .schedule(request.displacing == nil ? action : .displace),
                in: request.practice,
                on: request.record
            )
            if !statesAnyField { try await requireFields(of: request, admission, caller) }
            let booked = try place(request, heldUntil: heldUntil, admission, &change)
            try also(booked.id, admission, &change)
            if dryRun { return .existing(at: try journal.log.head(), record: request.record) }
            return .created(record: request.record, entry: booked.id)
        }
    }

    /// Decides a booking, and adds its events to an append.
    ///
    /// `earlier` are the other appointments of the same patient that the append books and that this one repeats.
    func place(
        _ request: AppointmentRequest,
        heldUntil: Instant? = nil,
        after earlier: [PlacedBooking] = [],
        _ admission: PracticeAdmission,
        _ change: inout Change
    ) throws -> PlacedBooking {
        try journal.access.requirePatient(request.record, of: admission.id)
        var details = try details(of: request, isRepeated: !earlier.isEmpty, admission)
        if admission.asker == .client { try requireOnline(details, admission) }
        if let heldUntil { try requireHold(until: heldUntil, of: request, admission) }
        let rooms =
            request.places == nil
            ? details.service.flatMap { admission.practice.services[$0]?.profile.places } : nil
        var facts = try facts(for: details, of: request.record, rooms: rooms ?? [], admission)
        for other in earlier { facts.rules.diaries.take(other.id, other.details, of: request.record) }
        var displaced: Versioned<AppointmentState>?
        if let displacing = request.displacing { displaced = try self.displaced(displacing, for: request, &facts) }
        let id = request.id ?? UUID.timeOrdered(at: journal.log.now())
        if let rooms, !rooms.isEmpty {
            details.places = freeRoom(for: details, of: rooms, facts.rules, besides: id).map { [$0] } ?? [rooms[0]]
        }
        try check(details, of: request.record, id: id, admission, facts.rules)
        let command = heldUntil.map { AppointmentCommand.hold(details, until: $0) } ?? .book(details)
        if let displaced {
            facts.rules.diaries.take(id, details, of: request.record)
            // Before the booking, so that the two do not overlap as of any position.
            try displace(displaced, by: id, request, admission, &facts, &change)
        }
        let offset = change.events.count
        for event in try decide(command, nil, reason: change.reason, now: journal.now) {
            let answers = earlier.isEmpty && change.events.count == offset
            try change.add(
                event,
                id: answers ? change.requestID : nil,
                in: .entry(id, of: request.record),
                expecting: .empty
            )
        }
        try facts.move(id, of: request.record, from: nil, to: details, heldUntil: heldUntil, &change)
        facts.expectAll(&change)
        return PlacedBooking(id: id, details: details)
    }

    /// Performs a command on an appointment; `command` receives its present state.
    ///
    /// With `dryRun`, nothing is appended, and the same errors say why the change is not possible.
    package func changeAppointment(
        _ id: UUID,
        expecting seen: UInt64? = nil,
        dryRun: Bool = false,
        _ caller: Caller,
        _ command: @Sendable (AppointmentState) throws -> AppointmentChange
    ) async throws(JournalError) -> WriteResult {
        try await journal.changing(caller, inTurnOn: [id], isTrial: dryRun) { change in
            let found = try appointment(id)
            let state = found.state
            let asked = try command(state)
            let admission = try await journal.access.admit(
                caller,
                to: .schedule(asked.verb.action(on: state, nurseCompletes: nurseCompletes(state))),
                in: state.details.practice,
                on: state.record
            )
            try await requireFields(of: asked, state, admission, caller)
            if let seen, seen != state.updated.position { throw JournalError.stale }
            let command = try asked.command(state, admission)
            if admission.asker == .client { try requireNotice(state, command, admission) }
            let events = try decide(
                command,
                state,
                reason: caller.reason,
                missedAfterMinutes: admission.practice.profile.missedAfterMinutes,
                now: journal.now
            )
            let existing = WriteResult.existing(at: state.updated.position, record: state.record, entry: id)
            guard !events.isEmpty else { return existing }
            try asked.requireDay(state, admission)
            let after = events.reduce(state) { $0.after($1) }
            let facts = try settle(state, after, admission)
            try change.add(events, in: .entry(id, of: state.record), expecting: .exact(found.version))
            if let facts {
                try facts.move(
                    id,
                    of: state.record,
                    from: state.takesTime ? state.details : nil,
                    to: after.takesTime ? after.details : nil,
                    &change
                )
                facts.expectAll(&change)
            }
            if after.status == .completed { try setNextRecall(after, admission, &change) }
            return existing
        }
    }

    /// Notes when the patient of a completed appointment is to come again, if its service says so.
    private func setNextRecall(
        _ state: AppointmentState,
        _ admission: PracticeAdmission,
        _ change: inout Change
    ) throws {
        guard let id = state.details.service, let interval = admission.practice.services[id]?.profile.recall else {
            return
        }
        let registration = try journal.practiceStates.registration(of: state.record, at: admission.id)
        guard let known = registration.state, known.status == .accepted else { return }
        let due = admission.clock.day(at: state.details.start).adding(months: interval.months)
        let recall = RegistrationState.Recall(service: id, due: due, group: interval.group)
        try change.add(
            known.setting(recall, id: UUID.timeOrdered(at: journal.log.now())),
            in: .stream(
                journal.practiceStates.registrationStream(of: state.record, at: admission.id),
                of: state.record
            ),
            expecting: .exact(registration.version)
        )
    }

    /// Returns the diaries that a change moves the appointment in; nil if it takes the same time as before.
    private func settle(
        _ before: AppointmentState,
        _ after: AppointmentState,
        _ admission: PracticeAdmission
    ) throws -> BookingFacts? {
        let keeps = before.takesTime == after.takesTime && before.details.takesSameTime(as: after.details)
        let booksHold = before.status == .held && after.status == .scheduled
        guard !keeps || booksHold else { return nil }
        var facts = try facts(for: after.details, of: before.record, takesTime: after.takesTime, admission)
        for key in before.details.diaryKeys(of: before.record) { try facts.read(key, journal) }
        if after.takesTime {
            let isReinstated = before.status == .cancelled || before.status == .noShow
            try check(
                after.details,
                of: before.record,
                id: before.id,
                admission,
                facts.rules,
                isReinstated: isReinstated,
                // A reserved time was checked when it was reserved; the practice may have offered it at short notice.
                by: booksHold ? .staff : admission.asker
            )
        }
        return facts
    }

    private func nurseCompletes(_ state: AppointmentState) throws -> Bool {
        guard let service = state.details.service else { return false }
        return try journal.practiceStates.practice(state.details.practice).state.services[service]?.profile
            .nurseCompletes
            ?? false
    }

    /// Throws unless an agreement is possible; if its time is taken, the error lists free times instead.
    package func check(
        _ details: AppointmentDetails,
        of record: UUID,
        id: UUID,
        _ admission: PracticeAdmission,
        _ rules: BookingRules,
        isReinstated: Bool = false,
        by asker: BookingRules.Asker? = nil
    ) throws {
        let conflicts = rules.conflicts(
            of: details,
            of: record,
            id: id,
            by: asker ?? admission.asker,
            isReinstated: isReinstated
        )
        guard let first = conflicts.first else { return }
        var failure = JournalError(first.error)
        failure.conflicts = conflicts.map(BookingConflict.init)
        if let span = first.taken {
            let (slots, position) = try alternatives(to: details, of: record, moving: id, admission)
            failure.taken = TakenTime(span: span, alternatives: slots, position: position)
        }
        throw failure
    }

    /// Throws if a client reserves a time for longer than the practice permits, or too many times.
    private func requireHold(
        until: Instant,
        of request: AppointmentRequest,
        _ admission: PracticeAdmission
    ) throws {
        guard admission.asker == .client else { return }
        guard until <= journal.now.adding(minutes: Self.clientHoldMinutes) else {
            throw JournalError(
                .invalid,
                field: "holdUntil",
                "clients can reserve a time for at most \(Self.clientHoldMinutes) minutes"
            )
        }
        let held = try journal.calendars.appointments(of: request.record, asOf: journal.log.head())
            .count { id in
                let state = try appointment(id).state
                return state.status == .held && state.heldUntil.map { journal.now < $0 } == true
            }
        guard held < Self.clientHolds else {
            throw JournalError(
                .conflict,
                field: "holdUntil",
                "\(Self.clientHolds) times are reserved already: book one, or wait until they are free again"
            )
        }
    }

    /// How long, and how many times, clients can reserve for an animal.
    private static let clientHoldMinutes = 15
    private static let clientHolds = 2

    private func requireOnline(_ details: AppointmentDetails, _ admission: PracticeAdmission) throws(JournalError) {
        let service = details.service.flatMap { admission.practice.services[$0]?.profile }
        guard service?.isOnline == true else {
            throw JournalError(.conflict, field: "service", "clients cannot book this themselves: ask the practice")
        }
        // An emergency goes beyond hours and limits, so only the staff decides whether a case is one.
        guard details.type == service?.type else {
            throw JournalError(.conflict, field: "type", "clients cannot choose it: call the practice")
        }
    }

    /// Throws if a client changes an appointment later than the practice permits.
    private func requireNotice(
        _ state: AppointmentState,
        _ command: AppointmentCommand,
        _ admission: PracticeAdmission
    ) throws(JournalError) {
        if case .confirm = command { return }
        let hours = admission.practice.profile.noticeHours
        guard state.status == .held || journal.now <= state.details.start.adding(minutes: -hours * 60) else {
            throw JournalError(
                .conflict,
                field: "start",
                "clients can change an appointment until \(hours) hours before it: call the practice"
            )
        }
    }

    /// The ids on which a booking takes turns: its specialists, rooms and patient.
    package func turns(of request: AppointmentRequest) -> [UUID] {
        [request.specialist].compactMap(\.self) + request.others + (request.places ?? []) + [request.record]
    }
}

extension AppointmentState {
    /// Whether the appointment takes up the time of its resources.
    var takesTime: Bool { status.takesTime && retracted == nil }

    /// Whether it takes up time at a moment: a reservation that has run out does not.
    func takesTime(at now: Instant) -> Bool { takesTime && (status != .held || heldUntil.map { now < $0 } ?? false) }

    /// Returns the state after an event that is not in the log yet.
    fileprivate func after(_ event: JournalEvent) -> AppointmentState {
        var state: AppointmentState? = self
        evolve(
            &state,
            RecordedEvent(stamp: updated, subject: record, stream: id, entry: id, event: event)
        )
        return state ?? self
    }
}
