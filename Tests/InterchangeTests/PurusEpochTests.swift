import HealthModel
import Testing

@testable import Interchange

struct PurusEpochTests {
    private func refusal(_ text: String, _ epoch: PurusOptions.Epoch) -> ModelError? {
        #expect(throws: ModelError.self) { try Fixtures.read(text, Fixtures.options(epoch)) }
    }

    @Test func theModelsShapeIsRefusedAsUnix() {
        let error = refusal(PurusTexts.models, .unix)
        #expect(error?.field == "humanDoctors[0].createdAt" || error?.field == "weights[0].createdAt")
        #expect(error?.message.contains("--epoch reference") == true)
    }

    @Test(arguments: [#""blood": [{"date": 729763200}]"#, #""drugs": [], "personalBirthdate": -665539200"#])
    func theModelsShapeIsRefusedAsUnixByItsShapeAlone(_ fields: String) throws {
        let error = refusal(Fixtures.person(fields), .unix)
        #expect(error?.message.contains("--epoch reference") == true)
        #expect(throws: Never.self) { try Fixtures.read(Fixtures.person(fields), Fixtures.options(.reference)) }
    }

    @Test func aDocumentWithoutDatesHasNoEpoch() throws {
        let text = Fixtures.person(#""drugs": [{"name": "x"}]"#)
        #expect(
            try Fixtures.read(text, Fixtures.options(.unix)).entries
                == Fixtures.read(text, Fixtures.options(.reference)).entries
        )
    }

    @Test(arguments: [
        (#""weightEntries": [{"weightKg": 1, "createdAt": 1672560000}]"#, "weightEntries[0].createdAt"),
        (#""weightEntries": [{"weightKg": 1, "date": 1672560000}]"#, "weightEntries[0].date"),
        (#""petYearlyCostEntries": [{"year": 1994, "amount": 1, "date": 776000000}]"#, "petYearlyCostEntries[0].date"),
    ])
    func theCloudKitShapeIsRefusedAsReference(_ fields: String, _ field: String) throws {
        let error = refusal(Fixtures.person(fields), .reference)
        #expect(error?.field == field)
        #expect(error?.message.contains("--epoch unix") == true)
        #expect(throws: Never.self) { try Fixtures.read(Fixtures.person(fields), Fixtures.options(.unix)) }
    }

    @Test func theAppsOwnTimesOutweighTheShape() throws {
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

    @Test func aMixtureOfEpochsIsRefused() {
        let text = Fixtures.person(
            #""weightEntries": [{"weightKg": 1, "createdAt": 757411200}, {"weightKg": 1, "createdAt": 1672560000}]"#
        )
        #expect(refusal(text, .unix)?.field == "weightEntries[0].createdAt")
        #expect(refusal(text, .reference)?.field == "weightEntries[1].createdAt")
    }

    @Test func aVaccinationThatIsPlannedIsNoEvidence() throws {
        let text = Fixtures.person(#""vaccinationEntries": [{"name": "Tetanus", "date": 2000000000}]"#)
        #expect(throws: Never.self) { try Fixtures.read(text, Fixtures.options(.unix)) }
    }

    @Test func theRangeIsNamedTogetherWithTheOtherEpoch() {
        // The value is 1899-12-31 if counted from 1970, and 1930-12-31 if counted from 2001.
        let error = refusal(Fixtures.person(#""personalBirthdate": -2209075200"#), .unix)
        #expect(error?.field == "personalBirthdate" && error?.message.contains("--epoch reference") == true)
        #expect(throws: Never.self) {
            try Fixtures.read(Fixtures.person(#""personalBirthdate": -2208988800"#), Fixtures.options(.unix))
        }
    }
}
