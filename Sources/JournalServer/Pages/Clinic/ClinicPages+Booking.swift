import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import JournalPages

/// The pages that book and move appointments.
extension ClinicPages {
    // MARK: - Free times

    /// The service or appointment to book, and the patient.
    private struct Booking {
        let visitor: Visitor
        let record: UUID
        let service: UUID?
        /// The appointment that is moved; nil for a new one.
        let moving: AppointmentAnswer?
        let head: BookingHead
        /// Whether an emergency is booked, whatever the service is; that of an appointment that is moved stays.
        let isEmergency: Bool
        /// The duration of the appointment, and why it is longer than the service usually is.
        var duration: ServiceDuration
        var minutes: Int { duration.minutes }
    }

    /// Reads the animal, the appointment that is moved or the service that is chosen, and the triage from which it is
    /// booked.
    private func booking(
        record: UUID,
        service: UUID?,
        moving: UUID?,
        assessment: UUID?,
        type: String?,
        _ visit: PageVisit
    ) async throws -> Booking {
        guard type == nil || type == AppointmentType.emergency.rawValue else {
            throw JournalError(.invalid, field: "type", "must be emergency")
        }
        let caller = try visit.caller
        let visitor = try await visitor(visit.practice(), withSpecialists: true, visit)
        let practice = visitor.view.practice.id
        var (service, patient) = (service, String?.none)
        var moved: AppointmentAnswer?
        if let moving {
            let answer = try await journal.appointments.appointment(moving, caller)
            guard answer.state.record == record, answer.state.details.practice == practice else {
                throw JournalError(.notFound, "there is no such appointment of this animal")
            }
            (moved, service, patient) = (answer, answer.state.details.service, answer.patient?.name)
        } else if visitor.isMember {
            patient = try await journal.patients.list(of: practice, matching: .record(record), caller).first?.patient
                .name
        }
        if moved == nil, patient == nil {
            // An owner may book for an animal that is no patient of the practice yet; others may not read its record.
            let answer = try await journal.records.read(record, ReadOptions(page: .newest(0)), as: .list, caller)
            patient = visitor.view.reader.name(answer.state.displayName)
        }
        var triage: TriageAnswer?
        if let assessment { triage = try await bookedTriage(assessment, of: record, visitor, caller) }
        let head = BookingHead(
            record: record,
            patient: patient ?? visitor.view.words["patientUnknown"],
            moving: moved?.document,
            from: triage?.document,
            isMember: visitor.isMember,
            visitor.view
        )
        let isEmergency = type != nil && moved == nil
        let minutes =
            moved?.state.details.minutes
            ?? service.flatMap { visitor.view.practice.services[$0]?.profile.minutes }
            ?? (isEmergency ? BookedKind.minutes : ServiceProfile.defaultGrid)
        return Booking(
            visitor: visitor,
            record: record,
            service: service,
            moving: moved,
            head: head,
            isEmergency: isEmergency,
            duration: ServiceDuration(minutes: minutes)
        )
    }

    /// Reads the triage from which the staff books an appointment of its patient.
    private func bookedTriage(
        _ id: UUID,
        of record: UUID,
        _ visitor: Visitor,
        _ caller: Caller
    ) async throws -> TriageAnswer {
        guard visitor.isMember else {
            throw JournalError(.refused, field: "assessment", "only the staff of the practice may write this field")
        }
        let answer = try await journal.triage.find(id, caller)
        let state = answer.state
        guard state.record == record, state.practice == visitor.view.practice.id, state.retracted == nil else {
            throw JournalError(ModelError.noTriage)
        }
        return answer
    }

    /// Parses the id of the triage from which an appointment is booked; nil if it is booked from none.
    private func assessment(_ text: String?, moving: UUID?) throws -> UUID? {
        let assessment = try id(text, "assessment")
        guard assessment == nil || moving == nil else {
            throw JournalError(.invalid, field: "assessment", "is for a new appointment")
        }
        return assessment
    }

