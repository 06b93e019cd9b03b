internal import FoundationEssentials
package import HealthModel
package import Interchange

/// A patient on the triage board, or the head of its own page.
package struct TriageLine: Sendable {
    /// The HTML id on the board.
    package let anchor: String
    package let address: String
    package let badge: LevelBadge
    package let patient: String
    package let species: String?
    /// What everybody who handles the animal must know.
    package let alerts: String?
    package let complaint: String?
    /// How long it waits, or waited.
    package let waited: String
    package let arrived: String
    package let states: [State]
    package let isWaiting: Bool
    package let assessLabel: String
    package let takeLabel: String

    /// What a waiting time means, as a word with a symbol.
    package struct State: Sendable {
        package let text: String
        package let symbol: String
        package let isLate: Bool
    }

    package init(_ triage: TriageDocument, today: Day, _ view: PracticeView) {
        let words = view.words
        anchor = "triage-\(triage.id.text)"
        address = "/triage/\(triage.id.text)"
        badge = LevelBadge(triage.level, words)
        let patient = view.patient(triage.patientName, triage.client)
        self.patient = patient
        species = triage.species
        alerts = triage.alerts
        complaint = triage.complaint.isEmpty ? nil : triage.complaint
        isWaiting = triage.dueAt != nil
        let waited = view.reader.duration(triage.waitedMinutes)
        self.waited = words[isWaiting ? "waitsFor" : "waitedFor", waited]
        arrived = words["arrivedAt", view.time(triage.arrivedAt, otherThan: today)]
        states = TriageLine.states(of: triage, today, view)
        assessLabel = words["assessPatient", patient]
        takeLabel = words["takePatient", patient]
    }

    private static func states(of triage: TriageDocument, _ today: Day, _ view: PracticeView) -> [State] {
        guard let dueAt = triage.dueAt else { return [] }
        let words = view.words
        let isAssessed = triage.status == .assessed
        var states: [State] = []
        if !isAssessed { states.append(State(text: words["notAssessedYet"], symbol: "?", isLate: false)) }
        if triage.isOverdue {
            states.append(State(text: words["overdue"], symbol: "⚠", isLate: true))
        } else if triage.isDue {
            states.append(State(text: words["due"], symbol: "●", isLate: true))
        } else {
            let time = view.time(dueAt, otherThan: today)
            states.append(State(text: words[isAssessed ? "seenBy" : "assessedBy", time], symbol: "○", isLate: false))
        }
        if triage.isLookAgainDue { states.append(State(text: words["lookAgain"], symbol: "↻", isLate: true)) }
        return states
    }
}

extension PracticeView {
    /// Returns the time of a moment, with its day if that is another one.
    package func time(_ instant: Instant, otherThan day: Day) -> String {
        let own = clock.day(at: instant)
        return own == day ? time(instant) : words["dayAndTime", reader.day(own), time(instant)]
    }
}
