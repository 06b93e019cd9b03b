import HealthModel
import Testing

@testable import Interchange

@Suite("Epochs of Purus documents")
struct PurusEpochTests {
    private func refusal(_ text: String, _ epoch: PurusOptions.Epoch) -> ModelError? {
        #expect(throws: ModelError.self) { try Fixtures.read(text, Fixtures.options(epoch)) }
    }

    @Test("A document in the models shape is refused with the epoch 1970, and the error names the option")
    func modelsAsUnix() {
        let error = refusal(PurusTexts.models, .unix)
        #expect(error?.field == "humanDoctors[0].createdAt" || error?.field == "weights[0].createdAt")
        #expect(error?.message.contains("--epoch reference") == true)
    }

    @Test(
        "The models shape is refused with the epoch 1970 even without creation times of the app",
        arguments: [#""blood": [{"date": 729763200}]"#, #""drugs": [], "personalBirthdate": -665539200"#]
    )
    func modelsAsUnixByShape(_ fields: String) throws {
        let error = refusal(Fixtures.person(fields), .unix)
        #expect(error?.message.contains("--epoch reference") == true)
        #expect(throws: Never.self) { try Fixtures.read(Fixtures.person(fields), Fixtures.options(.reference)) }
    }

    @Test("A document without dates is read the same with either epoch")
    func withoutDates() throws {
        let text = Fixtures.person(#""drugs": [{"name": "x"}]"#)
        #expect(
            try Fixtures.read(text, Fixtures.options(.unix)).entries
                == Fixtures.read(text, Fixtures.options(.reference)).entries
        )
    }

    @Test(
        "A document in the CloudKit shape is refused with the epoch 2001, and the error names the field",
        arguments: [
            (#""weightEntries": [{"weightKg": 1, "createdAt": 1672560000}]"#, "weightEntries[0].createdAt"),
            (#""weightEntries": [{"weightKg": 1, "date": 1672560000}]"#, "weightEntries[0].date"),
            (
                #""petYearlyCostEntries": [{"year": 1994, "amount": 1, "date": 776000000}]"#,
                "petYearlyCostEntries[0].date"
            ),
        ]
    )
    func cloudKitAsReference(_ fields: String, _ field: String) throws {
        let error = refusal(Fixtures.person(fields), .reference)
        #expect(error?.field == field)
        #expect(error?.message.contains("--epoch unix") == true)
        #expect(throws: Never.self) { try Fixtures.read(Fixtures.person(fields), Fixtures.options(.unix)) }
    }

    @Test("The creation times of the app determine the epoch even if the shape suggests the other one")
    func creationTimes() throws {
        let text = Fixtures.person(#""weightEntries": [{"weightKg": 1, "createdAt": 757411200, "date": 757411200}]"#)
        #expect(refusal(text, .unix)?.message.contains("--epoch reference") == true)
        #expect(
            try Fixtures.read(text, Fixtures.options(.reference)).entries[0].content.date?.description
                == "2025-01-01T08:00:00Z"
        )
        let models = Fixtures.person(#""weights": [{"weight": 1, "createdAt": 1672560000, "date": 1672560000}]"#)
        #expect(refusal(models, .reference)?.message.contains("--epoch unix") == true)
        #expect(throws: Never.self) { try Fixtures.read(models, Fixtures.options(.unix)) }
    }

    @Test("A document with times in both epochs is refused with either epoch")
    func mixedEpochs() {
        let text = Fixtures.person(
            #""weightEntries": [{"weightKg": 1, "createdAt": 757411200}, {"weightKg": 1, "createdAt": 1672560000}]"#
        )
        #expect(refusal(text, .unix)?.field == "weightEntries[0].createdAt")
        #expect(refusal(text, .reference)?.field == "weightEntries[1].createdAt")
    }

    @Test("The future date of a planned vaccination does not suggest another epoch")
    func plannedVaccination() throws {
        let text = Fixtures.person(#""vaccinationEntries": [{"name": "Tetanus", "date": 2000000000}]"#)
        #expect(throws: Never.self) { try Fixtures.read(text, Fixtures.options(.unix)) }
    }

    @Test("The error about a date out of range suggests the other epoch if the date would fit it")
    func dateOutOfRange() {
        // The value is 1899-12-31 if counted from 1970, and 1930-12-31 if counted from 2001.
        let error = refusal(Fixtures.person(#""personalBirthdate": -2209075200"#), .unix)
        #expect(error?.field == "personalBirthdate")
        #expect(error?.message.contains("--epoch reference") == true)
        #expect(throws: Never.self) {
            try Fixtures.read(Fixtures.person(#""personalBirthdate": -2208988800"#), Fixtures.options(.unix))
        }
    }
}