    @Sendable func booking(_ visit: PageVisit) async throws -> Response {
        let caller = try visit.caller
        guard let record = try id(visit.query["record"], "record") else {
            return Pages.redirect(to: "/practices/\(try visit.practice().text)/patients")
        }
        let moving = try id(visit.query["moving"], "moving")
        var booking = try await booking(
            record: record,
            service: id(visit.query["service"], "service"),
            moving: moving,
            assessment: assessment(visit.query["assessment"], moving: moving),
            type: visit.query["type"],
            visit
        )
        let view = booking.visitor.view
        if let text = visit.query["slot"] {
            guard let choice = SlotChoice(parsing: text) else {
                throw JournalError(.invalid, field: "slot", "must be a free time of the page before")
            }
            // Only those who may book see the page, and a refusal is recorded before anything is typed.
            let day = view.clock.day(at: choice.start)
            let free = try await journal.appointments.freeSlots(
                question(booking, day...day, specialist: choice.specialist),
                caller
            )
            booking.duration = ServiceDuration(minutes: free.minutes, reasons: free.lengthened)
            let page = slotPage(booking, choice)
            return visit.response(page, view.words["bookHeading"])
        }
        let services = view.practice.services.filter { $0.value.ended == nil }
            .filter { booking.visitor.isMember || $0.value.profile.isOnline }
            .map { ($0.key, $0.value.profile) }
            .sorted { ($0.1.name.lowercased(), $0.0.text) < ($1.1.name.lowercased(), $1.0.text) }
        if booking.service == nil, booking.moving == nil, !booking.isEmergency {
            // The service of the last appointment is probably the one that is wanted.
            let last = try await journal.appointments.list(of: record, at: view.practice.id, caller)
                .last { $0.state.details.service != nil }
            let offered = Set(services.map(\.0))
            let usual = last?.state.details.service.flatMap { offered.contains($0) ? $0 : nil }
            booking = Booking(
                visitor: booking.visitor,
                record: record,
                service: usual ?? (services.count == 1 ? services[0].0 : nil),
                moving: nil,
                head: booking.head,
                isEmergency: false,
                duration: booking.duration
            )
        }
        let first = max(try visit.query.day("from") ?? booking.visitor.today, booking.visitor.today)
        var slots: FreeSlotAnswer?
        if booking.service != nil || booking.moving != nil || booking.isEmergency {
            let days = first...first.adding(days: BookingPage.days - 1)
            slots = try await journal.appointments.freeSlots(question(booking, days), caller)
        }
        let page = BookingPage(
            booking.head,
            services: services,
            chosen: booking.service,
            kind: BookedKind(
                isEmergency: booking.isEmergency,
                mayBeEmergency: booking.visitor.isMember && booking.moving == nil
            ),
            slots?.document,
            from: first,
            today: booking.visitor.today,
            view
        )
        return visit.response(page, view.words["bookHeading"])
    }

    /// An appointment that is moved keeps its specialist and its room.
    private func question(
        _ booking: Booking,
        _ days: ClosedRange<Day>,
        specialist: UUID? = nil
    ) -> FreeSlotRequest {
        var question = FreeSlotRequest(practice: booking.visitor.view.practice.id, service: booking.service, days: days)
        question.record = booking.record
        question.specialist = specialist
        if booking.isEmergency {
            question.type = .emergency
            if booking.service == nil { question.minutes = booking.minutes }
        }
        if let state = booking.moving?.state {
            question.moving = state.id
            question.minutes = state.details.minutes
            question.type = state.details.type
            question.specialist = state.details.specialist ?? specialist
            question.place = state.details.places.first
        }
        return question
    }

    private func slotPage(
        _ booking: Booking,
        _ choice: SlotChoice,
        typed: String = "",
        repeating: SlotPage.Repeating = SlotPage.Repeating(),
        problems: [String: String] = [:],
        refusal: SlotPage.Refusal? = nil,
        key: String? = nil
    ) -> SlotPage {
        SlotPage(
            booking.head,
            record: booking.record,
            service: booking.service,
            minutes: booking.minutes,
            lengthened: booking.duration.reasons,
            moving: booking.moving?.document,
            isEmergency: booking.isEmergency,
            choice,
            typed: typed,
            repeating: booking.visitor.isMember && booking.moving == nil ? repeating : nil,
            problems: problems,
            refusal: refusal,
            key: key ?? pages.key(),
            booking.visitor.view
        )
    }

    // MARK: - Booking

