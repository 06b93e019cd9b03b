package import FoundationEssentials

/// The client who is asked first about a patient, for the staff of a practice: it tells two animals of one name apart.
package struct PatientClientDocument: DefinedDocument, Hashable {
    package var id: UUID
    package var name: String
    package var phone: String?

    package init(id: UUID, name: String, phone: String? = nil) {
        self.id = id
        self.name = name
        self.phone = phone
    }

    package static let definition = DocumentDefinition(
        PatientClientDocument.init,
        DocumentMember("id", \.id),
        DocumentMember("name", \.name),
        DocumentMember("phone", \.phone)
    )
}
