/// Purus Health documents of invented people, in the three formats that the app and its sync write.
enum PurusFixtures {
    static let person = "7B0E4E0A-5C6B-4F2E-9D11-2A4B6C8D0E1F"

    /// Returns `count` weights in ascending order.
    static func weights(_ count: Int) -> [String] {
        (0..<count).map { "\(60 + $0 / 10).\($0 % 10)" }
    }

    /// Returns a document in the flat CloudKit format: each array is a string with JSON, and times are seconds since
    /// 1970.
    static func cloudKit(weights: [String] = weights(334)) -> String {
        func escaped(_ json: String) -> String { json.replacing("\"", with: "\\\"") }
        let items = weights.enumerated()
            .map { index, weight in
                let date = 1_672_531_200 + index * 86_400
                return #"{"date": \#(date), "weightKg": \#(weight), "comment": ""}"#
            }
        return """
            {"uuid": "\(person)", "isPet": false, "personalFamilyName": "Zumsteg", "personalGivenName": "Ottilie",
             "personalGender": "Female", "personalBirthdate": 453600000, "personalEmployer": "Käserei Übersax",
             "isCloudEnabled": true, "isSharingEnabled": false,
             "bloodEntries": "\(escaped(#"[{"date": 1677830400, "name": "118/79", "comment": "sitting"}]"#))",
             "drugEntries": "\(escaped(#"[{"date": null, "nameAndDosage": "Candesartan 8 mg", "comment": "evenings"}]"#))",
             "vaccinationEntries": "\(escaped(#"[{"date": 1708041600, "name": "Tetanus", "information": "Boostrix", "place": "Praxis", "comment": ""}]"#))",
             "allergyEntries": "\(escaped(#"[{"date": 833616000, "name": "Hazel", "information": "sneezing", "comment": ""}]"#))",
             "illnessEntries": "\(escaped(#"[{"date": 1709539200, "name": "Migraine", "informationOrComment": "since youth"}]"#))",
             "humanDoctorEntries": "\(escaped(#"[{"uuid": "9A1C0F7E-2D3B-4C5D-8E6F-0A1B2C3D4E5F", "name": "Dr. Wyss", "type": "GP", "note": "by train"}]"#))",
             "weightEntries": "\(escaped("[" + items.joined(separator: ", ") + "]"))",
             "petYearlyCostEntries": "\(escaped(#"[{"date": 1704067200, "year": 2024, "category": "Dentist", "amount": 183.10, "note": ""}]"#))"}
            """
    }

    /// A document about a dog in the format of CloudKit Web Services.
    static let webServices = """
        {"recordName": "3C5E7A90-1B2D-4F60-8A9B-0C1D2E3F4A5B", "recordType": "MedicalRecord", "fields": {
          "isPet": {"value": 1}, "personalName": {"value": "Struppi"}, "personalAnimalID": {"value": "756000000000777"},
          "petBreed": {"value": "Mittelschnauzer"}, "personalBirthdate": {"value": 1554163200},
          "ownerName": {"value": "Ottilie Zumsteg"}, "vetClinicName": {"value": "Praxis am Bach"},
          "weightEntries": {"value": [{"uuid": "5D6E7F80-9A0B-4C1D-8E2F-3A4B5C6D7E8F", "date": 1672560000, "weightKg": 17.25, "comment": "wet"}]}
        }}
        """

    /// A document in the models format: times are seconds since 2001, weights are in pounds, and bytes are in base64.
    static let models = """
        {"uuid": "1E2F3A4B-5C6D-4E7F-8091-A2B3C4D5E6F7", "isPet": false, "personalFamilyName": "Zumsteg",
         "personalGivenName": "Balthasar", "personalBirthdate": -665539200,
         "blood": [{"date": 729763200, "value": "121/82", "comment": "at home"}],
         "medicalDocuments": [{"documentName": "ekg.txt", "documentType": "text/plain", "documentData": "RUtHIG5vcm1hbAo=", "comment": ""}],
         "weights": [{"uuid": "0F1E2D3C-4B5A-4968-8776-655443322110", "date": 757411200, "weight": 178.8, "unit": "lbs", "comment": ""}],
         "petYearlyCosts": [{"year": 2024, "cost": 412.5, "currency": "EUR"}]}
        """
}
