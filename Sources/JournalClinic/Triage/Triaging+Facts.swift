internal import AppointmentCalendar
internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import JournalCore
internal import MedicalRecords

/// What triage uses from the record and the calendar.
extension Journal.Triaging {
    /// Returns what a practice may use of the record of a patient as of a position, on a day of the practice.
    ///
    /// Of every patient it knows the species. Anything else needs the access that an owner granted it, or that it has as the
    /// record's custodian, within the caller's role; unknown facts are listed as missing. The read is audited.
    func facts(
        of record: UUID,
        asOf position: UInt64,
        _ practice: PracticeAdmission,
        _ caller: Caller
    ) async throws -> PatientFacts {
        let today = practice.today
        var facts = PatientFacts(asOf: today)
        facts.species = try journal.appointments.patientName(record, asOf: position)
            .flatMap { SpeciesCode(name: $0.species) }
        guard
            let admission = try journal.access.admission(of: caller, to: .read(nil, .triage), on: record, in: practice),
            let access = admission.access
        else { return facts }
        let values = access.header.profile.visible(in: admission.scope).values
        facts.age = values.day(RecordProfile.birthdate).flatMap { PatientAge(bornOn: $0, at: today) }
        var selection = MedicalRecordsView.Selection()
        selection.kinds = [Illness.kind, Allergy.kind, Surgery.kind, Drug.kind, Weight.kind].filter(admission.sees)
        selection.includesRetracted = false
        let entries = try journal.contents(admission).record(record, asOf: position, selection)?.entries ?? []
        for entry in entries {
            let body = entry.content.body
            let ended = body.text(SharedFields.ended).flatMap { try? PartialDate(parsing: $0) }
            if let ended, ended.firstDay <= today { continue }
            switch entry.kind {
            case Illness.kind: facts.history.append(.init(id: entry.id, .illness))
            case Allergy.kind: facts.history.append(.init(id: entry.id, .allergy))
            case Drug.kind: facts.history.append(.init(id: entry.id, .drug))
            case Surgery.kind:
                facts.history.append(.init(id: entry.id, .surgery, on: entry.content.date?.day))
            default: break
            }
        }
        facts.history.sort { $0.id.text < $1.id.text }
        let weights = entries.filter { $0.kind == Weight.kind }
        let newest = weights.max { first, second in
            let unknown = Day(daysSince1970: .min)
            return (first.content.date?.day ?? unknown, first.added.position)
                < (second.content.date?.day ?? unknown, second.added.position)
        }
        if let body = newest?.content.body, let value = body.decimal(Weight.value), let unit = body.text(Weight.unit) {
            facts.weight = Weight.converted(value, from: unit, to: "kg")
        }
        let kinds = Set(selection.kinds)
        let shown = Shown(
            sections: Set(kinds.map(\.section)),
            entryCount: entries.count,
            version: position,
            entries: ShownEntries.each(of: entries)
        )
        try await journal.access.trace(caller, admission, shown)
        return facts
    }

    /// Ranks the specialists of a practice for a patient.
    func ranking(
        for assessment: TriageAssessment,
        of record: UUID,
        _ admission: PracticeAdmission
    ) throws -> SpecialistRanking {
        let practice = admission.practice
        let findings = assessment.findings
        var request = RankingRequest(level: assessment.level, species: assessment.patient?.species)
        if let name = findings.specialty {
            guard let specialty = practice.profile.specialty(named: name) else {
                throw JournalError(.notFound, field: "specialty", "the practice has no such specialty")
            }
            request.specialty = specialty
        }
        request.wished = findings.wished
        let head = try journal.log.head()
        var visits: [AppointmentState] = []
        for id in try journal.calendars.appointments(of: record, asOf: head) {
            let state = try journal.appointments.appointment(id).state
            guard state.status == .completed, state.retracted == nil else { continue }
            if state.details.practice == practice.id { visits.append(state) }
        }
        visits.sort { $0.details.start < $1.details.start }
        let species = try journal.appointments.patientName(record, asOf: head)?.species
        let candidates = try journal.practices.directory(of: practice.id, asOf: head)
            .map { specialist in
                var candidate = try candidate(specialist, request, visits, admission)
                if let species { candidate.neverThisPatient = specialist.profile.neverTreats(species) }
                return candidate
            }
        return request.rank(candidates)
    }

