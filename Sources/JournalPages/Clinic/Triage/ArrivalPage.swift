package import FoundationEssentials
package import HealthModel
package import Interchange

/// The page that puts a patient on the triage board: found by name, then one button.
package struct ArrivalPage: WebPage {
    package static let template = Template("arrival")

    package let head: PracticeHead
    package let searchAddress: String
    package let beginAddress: String
    package let boardAddress: String
    package let newAddress: String
    package let typed: String
    package let problem: String?
    package let found: [Item]
    package let hasFound: Bool
    /// Whether a search found nothing.
    package let isNothing: Bool
    /// Says that not everything is shown.
    package let summary: String?
    /// The appointment for which the patient comes; nil without one.
    package let appointment: String?
    /// Identifies a form that is sent twice.
    package let key: String

    package struct Item: Sendable {
        package let record: String
        package let name: String
        package let species: String?
        package let alerts: String?
        package let number: String?
        /// Who brings the animal, which tells two of one name apart.
        package let clients: String?
        /// Says since when the patient is on the board already.
        package let waiting: String?
        package let complaint: String
        package let problem: String?
        package let redNowLabel: String
        package let beginLabel: String
    }

    /// The typed complaint of a patient who could not be put on the board, and the problem.
    package struct Refused: Sendable {
        package let complaint: String
        package let problem: String

        package init(complaint: String, problem: String) {
            self.complaint = complaint
            self.problem = problem
        }
    }

    /// `found` is nil before a search.
    package init(
        _ view: PracticeView,
        typed: String = "",
        found: [PatientDocument]? = nil,
        clients: [UUID: String] = [:],
        waiting: [UUID: Instant] = [:],
        appointment: String? = nil,
        complaint: String = "",
        problem: String? = nil,
        refused: Refused? = nil,
        key: String
    ) {
        let words = view.words
        head = PracticeHead(view)
        searchAddress = "\(view.address)/arrive"
        beginAddress = "\(view.address)/board"
        boardAddress = "\(view.address)/board"
        newAddress = "\(view.address)/new-patient?next=arrive"
        self.typed = typed
        self.problem = problem
        self.found = (found ?? []).prefix(PatientSearchPage.shown)
            .map { patient in
                Item(
                    record: patient.record.text,
                    name: patient.name,
                    species: patient.species,
                    alerts: patient.alerts,
                    number: patient.number.map { words["patientNumber", $0] },
                    clients: patient.broughtBy(clients, words),
                    waiting: waiting[patient.record]
                        .map { since in
                            let day = view.reader.day(view.clock.day(at: since))
                            return words["onBoardSince", words["dayAndTime", day, view.time(since)]]
                        },
                    complaint: refused?.complaint ?? complaint,
                    problem: refused?.problem,
                    redNowLabel: words["redNowPatient", patient.name],
                    beginLabel: words["beginPatient", patient.name]
                )
            }
        hasFound = !self.found.isEmpty
        isNothing = found?.isEmpty == true
        summary = found.flatMap { all in
            all.count > PatientSearchPage.shown
                ? words["notAllFound", view.reader.number(PatientSearchPage.shown)] : nil
        }
        self.appointment = appointment
        self.key = key
    }
}
