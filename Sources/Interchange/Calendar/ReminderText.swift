package import HealthModel

/// The texts of reminders and calendars.
///
/// They leave the journal, so by default they contain nothing about the person or the medication.
package enum ReminderText {
    package static let calendarName = "Health journal"
    /// The title of an appointment in a calendar without names.
    package static let appointment = "Appointment"

    /// The text of a reminder for a channel without names.
    package static func neutral(_ cause: ReminderCause) -> String {
        switch cause {
        case .doseDue: "Something is due"
        case .doseMissed: "Something was missed"
        case .stockLow: "Something will run out soon"
        case .interactionFound: "Something needs your attention"
        }
    }

    /// The text of a reminder for a channel with names; `what` names the medication, with the amount of a dose.
    package static func named(_ cause: ReminderCause, _ what: String, time: String?) -> String {
        let at = time.map { " at \($0)" } ?? ""
        return switch cause {
        case .doseDue: "\(what): due\(at)"
        case .doseMissed: "\(what): missed\(at)"
        case .stockLow: "\(what): will run out soon"
        case .interactionFound: "Possible interaction: \(what)"
        }
    }

    /// The text added to a reminder of a plan that was changed on two devices in two ways.
    package static let twoVersions = "; two versions of the plan exist, decide which one holds"

    /// The text by which a person can check that a channel works.
    package static let test = "This is a test: reminders of your health journal arrive here"
}