    private func candidate(
        _ specialist: SpecialistState,
        _ request: RankingRequest,
        _ visits: [AppointmentState],
        _ admission: PracticeAdmission
    ) throws -> RankingCandidate {
        let practice = admission.practice
        let today = admission.today
        var candidate = RankingCandidate(id: specialist.id)
        candidate.hasEnded = !specialist.works(in: practice.id, on: today)
        candidate.isLicenceExpired = !specialist.profile.isLicensed(on: today)
        candidate.expertise = specialist.profile.expertise.compactMap { area in
            practice.profile.specialty(named: area.specialty).map { .init($0, area.proficiency) }
        }
        candidate.preferredSpecies = specialist.profile.preferredSpecies
        candidate.neverSpecies = specialist.profile.neverSpecies
        let own = visits.filter { $0.details.specialists.contains(specialist.id) }
        candidate.hadLastAppointment = visits.last.map { $0.details.specialists.contains(specialist.id) } ?? false
        candidate.daysSinceSeen = own.last.map { visit in
            Int(today.daysSince1970) - Int(admission.clock.day(at: visit.details.start).daysSince1970)
        }
        candidate.waitMinutes = try waitMinutes(for: specialist, request, admission)
        let freeDay = candidate.waitMinutes.map { admission.clock.day(at: journal.now.adding(minutes: $0)) } ?? today
        guard let span = admission.clock.span(ofDay: freeDay) else { return candidate }
        candidate.availableMinutes =
            Attendance(practice, admission.clock)
            .times(of: specialist, for: request.purpose, on: freeDay.adding(days: -1)...freeDay).present
            .intersection([span])
            .reduce(0) { $0 + $1.minutes }
        candidate.bookedMinutes = try bookedMinutes(of: specialist.id, in: span)
        candidate.isOverCaseload = try isOverCaseload(specialist, in: span)
        return candidate
    }

    /// Returns in how many minutes a specialist is free: 0 for one who is on duty, and treats no patient or is needed
    /// at once; nil if there is no time.
    private func waitMinutes(
        for specialist: SpecialistState,
        _ request: RankingRequest,
        _ admission: PracticeAdmission
    ) throws -> Int? {
        if Attendance(admission.practice, admission.clock).isOnDuty(specialist, at: journal.now) {
            let diary = try journal.appointments.diary(of: .specialist(specialist.id), on: Day(of: journal.now)).state
            let isBusy = diary.times(at: journal.now, besides: nil).contains { $0.span.contains(journal.now) }
            if !isBusy || request.level <= .orange { return 0 }
        }
        let today = admission.today
        let days = today...today.adding(days: (request.windowMinutes + 1_439) / 1_440)
        var asked = FreeSlotRequest(practice: admission.id, service: nil, days: days)
        (asked.specialist, asked.minutes) = (specialist.id, Self.rankedMinutes)
        let free = try journal.appointments.freeSlots(
            asked,
            admission,
            at: journal.log.head(),
            purpose: request.purpose,
            limit: 1
        )
        return free.slots.first.map { first in
            let wait = first.start.microseconds - journal.now.microseconds
            return Int((wait + Instant.microsecondsPerMinute - 1) / Instant.microsecondsPerMinute)
        }
    }

    /// The length of the free time that a ranking looks for.
    private static let rankedMinutes = 15

    private func bookings(of specialist: UUID, in span: TimeSpan) throws -> [Diary.Taken] {
        var diaries = Diaries()
        for day in span.days.all {
            diaries.diaries[.init(.specialist(specialist), day)] = try journal.appointments
                .diary(of: .specialist(specialist), on: day).state
        }
        return diaries.appointments(of: .specialist(specialist), startingIn: span, at: journal.now, besides: nil)
    }

    private func bookedMinutes(of specialist: UUID, in span: TimeSpan) throws -> Int {
        try bookings(of: specialist, in: span).reduce(0) { $0 + $1.minutes }
    }

    private func isOverCaseload(_ specialist: SpecialistState, in span: TimeSpan) throws -> Bool {
        let booked = try bookings(of: specialist.id, in: span)
        if let maximum = specialist.profile.maximumAppointments, booked.count >= maximum { return true }
        guard let maximum = specialist.profile.maximumMinutes else { return false }
        return booked.reduce(Self.rankedMinutes) { $0 + $1.minutes } > maximum
    }
}
