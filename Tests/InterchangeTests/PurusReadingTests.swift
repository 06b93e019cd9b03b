import Foundation
import HealthModel
import Testing

@testable import Interchange

@Suite("Reading of Purus documents")
struct PurusReadingTests {
    @Test("A document in the CloudKit shape is read with its profile and entries")
    func readsTheCloudKitShape() throws {
        let record = try Fixtures.read(
            Fixtures.person(
                #"""
                "personalFamilyName": "Berg", "personalGender": "N/A", "personalBirthdate": 453600000, "isCloudEnabled": true,
                "drugEntries": "[{\"date\": 1710057600, \"nameAndDosage\": \"Ibuprofen 400, as needed\", \"comment\": \"c\"}]",
                "illnessEntries": [{"date": null, "name": "Asthma", "informationOrComment": "mild"}],
                "riskEntries": "[{\"name\": \"Smoke\", \"descriptionOrComment\": \"10 years\"}]",
                "medicalHistoryEntries": "[{\"name\": \"Op\", \"contact\": \"Clinic\", \"informationOrComment\": \"ok\"}]",
                "medicalDocumentEntries": "[{\"name\": \"scan.pdf\", \"note\": \"in folder A\"}]",
                "humanDoctorEntries": "[{\"uuid\": \"A3B0C1D2-0000-4000-8000-000000000001\", \"createdAt\": 1672905600, \"name\": \"Dr. Ahn\", \"type\": \"GP\", \"address\": \"Way 5\", \"note\": \"Tue\"}]",
                "weightEntries": "[{\"date\": 1672639200, \"weightKg\": 74.60}]",
                "petYearlyCostEntries": "[{\"date\": 1676016000, \"year\": 2023, \"category\": \"Food\", \"amount\": 74.89}]",
                "emergencyContactEntries": "[{\"id\": \"a3b0c1d2-0000-4000-8000-000000000002\", \"name\": \"Bo\", \"note\": \"friend\"}]",
                "bloodEntries": "", "vaccinationEntries": null, "allergyEntries": "[]"
                """#
            )
        )
        #expect(record.shape == .cloudKit)
        #expect(record.sourceName == "purus")
        #expect(record.unrepresented.isEmpty)
        #expect(record.id.uuidString == Fixtures.id)
        #expect(record.profile.subject == .human)
        #expect(record.profile.inferred.isEmpty)
        #expect(record.profile.values.text(RecordProfile.sex) == "notApplicable")
        #expect(record.profile.values.day(RecordProfile.birthdate)?.description == "1984-05-17")
        #expect(record.profile.values.flag(RecordProfile.isCloudEnabled) == true)

        let entries = Dictionary(uniqueKeysWithValues: record.entries.map { ($0.content.kind, $0) })
        let drug = try #require(entries[Drug.kind]).content
        #expect(drug.body.text(Drug.rawText) == "Ibuprofen 400, as needed" && drug.body.text(Drug.name) == nil)
        #expect(drug.date?.description == "2024-03-10T08:00:00Z")
        #expect(drug.comment == "c")
        #expect(entries[Illness.kind]?.content.body.text(Illness.mergedText) == "mild")
        #expect(entries[Illness.kind]?.content.date == nil)
        #expect(entries[Risk.kind]?.content.body.text(Risk.mergedText) == "10 years")
        #expect(entries[History.kind]?.content.body.text(History.contact) == "Clinic")
        let document = try #require(entries[Document.kind])
        #expect(document.content.comment == "in folder A")
        #expect(document.attachment == nil)
        #expect(document.content.body.flag(Document.missing) == true)
        let doctor = try #require(entries[Doctor.kind])
        #expect(doctor.id.uuidString == "A3B0C1D2-0000-4000-8000-000000000001")
        #expect(doctor.content.comment == "Tue")
        #expect(doctor.content.body.group(Doctor.address)?.text(Doctor.addressText) == "Way 5")
        #expect(doctor.content.extra == [Extra(name: "createdAt", json: "1672905600")])
        let weight = try #require(entries[Weight.kind]).content.body
        #expect(weight.decimal(Weight.value)?.description == "74.60")
        #expect(weight.text(Weight.unit) == "kg")
        let cost = try #require(entries[Cost.kind]).content.body
        #expect(cost.text(Cost.basis) == "item")
        #expect(cost.text(Cost.currency) == nil)
        #expect(cost.integer(Cost.year) == 2023)
        #expect(entries[EmergencyContact.kind]?.content.comment == "friend")
    }

    @Test("A document in the models shape is read with its units, times and attachments")
    func readsTheModelsShape() throws {
        let record = try Fixtures.read(PurusTexts.models, Fixtures.options(.reference))
        #expect(record.shape == .models)
        #expect(record.unrepresented.isEmpty)
        let entries = Dictionary(record.entries.map { ($0.content.kind, $0) }) { first, _ in first }
        #expect(entries[Blood.kind]?.content.body.text(Blood.value) == "121/79")
        #expect(entries[Blood.kind]?.content.date?.description == "2024-02-16T08:00:00Z")
        #expect(entries[Drug.kind]?.content.body.text(Drug.information) == "250 mg")
        #expect(entries[Illness.kind]?.content.body.text(Illness.information) == "Gout")
        #expect(entries[Illness.kind]?.content.comment == "since 2020")
        let weight = try #require(entries[Weight.kind]).content
        #expect(weight.body.text(Weight.unit) == "lb")
        #expect(weight.body.decimal(Weight.value)?.description == "178.8")
        // A time of the source app is converted to seconds since 1970, as in an export.
        #expect(weight.extra.first == Extra(name: "createdAt", json: "1735718400"))
        let cost = try #require(entries[Cost.kind]).content.body
        #expect(cost.text(Cost.basis) == "total")
        #expect(cost.text(Cost.currency) == "CHF")
        let document = try #require(entries[Document.kind])
        #expect(document.attachment == Array("ECG\n".utf8))
        #expect(document.content.body.flag(Document.missing) == nil)
        #expect(document.content.body.text(Document.mediaType) == "text/plain")
        #expect(entries[EmergencyContact.kind]?.content.body.text(EmergencyContact.relationship) == "wife")
    }

    @Test("A document in the shape of CloudKit Web Services is read with its profile and entries")
    func readsTheWebServicesShape() throws {
        let record = try Fixtures.read(PurusTexts.webServices)
        #expect(record.shape == .webServices)
        #expect(record.profile.subject == .animal)
        #expect(record.id.uuidString == "3F1D7A52-8C0E-4B7B-9D53-6E0F4A1B2C3E")
        let values = record.profile.values
        #expect(values.text(RecordProfile.animalID) == "756000000000001")
        #expect(values.text(RecordProfile.species) == nil)
        #expect(values.group(RecordProfile.vet)?.items.count == 2)
        #expect(record.entries.count == 2)
    }

    @Test("A timestamp of CloudKit Web Services is read in milliseconds")
    func cloudKitTimestamp() throws {
        let text =
            #"{"recordName": "\#(Fixtures.id)", "fields": {"personalBirthdate": {"value": 453600000000, "type": "TIMESTAMP"}}}"#
        let record = try Fixtures.read(text)
        #expect(record.profile.values.day(RecordProfile.birthdate)?.description == "1984-05-17")
        #expect(record.profile.extra.isEmpty)
    }

    @Test("A birthdate that is not midnight in UTC is read as the day in the time zone")
    func birthdateInZone() throws {
        // 1984-05-16T22:00:00Z was midnight on 17 May in Zurich.
        let text = Fixtures.person(#""personalBirthdate": 453592800"#)
        let zurich = try Fixtures.read(text, Fixtures.options(zone: Fixtures.zurich))
        #expect(zurich.profile.values.day(RecordProfile.birthdate)?.description == "1984-05-17")
        let utc = try Fixtures.read(text, Fixtures.options(zone: .gmt))
        #expect(utc.profile.values.day(RecordProfile.birthdate)?.description == "1984-05-16")
        // An export and an import in another time zone do not change the day.
        let exported = PurusDocument.write(Fixtures.state(zurich))
        #expect(exported["personalBirthdate"] == .number("453592800"))
        #expect(try Fixtures.again(zurich).profile == zurich.profile)
    }

    @Test("An id that is not a UUID results in a stable UUID, and is exported as it was")
    func derivesIds() throws {
        let text = Fixtures.person(
            #""weightEntries": [{"uuid": "uuid-1", "weightKg": 75.5}, {"uuid": "uuid-2", "weightKg": 75.5}]"#
        )
        let record = try Fixtures.read(text)
        #expect(Set(record.entries.map(\.id)).count == 2)
        #expect(try Fixtures.read(text).entries.map(\.id) == record.entries.map(\.id))
        let exported = try Fixtures.array("weightEntries", of: PurusDocument.write(Fixtures.state(record)))
        #expect(exported.map { $0["uuid"] } == [.string("uuid-1"), .string("uuid-2")])
        let again = try Fixtures.again(record)
        #expect(again.entries.map(\.id) == record.entries.map(\.id))
        #expect(zip(again.entries, record.entries).allSatisfy { $0.content.hasSameContent(as: $1.content) })
    }

    @Test("Equal entries without ids get different ids, and the same ones each time")
    func equalEntries() throws {
        let text = Fixtures.person(#""allergyEntries": [{"name": "Nuts"}, {"name": "Nuts"}, {"name": "Dust"}]"#)
        let record = try Fixtures.read(text)
        #expect(Set(record.entries.map(\.id)).count == 3)
        #expect(try Fixtures.read(text) == record)
        #expect(try Fixtures.again(record) == record)
    }

    @Test("A record without an id gets one from its profile, and is refused if its profile is empty")
    func recordWithoutId() throws {
        let text = #"{"personalGivenName": "Ada", "personalFamilyName": "Berg", "personalBirthdate": 453592800}"#
        let here = try Fixtures.read(text, Fixtures.options(zone: Fixtures.zurich))
        #expect(try Fixtures.read(text, Fixtures.options(zone: Fixtures.tokyo)).id == here.id)
        #expect(try Fixtures.read(text.replacing("Berg", with: "Burg")).id != here.id)
        #expect(here.profile.inferred == ["subject"])
        #expect(#expect(throws: ModelError.self) { try Fixtures.read(#"{"isPet": false}"#) }?.field == "uuid")
    }

    @Test("A cost with the year 0, the model's own default, is read without a year, and 0 comes out again")
    func unsetYear() throws {
        for (year, costs) in [
            ("0", #""petYearlyCostEntries": [{"year": 0, "amount": 74.5}]"#),
            ("0.0", #""petYearlyCosts": [{"year": 0.0, "cost": 3}]"#),
        ] {
            let record = try Fixtures.read(Fixtures.person(costs))
            let content = record.entries[0].content
            #expect(content.inferred.contains("year"))
            #expect(content.body.integer(Cost.year) == nil)
            #expect(record.unrepresented.contains { $0.hasSuffix("[0].year") })
            let written = PurusDocument.write(Fixtures.state(record)) { _ in nil }
            #expect(try Fixtures.array("petYearlyCostEntries", of: written).first?["year"] == .number(year))
            let again = try Fixtures.again(record).entries[0].content
            #expect(again.body == content.body)
            #expect(again.inferred == content.inferred)
        }
    }

    @Test("An empty required name is read as absent and marked as inferred")
    func emptyRequiredName() throws {
        let record = try Fixtures.read(Fixtures.person(#""vaccinationEntries": [{"name": "", "place": "here"}]"#))
        #expect(record.entries[0].content.inferred == ["name"])
        #expect(try Fixtures.again(record) == record)
    }
}
