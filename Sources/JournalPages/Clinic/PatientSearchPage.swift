package import FoundationEssentials
internal import HealthModel
package import Interchange

/// The page that finds a patient by name, to book an appointment.
///
/// The name is sent with a form, so that it is in no address.
package struct PatientSearchPage: WebPage {
    package static let template = Template("patients")

    package let head: PracticeHead
    package let action: String
    /// The page that creates a patient.
    package let newAddress: String
    /// The page that opens the emergency view by a microchip; nil for roles that may not.
    package let emergencyAddress: String?
    package let typed: String
    package let problem: String?
    package let found: [Item]
    package let hasFound: Bool
    /// Whether a search found nothing.
    package let isNothing: Bool
    /// Says that not all found patients are shown; nil if all are.
    package let summary: String?

    package static let shown = 50

    package struct Item: Sendable {
        package let name: String
        package let species: String?
        package let alerts: String?
        package let number: String?
        /// Who brings the animal, which tells two of one name apart.
        package let clients: String?
        package let bookAddress: String
        package let bookLabel: String
        /// The page with what the practice wrote in the record; nil for roles that may not read it.
        package let writtenAddress: String?
    }

    /// `found` is nil before a search.
    package init(
        _ view: PracticeView,
        typed: String = "",
        found: [PatientDocument]? = nil,
        clients: [UUID: String] = [:],
        problem: String? = nil
    ) {
        let words = view.words
        head = PracticeHead(view, at: .patients)
        action = "\(view.address)/patients"
        newAddress = "\(view.address)/new-patient"
        emergencyAddress = view.roles.contains(where: \.isClinical) ? "\(view.address)/emergency" : nil
        self.typed = typed
        self.problem = problem
        let readsWritten = !view.roles.isDisjoint(with: [.veterinarian, .manager])
        self.found = (found ?? []).prefix(PatientSearchPage.shown)
            .map { patient in
                Item(
                    name: patient.name,
                    species: patient.species,
                    alerts: patient.alerts,
                    number: patient.number.map { words["patientNumber", $0] },
                    clients: patient.broughtBy(clients, words),
                    bookAddress: "\(view.address)/book?record=\(patient.record.text)",
                    bookLabel: words["bookFor", patient.name],
                    writtenAddress: readsWritten ? "\(view.address)/patients/\(patient.record.text)/written" : nil
                )
            }
        hasFound = !self.found.isEmpty
        isNothing = found?.isEmpty == true
        summary = found.flatMap { all in
            all.count > PatientSearchPage.shown
                ? words["notAllFound", view.reader.number(PatientSearchPage.shown)] : nil
        }
    }
}

extension PatientDocument {
    /// Who brings the animal, in the reader's language; nil if no client is known.
    func broughtBy(_ names: [UUID: String], _ words: Words) -> String? {
        let known = clients.compactMap { names[$0] }
        return known.isEmpty ? nil : words["broughtBy", known.joined(separator: ", ")]
    }
}
