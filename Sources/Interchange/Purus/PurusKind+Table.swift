import HealthModel

extension PurusKind {
    /// The twelve kinds, with the keys of the CloudKit shape first, and then those that only the models shape has.
    static let ofPurus: [PurusKind] = [
        PurusKind(
            Blood.kind,
            cloudKit: "bloodEntries",
            models: "blood",
            own: [date, PurusKey("name", "name"), comment]
        ),
        PurusKind(
            Drug.kind,
            cloudKit: "drugEntries",
            models: "drugs",
            own: [date, PurusKey("nameAndDosage", "rawText"), comment]
        ),
        PurusKind(
            Vaccination.kind,
            cloudKit: "vaccinationEntries",
            models: "vaccinations",
            own: [date, name, information, PurusKey("place", "place"), comment]
        ),
        PurusKind(
            Allergy.kind,
            cloudKit: "allergyEntries",
            models: "allergies",
            own: [date, name, information, comment]
        ),
        PurusKind(
            Illness.kind,
            cloudKit: "illnessEntries",
            models: "illnesses",
            own: [date, name, PurusKey("informationOrComment", "mergedText")]
        ),
        PurusKind(
            Risk.kind,
            cloudKit: "riskEntries",
            models: "risks",
            own: [date, name, PurusKey("descriptionOrComment", "mergedText")]
        ),
        PurusKind(
            History.kind,
            cloudKit: "medicalHistoryEntries",
            models: "medicalHistory",
            own: [date, name, PurusKey("contact", "contact"), PurusKey("informationOrComment", "mergedText")]
        ),
        PurusKind(
            Document.kind,
            cloudKit: "medicalDocumentEntries",
            models: "medicalDocuments",
            own: [date, name, note],
            further: [
                PurusKey("documentName", "name"),
                PurusKey("documentType", "mediaType"),
                PurusKey("documentData", .attachment),
            ]
        ),
        PurusKind(
            Doctor.kind,
            cloudKit: "humanDoctorEntries",
            models: "humanDoctors",
            id: "uuid",
            hasStamps: true,
            own: [
                PurusKey("type", "type"), name, phone, email, PurusKey("address", "address.text"), note,
            ],
            further: ["street", "city", "state", "zipCode", "country"].map { PurusKey($0, "address.\($0)") }
        ),
        PurusKind(
            Weight.kind,
            cloudKit: "weightEntries",
            models: "weights",
            id: "uuid",
            hasStamps: true,
            own: [date, PurusKey("weightKg", .kilograms), comment],
            further: [PurusKey("weight", "value"), PurusKey("unit", .weightUnit)]
        ),
        PurusKind(
            Cost.kind,
            cloudKit: "petYearlyCostEntries",
            models: "petYearlyCosts",
            id: "uuid",
            hasStamps: true,
            own: [
                date, PurusKey("year", "year"), PurusKey("category", "category"), PurusKey("amount", .itemAmount), note,
            ],
            further: [PurusKey("cost", .totalAmount), PurusKey("basis", .costBasis)]
        ),
        PurusKind(
            EmergencyContact.kind,
            cloudKit: "emergencyContactEntries",
            models: "emergencyContacts",
            id: "id",
            own: [name, phone, email, note]
        ),
    ]

    private static let date = PurusKey("date", .date)
    private static let name = PurusKey("name", "name")
    private static let information = PurusKey("information", "information")
    private static let comment = PurusKey("comment", .comment)
    /// In the CloudKit shape, the comment of some kinds is named `note`.
    private static let note = PurusKey("note", .comment)
    private static let phone = PurusKey("phone", "phone")
    private static let email = PurusKey("email", "email")
}
