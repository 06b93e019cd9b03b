package import FoundationEssentials
package import HealthModel

/// A vaccination whose next dose is due, or will be within 30 days.
package struct DueVaccinationDocument: DefinedDocument, Hashable {
    /// The entry of the last dose.
    package var entry: UUID
    package var name: String
    /// A year, a month or a day, as the entry says.
    package var due: String
    package var isOverdue: Bool

    package init(entry: UUID, name: String, due: String, isOverdue: Bool) {
        (self.entry, self.name, self.due, self.isOverdue) = (entry, name, due, isOverdue)
    }

    package init(_ vaccination: DueVaccination) {
        self.init(
            entry: vaccination.last.id,
            name: vaccination.last.content.body.text(Vaccination.name) ?? "",
            due: vaccination.due.description,
            isOverdue: vaccination.isOverdue
        )
    }

    package static let definition = DocumentDefinition(
        DueVaccinationDocument.init(entry:name:due:isOverdue:),
        DocumentMember("entry", \.entry, "The entry of the last dose."),
        DocumentMember("name", \.name),
        DocumentMember("due", \.due, "A year, a month or a day, such as 2027-03."),
        DocumentMember("overdue", \.isOverdue)
    )
}
