internal import AppointmentCalendar
internal import CaregiverPermissions
internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import Interchange
package import JournalCore
internal import JournalEvents
internal import PracticeDirectory

/// Reads of the appointments of practices and patients. Each appointment that is shown is a read of its patient's record.
extension Journal.Appointments {
    /// Returns the appointments of a practice in some days of its zone.
    package func calendar(
        of practice: UUID,
        days: ClosedRange<Day>,
        matching filter: AppointmentFilter = AppointmentFilter(),
        asOf moment: AsOf? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> CalendarAnswer {
        try await journal.retrying {
            let admission = try await journal.access.admit(caller, to: .reading(.seeCalendar, by: caller), in: practice)
            guard days.all.count <= SlotQuestion.maximumDays else {
                throw ModelError(.invalid, field: "to", "is more than \(SlotQuestion.maximumDays) days after the first")
            }
            let position = try journal.log.position(asOf: moment)
            let state = try journal.practiceStates.practice(practice, asOf: position).state
            let clock = try journal.practiceStates.clock(of: state)
            guard let span = clock.span(of: days) else {
                throw ModelError(.invalid, field: "to", "is before the first")
            }
            let specialists = try journal.practices.directory(of: practice, asOf: position)
            let shown = try shownMoment(moment, position)
            let judge = judge(state, specialists, clock, at: shown)
            var answers: [AppointmentAnswer] = []
            var patients: [UUID: PatientName?] = [:]
            let ids = try journal.calendars.appointments(of: practice, days: span.days, asOf: position)
            for found in try ids.compactMap({ try appointmentUnlessErased($0, asOf: position) })
            where found.details.span?.overlaps(span) == true && found.retracted == nil && filter.admits(found) {
                let patient = try patients[found.record] ?? patient(found.record, for: admission, asOf: position)
                patients[found.record] = .some(patient)
                let answer = answer(found, patient, admission, judge)
                // A reservation that has run out is no open question.
                let isOpen = answer.problem != nil && found.takesTime(at: shown) || answer.isUnresolved
                if filter.onlyOpenQuestions, !isOpen { continue }
                answers.append(answer)
            }
            answers.sort { ($0.state.details.start, $0.state.id) < ($1.state.details.start, $1.state.id) }
            let busy = try moment == nil ? busyTimes(of: specialists, in: span, besides: Set(ids)) : []
            try await trace(caller, answers.map(\.state.record), as: admission.right, asOf: moment, position)
            return CalendarAnswer(
                practice: state,
                days: days,
                position: position,
                appointments: answers,
                busy: busy,
                specialists: specialists
            )
        }
    }

    /// Returns the appointments of a patient: for an owner of the record all of them, for staff those at their practices.
    ///
    /// `practice` limits them to one practice, whose staff may ask also if the patient has none there.
    package func list(
        of record: UUID,
        at practice: UUID? = nil,
        asOf moment: AsOf? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> [AppointmentAnswer] {
        try await journal.retrying {
            let isOwner =
                switch try journal.access.recordAccess(of: caller.account, to: record) {
                case .found(let access): access.permission.isOwner
                case .erased, .missing: throw JournalError.noRecord
                }
            let position = try journal.log.position(asOf: moment)
            var answers: [AppointmentAnswer] = []
            var admissions: [UUID: PracticeAdmission] = [:]
            let only = practice
            if let only {
                admissions[only] = try journal.access.practiceAdmission(of: caller, in: only, isClient: isOwner)
            }
            if only == nil, !isOwner { admissions = try staffAdmissions(of: caller, for: record, asOf: position) }
            for id in try journal.calendars.appointments(of: record, asOf: position) {
                guard let state = try appointmentUnlessErased(id, asOf: position), state.retracted == nil else {
                    continue
                }
                let practice = state.details.practice
                if let only, practice != only { continue }
                if admissions[practice] == nil {
                    admissions[practice] = try journal.access.practiceAdmission(
                        of: caller,
                        in: practice,
                        isClient: isOwner
                    )
                }
                guard let admission = admissions[practice], isOwner || !admission.roles.isEmpty else { continue }
                let patient = try patient(record, for: admission, asOf: position)
                answers.append(answer(state, patient, admission, nil))
            }
            let staffed = admissions.first { !$0.value.roles.isEmpty }?.key
            let roles = admissions.values.reduce(into: Set<ClinicRole>()) { $0.formUnion($1.roles) }
            if let why = Gate.refusal(of: .seePatient, by: caller, roles: roles, isClient: isOwner) {
                throw try await journal.access.refusal(of: caller, .appointments, on: record, reason: why)
            }
            let right: AccessRight = isOwner ? .owner : .practice(staffed ?? record)
            try await trace(caller, answers.isEmpty ? [] : [record], as: right, asOf: moment, position)
            return answers.sorted { $0.state.details.start < $1.state.details.start }
        }
    }

    /// Returns what a caller is in each practice at which an animal is or was registered.
    func staffAdmissions(
        of caller: Caller,
        for record: UUID,
        asOf position: UInt64
    ) throws -> [UUID: PracticeAdmission] {
        var admissions: [UUID: PracticeAdmission] = [:]
        for practice in try journal.practiceDirectory.practices(asOf: position)
        where try journal.practiceStates.registration(of: record, at: practice, asOf: position).state
            .map({ $0.status != .requested }) ?? false
        {
            admissions[practice] = try journal.access.practiceAdmission(of: caller, in: practice, isClient: false)
        }
        return admissions
    }

    /// Returns an appointment as of a moment.
    package func appointment(
        _ id: UUID,
        asOf moment: AsOf? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> AppointmentAnswer {
        try await journal.retrying {
            let position = try journal.log.position(asOf: moment)
            let (state, admission) = try await shownAppointment(id, asOf: position, caller)
            let answer =
                moment == nil
                ? try present(state, admission, asOf: position)
                : answer(state, try patient(state.record, for: admission, asOf: position), admission, nil)
            try await trace(caller, [state.record], as: admission.right, asOf: moment, position)
            return answer
        }
    }

    /// Returns each version of an appointment, the first one first.
    package func versions(ofAppointment id: UUID, _ caller: Caller) async throws(JournalError) -> [AppointmentVersion] {
        try await journal.retrying {
            let head = try journal.log.head()
            let (current, admission) = try await shownAppointment(id, asOf: head, caller)
            let versions = try versions(ofAppointment: id, visibleTo: admission.roles)
            try await trace(caller, [current.record], as: admission.right, asOf: nil, head)
            return versions
        }
    }

    /// Returns an appointment and each of its versions, the first one first, as one read of its patient's record.
    package func appointmentWithVersions(
        _ id: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> (appointment: AppointmentAnswer, versions: [AppointmentVersion]) {
        try await journal.retrying {
            let head = try journal.log.head()
            let (state, admission) = try await shownAppointment(id, asOf: head, caller)
            let answer = try present(state, admission, asOf: head)
            let versions = try versions(ofAppointment: id, visibleTo: admission.roles)
            try await trace(caller, [state.record], as: admission.right, asOf: nil, head)
            return (answer, versions)
        }
    }

    private func versions(ofAppointment id: UUID, visibleTo roles: Set<ClinicRole>) throws -> [AppointmentVersion] {
        var versions: [AppointmentVersion] = []
        var state: AppointmentState?
        for event in try journal.log.recordedEvents(of: id) {
            evolve(&state, event)
            guard let visible = state?.visible(to: roles) else { continue }
            versions.append(
                AppointmentVersion(stamp: event.stamp, type: event.event.type, state: visible, reason: event.reason)
            )
        }
        return versions
    }

    /// Returns an appointment as it is now, with the problem that is in its way.
    private func present(
        _ state: AppointmentState,
        _ admission: PracticeAdmission,
        asOf position: UInt64
    ) throws -> AppointmentAnswer {
        let specialists = try journal.practices.directory(of: state.details.practice, asOf: position)
        let judge = judge(admission.practice, specialists, admission.clock, at: journal.now)
        let patient = try patient(state.record, for: admission, asOf: position)
        return answer(state, patient, admission, judge)
    }

    private func shownAppointment(
        _ id: UUID,
        asOf position: UInt64,
        _ caller: Caller
    ) async throws -> (state: AppointmentState, admission: PracticeAdmission) {
        guard let state = try appointmentUnlessErased(id, asOf: position) else {
            throw JournalError(ModelError.noAppointment)
        }
        let admission = try await journal.access.admit(
            caller,
            to: .reading(.seePatient, by: caller),
            in: state.details.practice,
            on: state.record
        )
        return (state, admission)
    }

    /// Returns an appointment; nil if there is none with this id, or its record was erased.
    package func appointmentUnlessErased(_ id: UUID, asOf position: UInt64) throws -> AppointmentState? {
        try journal.records.unlessErased {
            try journal.fold(id, asOf: position, from: AppointmentState?.none) { evolve(&$0, $1) }.state
        }
    }

    /// Returns the rules that find out whether appointments can take place as agreed.
    private func judge(
        _ practice: PracticeState,
        _ specialists: [SpecialistState],
        _ clock: PersonClock,
        at moment: Instant
    ) -> BookingRules {
        BookingRules(
            practice: practice,
            specialists: Dictionary(specialists.map { ($0.id, $0) }) { first, _ in first },
            diaries: Diaries(),
            clock: clock,
            now: moment
        )
    }

    /// Returns what a caller sees of an appointment; `judge` finds out whether it can take place.
    private func answer(
        _ state: AppointmentState,
        _ patient: PatientName?,
        _ admission: PracticeAdmission,
        _ judge: BookingRules?
    ) -> AppointmentAnswer {
        var problem: String?
        if var judge, state.takesTime, state.details.start >= judge.now {
            judge.species = patient?.species
            problem =
                state.takesTime(at: judge.now)
                ? judge.problem(of: state.details)?.description
                : "the reservation has ended, and the time is free again"
        }
        var answer = AppointmentAnswer(
            state: state.visible(to: admission.roles),
            patient: patient,
            problem: problem,
            isUnresolved: state.isUnresolved(at: judge?.now ?? journal.now)
        )
        answer.isCancelledLate = state.isCancelledLate(noticeHours: admission.practice.profile.noticeHours)
        return answer
    }

    /// Returns the moment at which waiting times and open questions are shown.
    func shownMoment(_ asOf: AsOf?, _ position: UInt64) throws -> Instant {
        // Nothing has a time before the first event, and there is nothing to show either.
        asOf == nil || position == 0 ? journal.now : try journal.records.stamp(at: position).recordedAt
    }

    /// Returns the name and the species of an animal; nil if its record was erased.
    package func patientName(_ record: UUID, asOf position: UInt64) throws -> PatientName? {
        guard let header = try journal.records.headerUnlessErased(record, asOf: position) else { return nil }
        let values = header.profile.values
        return PatientName(
            record: record,
            name: values.text(RecordProfile.name) ?? "",
            species: values.text(RecordProfile.species) ?? ""
        )
    }

    /// Returns the name and the species of an animal, for the staff with the alerts and the client of its registration; nil
    /// if its record was erased.
    package func patient(
        _ record: UUID,
        for admission: PracticeAdmission,
        asOf position: UInt64
    ) throws -> PatientName? {
        guard var patient = try patientName(record, asOf: position), !admission.roles.isEmpty else {
            return try patientName(record, asOf: position)
        }
        let registration = try journal.practiceStates.registration(of: record, at: admission.id, asOf: position).state?
            .profile
        patient.alerts = (registration?.alerts).flatMap { $0.isEmpty ? nil : $0 }
        if let client = registration?.primary,
            let state = try journal.clients.clientUnlessErased(client, asOf: position)
        {
            patient.client = PatientClientDocument(id: client, name: state.profile.fullName, phone: state.profile.phone)
        }
        return patient
    }

    /// Returns the times of specialists that belong to none of some appointments.
    private func busyTimes(
        of specialists: [SpecialistState],
        in span: TimeSpan,
        besides shown: Set<UUID>
    ) throws -> [BusyTime] {
        var busy: [BusyTime] = []
        for specialist in specialists {
            var seen = shown
            for day in span.days.all {
                for (id, taken) in try diary(of: .specialist(specialist.id), on: day).state.taken
                where taken.counts(at: journal.now) && taken.span.overlaps(span) && seen.insert(id).inserted {
                    busy.append(BusyTime(specialist: specialist.id, span: taken.span, isBlocked: taken.isBlocked))
                }
            }
        }
        return busy.sorted { ($0.span.start, $0.specialist) < ($1.span.start, $1.specialist) }
    }

    /// Records that something of some patients was shown: one read for each record, however often it is listed.
    package func trace(
        _ caller: Caller,
        _ records: [UUID],
        _ action: AccessAction = .appointments,
        as right: AccessRight,
        asOf moment: AsOf? = nil,
        _ position: UInt64
    ) async throws {
        let counts = Dictionary(records.map { ($0, 1) }, uniquingKeysWith: +)
        let reads = counts.sorted { $0.key < $1.key }
            .map { record, count in
                let asOf = moment == nil ? nil : position
                let shown = Shown(sections: [], entryCount: count, asOf: asOf, version: position)
                return TracedRead(record: record, action: action, right: right, shown: shown)
            }
        try await journal.access.trace(caller, reads)
    }
}

extension PersonClock {
    /// Returns the time from the start of the first local day to the end of the last one.
    func span(of days: ClosedRange<Day>) -> TimeSpan? {
        let start = moment(of: WallMoment(day: days.lowerBound)).instant
        return TimeSpan(start, moment(of: WallMoment(day: days.upperBound.adding(days: 1))).instant)
    }
}
