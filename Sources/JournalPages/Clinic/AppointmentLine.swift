internal import FoundationEssentials
internal import HealthModel
package import Interchange

/// An appointment in a list or a table, with its status as a word and a symbol.
package struct AppointmentLine: Sendable {
    package let id: String
    /// The HTML id in a table; nil where the appointment is shown again for another specialist.
    package var anchor: String?
    package let address: String
    /// The day, for lists of several days.
    package let day: String
    package let time: String
    package let start: String
    /// The start by the reader's own clock, where that differs.
    package let ownTime: String?
    package let patient: String
    package let species: String?
    /// What everybody who handles the animal must know.
    package let alerts: String?
    package let service: String
    package let specialist: String
    package let room: String?
    /// What the client said it is about.
    package let reason: String?
    package let status: String
    package let symbol: String
    /// The status as a class of the style sheet.
    package let stateName: String
    package let arrived: String?
    /// Why it cannot take place as agreed.
    package let problem: String?
    /// Says that its outcome was not recorded.
    package let unresolved: String?
    package var next: NextStep?
    /// The version of the appointment that the page shows.
    package let version: UInt64

    /// The one obvious next change of an appointment, as a button.
    package struct NextStep: Sendable {
        /// The word of the change.
        package let change: String
        package let name: String
        /// Names the appointment too, for people who do not see where the button is.
        package let label: String
    }

    /// Returns a problem such as `specialist: is absent then` as a sentence.
    private static func sentence(_ problem: String, _ words: Words) -> String {
        let parts = problem.split(separator: ": ", maxSplits: 1).map(String.init)
        guard parts.count == 2, !parts[0].contains(" ") else { return words.sentence(recognizing: problem) }
        let hasVerb = ["is ", "does ", "has "].contains { parts[1].hasPrefix($0) }
        return words.sentence(recognizing: hasVerb ? "the \(parts[0]) \(parts[1])" : parts[1])
    }

    /// `next` is the word of the next change; nil if there is none that the reader may make.
    package init(_ appointment: AppointmentDocument, next: String? = nil, _ view: PracticeView) {
        let words = view.words
        let details = appointment.details
        let day = view.clock.day(at: details.start)
        id = appointment.id.text
        anchor = "visit-\(appointment.id.text)"
        address = "/appointments/\(appointment.id.text)"
        self.day = view.day(day)
        time = details.span.map { view.times($0, on: day) } ?? ""
        let start = view.time(details.start)
        self.start = start
        ownTime = view.ownMoment(details.start)
        let patient = view.patient(appointment.patientName, appointment.client)
        self.patient = patient
        species = appointment.species
        alerts = appointment.alerts
        service = view.service(of: details)
        specialist = view.specialists(of: details)
        room = view.places(details.places)
        reason = details.reason.isEmpty ? nil : details.reason
        status = words["appointmentStatus.\(appointment.status.rawValue)"]
        symbol = appointment.status.symbol
        stateName = appointment.status.rawValue.replacing("_", with: "-")
        let isWaiting = appointment.status == .scheduled || appointment.status == .confirmed
        arrived = isWaiting ? appointment.arrivedAt.map { words["arrivedAt", view.time($0)] } : nil
        problem = appointment.problem.map { AppointmentLine.sentence($0, words) }
        unresolved = appointment.isUnresolved ? words["noOutcomeYet"] : nil
        version = appointment.position
        self.next = next.map { step in
            NextStep(
                change: step,
                name: words["step.\(step)"],
                label: words["stepOf", words["step.\(step)"], patient, start]
            )
        }
    }
}