    @Sendable func book(_ visit: PageVisit) async throws -> Response {
        let typed = try await visit.form()
        guard let record = try id(typed["record"], "record"), let choice = SlotChoice(parsing: typed["slot"]) else {
            throw JournalError(.invalid, field: "slot", "must be a free time of the page before")
        }
        let practice = try visit.practice()
        let (service, moving) = (try id(typed["service"], "service"), try id(typed["moving"], "moving"))
        let assessment = try assessment(typed["assessment"], moving: moving)
        let type = typed["type"].isEmpty ? nil : typed["type"]
        do {
            let appointment: UUID
            let repetition = try moving == nil ? repetition(typed) : nil
            if let moving {
                let caller = try visit.writer(typed, reason: typed["reason"])
                _ = try await journal.appointments.changeAppointment(moving, caller) { state in
                    guard state.details.practice == practice, state.record == record else {
                        throw JournalError(.notFound, "there is no such appointment of this animal")
                    }
                    return .move(to: .instant(choice.start), minutes: nil)
                }
                appointment = moving
            } else {
                var asked = AppointmentRequest(practice: practice, record: record, start: .instant(choice.start))
                asked.service = service
                asked.specialist = choice.specialist
                asked.places = choice.place.map { [$0] }
                asked.reason = typed["about"]
                asked.assessment = assessment
                if let type {
                    asked.type = .emergency
                    if service == nil { asked.minutes = BookedKind.minutes }
                    guard type == AppointmentType.emergency.rawValue else {
                        throw JournalError(.invalid, field: "type", "must be emergency")
                    }
                }
                let booked = try await register(record, at: practice, typed, visit) { [asked] in
                    let caller = try visit.writer(typed)
                    guard let repetition else { return try await journal.appointments.book(asked, caller).entry }
                    let series = try await journal.appointments.bookSeries(asked, repetition, skipTaken: false, caller)
                    return series.booked.first?.entry
                }
                guard let booked else { throw JournalError(.failed, "the appointment has no id") }
                appointment = booked
            }
            let done = moving == nil ? repetition == nil ? "booked" : "seriesBooked" : "visitMoved"
            return Pages.redirect(to: "/appointments/\(appointment.text)?done=\(done)")
        } catch {
            let error = JournalError(error)
            guard error.isOfTheForm || error.code == .slotTaken else { throw error }
            var booking = try await booking(
                record: record,
                service: service,
                moving: moving,
                assessment: assessment,
                type: type,
                visit
            )
            let day = booking.visitor.view.clock.day(at: choice.start)
            // Only explains the length of the service on a page that shows another error.
            let free = try? await journal.appointments.freeSlots(
                question(booking, day...day, specialist: choice.specialist),
                visit.caller
            )
            if let free { booking.duration = ServiceDuration(minutes: free.minutes, reasons: free.lengthened) }
            let page = refused(booking, choice, typed, error)
            let status: HTTPResponse.Status = error.code == .invalid ? .badRequest : .conflict
            return visit.response(page, booking.visitor.view.words["bookHeading"], status: status)
        }
    }

    /// Books; if the animal is no patient of the practice yet, makes it one first, as its owner or the staff may.
    private func register(
        _ record: UUID,
        at practice: UUID,
        _ typed: PageForm,
        _ visit: PageVisit,
        _ book: () async throws -> UUID?
    ) async throws -> UUID? {
        do {
            return try await book()
        } catch let error as JournalError where error.code == .conflict && error.field == "record" {
            _ = try await journal.patients.registerPatient(record, at: practice, visit.writer(typed, request: 0))
            try journal.decideAnew(visit.writer(typed))
        }
        return try await book()
    }

    /// Returns how often the appointment is repeated; nil if nothing was typed about that.
    private func repetition(_ typed: PageForm) throws -> Repetition? {
        if typed["weeks"].isEmpty, typed["times"].isEmpty { return nil }
        guard let weeks = Int(typed["weeks"]), (1...52).contains(weeks) else {
            throw JournalError(.invalid, field: "weeks", "must be between 1 and 52")
        }
        guard let times = Int(typed["times"]), Repetition.countRange.contains(times) else {
            throw JournalError(.invalid, field: "times", "must be between 2 and 52")
        }
        return try Repetition(days: weeks * 7, count: times)
    }

    /// The page again: with the alternatives if the time was taken, and with the typed values.
    private func refused(
        _ booking: Booking,
        _ choice: SlotChoice,
        _ typed: PageForm,
        _ error: JournalError
    ) -> SlotPage {
        let view = booking.visitor.view
        var problems: [String: String] = [:]
        var refusal: SlotPage.Refusal
        let repeating = SlotPage.Repeating(weeks: typed["weeks"], times: typed["times"])
        if ["weeks", "times"].contains(error.field ?? "") {
            problems[error.field ?? ""] = view.words.sentence(error.text)
            refusal = .init(view.reader.summary(problems) ?? "", alternatives: nil)
        } else if let taken = error.taken, (try? repetition(typed)) == nil || taken.span.contains(choice.start) {
            let what = view.words["taken.\(error.field ?? "specialist")"]
            let time = view.times(taken.span, on: view.clock.day(at: choice.start))
            var alternatives = taken.alternatives
            if let details = booking.moving?.state.details {
                alternatives.removeAll { $0.specialist != details.specialist }
            }
            refusal = .init(view.words["timeTaken", what, time], alternatives: alternatives)
        } else if error.field == "reason" {
            problems["reason"] = view.words.sentence(error.text)
            refusal = .init(view.reader.summary(problems) ?? "", alternatives: nil)
        } else {
            refusal = .init(view.words.sentence(error.text), alternatives: nil)
        }
        let further = error.conflicts.dropFirst().map { view.words.sentence($0.text) }
        if !further.isEmpty {
            refusal = .init(
                ([refusal.text, view.words["alsoInTheWay"]] + further).joined(separator: " "),
                alternatives: refusal.alternatives
            )
        }
        return slotPage(
            booking,
            choice,
            typed: booking.moving == nil ? typed["about"] : typed["reason"],
            repeating: repeating,
            problems: problems,
            refusal: refusal,
            key: pages.key(typed)
        )
    }
}
