package import FoundationEssentials
package import HealthModel

/// The client who is asked first about a patient, for the staff of a practice: it tells two animals of one name apart.
package struct PatientClientDocument: APIDocument, Hashable {
    package var id: UUID
    package var name: String
    package var phone: String?

    package init(id: UUID, name: String, phone: String? = nil) {
        self.id = id
        self.name = name
        self.phone = phone
    }
}

extension PatientClientDocument {
    package static let schema = JSONSchema.object(
        ["id": JSONSchema.identifier, "name": ["type": "string"]],
        optional: ["phone": ["type": "string"]]
    )

    package var json: JSONValue {
        .present(["id": .string(id.text), "name": .string(name), "phone": phone.map { .string($0) }])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        id = try object.id("id")
        name = try object.required("name")
        phone = try object.text("phone")
    }
}

extension NativeObject {
    /// The client of a patient, if the document names one.
    func patientClient() throws(ModelError) -> PatientClientDocument? {
        has("client") ? try PatientClientDocument(object("client")) : nil
    }
}
