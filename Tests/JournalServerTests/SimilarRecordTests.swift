import TestSupport
import Testing

@testable import JournalServer

@Suite("A second record of one person or animal")
struct SimilarRecordTests {
    @Test("The API refuses it as a conflict, unless the request says that it is another one")
    func route() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let body = #"{"subject": "animal", "profile": {"name": "Luna", "species": "dog"}}"#
            #expect(try await client.post("/v1/records", body).status == 201)
            let refused = try await client.post("/v1/records", body)
            #expect(refused.status == 409, "\(refused.text)")
            #expect(refused.text("field") == "similar", "\(refused.text)")
            #expect(!refused.text.contains("Luna"))
            let cat = #"{"subject": "animal", "profile": {"name": "Luna", "species": "cat"}}"#
            #expect(try await client.post("/v1/records", cat).status == 201)
            #expect(try await client.post("/v1/records?similar=true", body).status == 201)
            #expect(try await client.get("/v1/records").items("records").count == 3)
        }
    }

    @Test("The page asks, keeps what was typed, and creates it when it is sent again")
    func page() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let address = "/records/new?subject=human"
            let values = ["givenName": "Ida", "familyName": "Lu"]
            #expect(try await browser.submit(address, values).status == 303)
            let asked = try await browser.submit(address, values)
            #expect(asked.status == 400 && asked.text.contains("There is a record of this name already"))
            #expect(asked.formFields["familyName"] == "Lu")
            let made = try await browser.post(address, asked.formFields)
            #expect(made.status == 303, "\(made.text)")
        }
    }

    @Test("The form of a weight asks for the unit if it was emptied")
    func unit() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            let refused = try await browser.submit("\(record)/entries/weight/new", ["value": "61", "unit": ""])
            #expect(refused.status == 400)
            #expect(refused.text.contains("Choose the unit."))
        }
    }
}
