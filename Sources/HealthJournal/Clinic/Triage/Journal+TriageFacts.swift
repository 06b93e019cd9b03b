internal import AppointmentCalendar
internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import MedicalRecords

/// What triage uses from the record and the calendar.
extension Journal {
    /// Returns what the record of a patient says as of a position, on a day of the practice.
    func facts(
        of record: UUID,
        _ header: RecordState,
        asOf position: UInt64,
        on today: Day
    ) throws -> PatientFacts {
        let values = header.profile.values
        var facts = PatientFacts(asOf: today)
        facts.species = values.text(RecordProfile.species).flatMap { SpeciesCode(name: $0) }
        facts.age = values.day(RecordProfile.birthdate).flatMap { PatientAge(bornOn: $0, at: today) }
        var selection = MedicalRecordsView.Selection()
        selection.kinds = [Illness.kind, Allergy.kind, Surgery.kind, Drug.kind, Weight.kind]
        selection.includesRetracted = false
        let entries = try records.record(record, asOf: position, selection)?.entries ?? []
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
        let head = try log.head()
        var visits: [AppointmentState] = []
        for id in try calendars.appointments(of: record, asOf: head) {
            let state = try appointment(id).state
            guard state.status == .completed, state.retracted == nil else { continue }
            if state.details.practice == practice.id { visits.append(state) }
        }
        visits.sort { $0.details.start < $1.details.start }
        let candidates = try directory(of: practice.id, asOf: head)
            .map { specialist in
                try candidate(specialist, request, visits, admission)
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
        let days = today...today.adding(days: (request.windowMinutes + 1_439) / 1_440)
        var asked = FreeSlotRequest(practice: practice.id, service: nil, days: days)
        (asked.specialist, asked.minutes) = (specialist.id, Journal.rankedMinutes)
        let free = try freeSlots(asked, admission, at: log.head(), limit: 1)
        var freeDay = today
        if let first = free.slots.first {
            let wait = first.start.microseconds - now.microseconds
            candidate.waitMinutes = Int((wait + Instant.microsecondsPerMinute - 1) / Instant.microsecondsPerMinute)
            freeDay = admission.clock.day(at: first.start)
        }
        let times = specialist.times(in: practice.id, around: freeDay, admission.clock)
        let isPresent = !specialist.absences.values.contains { $0.span.contains(now) }
        let diary = try diary(of: .specialist(specialist.id), on: Day(of: now)).state
        let isBusy = diary.times(at: now, besides: nil).contains { $0.span.contains(now) }
        let onDuty = specialist.times(in: practice.id, around: today, admission.clock).contains { $0.contains(now) }
        if onDuty, isPresent, !isBusy || request.level <= .orange { candidate.waitMinutes = 0 }
        guard let span = admission.clock.span(ofDay: freeDay) else { return candidate }
        candidate.availableMinutes = times.intersection([span]).reduce(0) { $0 + $1.minutes }
        candidate.bookedMinutes = try bookedMinutes(of: specialist.id, in: span)
        candidate.isOverCaseload = try isOverCaseload(specialist, in: span)
        return candidate
    }

    /// The length of the free time that a ranking looks for.
    private static let rankedMinutes = 15

    private func bookings(of specialist: UUID, in span: TimeSpan) throws -> [Diary.Taken] {
        var diaries = Diaries()
        for day in span.days.all {
            diaries.diaries[.init(.specialist(specialist), day)] = try diary(of: .specialist(specialist), on: day).state
        }
        return diaries.appointments(of: .specialist(specialist), startingIn: span, at: now, besides: nil)
    }

    private func bookedMinutes(of specialist: UUID, in span: TimeSpan) throws -> Int {
        try bookings(of: specialist, in: span).reduce(0) { $0 + $1.minutes }
    }

    private func isOverCaseload(_ specialist: SpecialistState, in span: TimeSpan) throws -> Bool {
        let booked = try bookings(of: specialist.id, in: span)
        if let maximum = specialist.profile.maximumAppointments, booked.count >= maximum { return true }
        guard let maximum = specialist.profile.maximumMinutes else { return false }
        return booked.reduce(Journal.rankedMinutes) { $0 + $1.minutes } > maximum
    }
}
