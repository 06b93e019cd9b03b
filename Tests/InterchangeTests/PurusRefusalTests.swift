import HealthModel
import Testing

@testable import Interchange

@Suite("Refused Purus documents")
struct PurusRefusalTests {
    private func refusal(_ text: String, _ options: PurusOptions = Fixtures.options()) -> ModelError? {
        #expect(throws: ModelError.self) { try Fixtures.read(text, options) }
    }

    private static let three = #"{"weightKg": 1}, {"weightKg": 2}, {"weightKg": 3}, "#

    @Test(
        "An invalid document is refused, and the error names the field",
        arguments: [
            (
                #""weightEntries": "[{\"weightKg\": 1}, {\"weightKg\": 2}, {\"weightKg\": 3}, {\"weightKg\": NaN}]""#,
                "weightEntries[3].weightKg"
            ),
            (#""weightEntries": [\#(three){"weightKg": -0.1}]"#, "weightEntries[3].weightKg"),
            (#""weightEntries": [{"weightKg": "75"}]"#, "weightEntries[0].weightKg"),
            (#""weightEntries": [{"weightKg": 1e400}]"#, "weightEntries[0].weightKg"),
            (#""weightEntries": [{"weightKg": 1.2345678901234567890}]"#, "weightEntries[0].weightKg"),
            (#""weightEntries": [{"comment": "none"}]"#, "weightEntries[0].weightKg"),
            (#""weightEntries": [{"weight": 3, "unit": "stone"}]"#, "weightEntries[0].unit"),
            (#""weightEntries": [{"weightKg": 3, "date": -3786825600}]"#, "weightEntries[0].date"),
            (#""weightEntries": [{"weightKg": 3, "date": 9999999999}]"#, "weightEntries[0].date"),
            (#""weightEntries": [{"weightKg": 3, "date": "2024-01-01"}]"#, "weightEntries[0].date"),
            (#""weightEntries": [{"weightKg": 3, "createdAt": -3786825600}]"#, "weightEntries[0].createdAt"),
            (#""weightEntries": [{"weightKg": 3, "comment": 5}]"#, "weightEntries[0].comment"),
            (#""weightEntries": [{"weightKg": 3, "uuid": 5}]"#, "weightEntries[0].uuid"),
            (#""weightEntries": [7]"#, "weightEntries[0]"),
            (#""weightEntries": 7"#, "weightEntries"),
            (#""weightEntries": {}"#, "weightEntries"),
            (#""weightEntries": "[{""#, "weightEntries[0]"),
            (#""weightEntries": "nonsense""#, "weightEntries"),
            (#""petYearlyCostEntries": [{"year": 2024.5, "amount": 1}]"#, "petYearlyCostEntries[0].year"),
            (#""petYearlyCostEntries": [{"year": 2024}]"#, "petYearlyCostEntries[0].amount"),
            (
                #""petYearlyCostEntries": [{"year": 2024, "amount": 1, "currency": "francs"}]"#,
                "petYearlyCostEntries[0].currency"
            ),
            (#""petYearlyCosts": [{"year": 2024, "cost": "1"}]"#, "petYearlyCosts[0].cost"),
            (#""medicalDocuments": [{"documentName": "a", "documentData": "!"}]"#, "medicalDocuments[0].documentData"),
            (#""medicalDocuments": [{"documentName": "a", "documentData": 1}]"#, "medicalDocuments[0].documentData"),
            (
                #""humanDoctorEntries": [{"name": "a", "email": "\#(String(repeating: "e", count: 10_000))"}]"#,
                "humanDoctorEntries[0].email"
            ),
            (#""humanDoctorEntries": [{"name": "a\u0007"}]"#, "humanDoctorEntries[0].name"),
            (#""humanDoctorEntries": [{"name": "\ud800"}]"#, "humanDoctorEntries[0].name"),
            (
                #""humanDoctorEntries": [{"name": "a", "address": "\#(String(repeating: "e", count: 10_000))"}]"#,
                "humanDoctorEntries[0].address"
            ),
            (#""personalBirthdate": -3786825600"#, "personalBirthdate"),
            (#""personalGivenName": "twice""#, "personalGivenName"),
            (#""personalFamilyName": 5"#, "personalFamilyName"),
            (#""isCloudEnabled": 2"#, "isCloudEnabled"),
            (#""fields": {"isPet": 1}"#, "fields.isPet"),
            (#""fields": []"#, "fields"),
            (#""$purus.date": 1"#, "$purus.date"),
            (#""allergyEntries": [{"uuid": "x"}, {"uuid": "x"}]"#, "allergyEntries[1].uuid"),
        ]
    )
    func refusesInvalidDocuments(_ fields: String, _ field: String) {
        #expect(refusal(Fixtures.person(fields))?.field == field)
    }

    @Test(
        "A document in another format is refused",
        arguments: ["", "[]", "7", "{}", #"{"name": "x"}"#, #"{"format": "healthjournal/1", "entries": {}}"#]
    )
    func refusesOtherDocuments(_ text: String) {
        #expect(refusal(text) != nil)
    }

    @Test("An id that two entries of different kinds share is refused")
    func refusesOneIdInTwoKinds() {
        let id = "a3b0c1d2-0000-4000-8000-000000000001"
        let error = refusal(
            Fixtures.person(
                #""allergyEntries": [{"uuid": "\#(id)"}], "weightEntries": [{"uuid": "\#(id)", "weightKg": 1}]"#
            )
        )
        #expect(error?.field == "weightEntries[0].uuid" && error?.message.contains("allergyEntries[0]") == true)
    }

    @Test("A document that mixes two shapes is refused")
    func refusesAMixtureOfShapes() {
        let error = refusal(Fixtures.person(#""weightEntries": [{"weightKg": 1}], "drugs": [{"name": "x"}]"#))
        #expect(error?.message.contains("mixes") == true)
    }

    @Test("An unknown field that is nested too deeply for an export is refused")
    func limitsNesting() {
        let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
        #expect(refusal(Fixtures.person(#""allergyEntries": [{"odd": \#(deep)}]"#))?.field == "allergyEntries[0].odd")
        let deeper = String(repeating: "[", count: 10_000)
        #expect(refusal(Fixtures.person(#""odd": \#(deeper)"#)) != nil)
    }

    @Test("A truncated document is refused")
    func refusesTruncation() throws {
        let bytes = Array(PurusTexts.models.utf8)
        for length in stride(from: 0, to: bytes.count - 1, by: 17) {
            #expect(throws: ModelError.self) {
                try PurusDocument.read(Array(bytes[..<length]), options: Fixtures.options(.reference))
            }
        }
    }

    @Test("An error does not contain the values of the document")
    func errorsWithoutValues() {
        for text in [
            Fixtures.person(#""personalGender": 5, "personalAddress": "Secret Lane""#),
            Fixtures.person(#""weightEntries": [{"weight": 3, "unit": "Secret"}]"#),
            Fixtures.person(#""weightEntries": "[{\"comment\": \"Secret\" 5}]""#),
        ] {
            #expect(refusal(text)?.description.contains("Secret") == false)
        }
    }
}
