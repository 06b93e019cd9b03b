package import FoundationEssentials
package import HealthModel
package import Interchange

/// The page that books one time with one button, or offers others if it was taken in the meantime.
package struct SlotPage: WebPage {
    package static let template = Template("slot")

    package let booking: BookingHead
    package let action: String
    package let record: String
    package let service: String?
    package let moving: String?
    /// The triage from which the appointment is booked; nil if it is booked from none.
    package let assessment: String?
    package let isEmergency: Bool
    package let facts: [LabelledText]
    /// The time that the button books; nil if it cannot be booked any more.
    package let slot: String?
    package let submit: String
    package let fields: [FormField]
    /// The fields that make it a series; empty where only one appointment can be booked.
    package let repetition: [FormField]
    package let isRepeatable: Bool
    /// Whether something was typed there.
    package let isRepeated: Bool
    package let problem: String?
    /// What can be booked instead.
    package let alternatives: [FormOption]
    package let hasAlternatives: Bool
    /// The page of all free times.
    package let otherAddress: String
    /// Identifies a form that is sent twice.
    package let key: String

    /// The typed values of a series.
    package struct Repeating: Sendable {
        package let weeks: String
        package let times: String

        package init(weeks: String = "", times: String = "") {
            (self.weeks, self.times) = (weeks, times)
        }
    }

    /// Describes what happened to a time that cannot be booked.
    package struct Refusal: Sendable {
        package let text: String
        /// Nil if the time itself is not the problem, so that it can be sent again.
        package let alternatives: [FreeSlotDocument]?

        package init(_ text: String, alternatives: [FreeSlotDocument]?) {
            self.text = text
            self.alternatives = alternatives
        }
    }

    package init(
        _ booking: BookingHead,
        record: UUID,
        service: UUID?,
        minutes: Int,
        lengthened: [ServiceDuration.Reason] = [],
        moving appointment: AppointmentDocument?,
        isEmergency: Bool = false,
        _ choice: SlotChoice,
        typed: String = "",
        repeating: Repeating? = nil,
        problems: [String: String] = [:],
        refusal: Refusal? = nil,
        key: String,
        _ view: PracticeView
    ) {
        let words = view.words
        self.booking = booking
        action = "\(view.address)/book"
        self.record = record.text
        self.service = service?.text
        moving = appointment?.id.text
        assessment = booking.triage?.id
        self.isEmergency = isEmergency
        let day = view.clock.day(at: choice.start)
        let time =
            TimeSpan(start: choice.start, minutes: minutes).map { view.times($0, on: day) } ?? view.time(choice.start)
        facts =
            [
                LabelledText(words["patient"], booking.patient),
                LabelledText(
                    words["service"],
                    appointment.map { view.service(of: $0.details) }
                        ?? service.flatMap { view.practice.services[$0]?.profile.name }
                        ?? words["appointmentType.emergency"]
                ),
                LabelledText(words["when"], words["dayAndTime", view.day(day), time]),
                LabelledText(words["withWhom"], view.specialist(choice.specialist)),
            ]
            + (view.lengthened(minutes, lengthened).map { [LabelledText(words["duration"], $0)] } ?? [])
            + (view.places([choice.place].compactMap(\.self)).map { [LabelledText(words["room"], $0)] } ?? [])
        let others = refusal?.alternatives
        slot = others == nil ? choice.text : nil
        submit = words[appointment == nil ? "book" : "moveNow"]
        var reason = FormField(
            appointment == nil ? "about" : "reason",
            words[appointment == nil ? "visitReason" : "reason"],
            .line,
            value: typed,
            problem: problems["reason"]
        )
        reason.hint = words[appointment == nil ? "hint.visitReason" : "hint.changeReason"]
        fields = [reason]
        repetition =
            repeating.map { typed in
                [("weeks", typed.weeks), ("times", typed.times)]
                    .map { name, value in
                        FormField(name, words["repeat.\(name)"], .number, value: value, problem: problems[name])
                    }
            } ?? []
        isRepeatable = !repetition.isEmpty
        isRepeated = repetition.contains { !$0.value.isEmpty || $0.problem != nil }
        problem = refusal?.text
        alternatives = (others ?? [])
            .map { other in
                let text = words["slotOf", view.day(other.wall.day), view.time(other.start), other.specialistName]
                return FormOption(
                    SlotChoice(other).text,
                    words[appointment == nil ? "bookAt" : "moveTo", text],
                    isChosen: false
                )
            }
        hasAlternatives = !alternatives.isEmpty
        let ending = service.map { "&service=\($0.text)" } ?? ""
        let kind = isEmergency ? BookedKind.query : ""
        otherAddress = "\(view.address)/book?\(booking.query)\(ending)&from=\(day)\(kind)"
        self.key = key
    }
}
