import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import NIOCore
import TestSupport
import Testing

@testable import JournalServer

@Suite("OpenAPI description")
struct OpenAPITests {
    @Test("No route for programs is registered besides the operations, and each describes the parameters of its path")
    func routes() async throws {
        let fixture = try await ServiceFixture()
        let routes = Set(fixture.routes(ofPages: false).map { "\($0.method.rawValue) \($0.path)" })
        let operations = OpenAPI.operations
        #expect(Set(operations.map { "\($0.method.rawValue) \($0.template)" }) == routes)
        #expect(Set(operations.map { "\($0.method.rawValue) \($0.path)" }).count == operations.count)
        #expect(Set(operations.map(\.id)).count == operations.count)
        for operation in operations {
            let named = operation.path.matches(of: /\{(\w+)\}/).map { String($0.1) }
            #expect(operation.allParameters.filter { $0.location == .path }.map(\.name) == named, "\(operation.id)")
        }
    }

    @Test("Each operation with an Idempotency-Key describes the answer to a key that was used for another request")
    func reusedKeys() {
        let operations = OpenAPI.operations.filter { $0.parameters.contains(.idempotencyKey) }
        #expect(operations.count > 20)
        for operation in operations {
            #expect(operation.json["responses"]?["409"] != nil, "\(operation.id)")
        }
    }

    @Test("Parameters and schemas that share a name are the same")
    func names() {
        let parameters = Dictionary(grouping: OpenAPI.operations.flatMap(\.allParameters), by: \.component)
        for (name, same) in parameters { #expect(same.allSatisfy { $0 == same[0] }, "\(name)") }
        #expect(Set(OpenAPI.schemas.map(\.name)).count == OpenAPI.schemas.count)
    }

    @Test("The description and its examples are valid")
    func validity() throws {
        let project = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let python = project.appending(path: ".build-python/bin/python3").path
        try #require(
            FileManager.default.isExecutableFile(atPath: python),
            "run: tools/python-packages .build-python openapi-spec-validator jsonschema"
        )
        let program = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "check_openapi.py").path
        let answer = try Outcome(of: python, ["-B", program], input: Array(OpenAPI.bytes.readableBytesView))
        let text = answer.text
        #expect(answer.status == 0, "\(answer.message)")
        #expect(text.hasSuffix(" 0 faults\n"), "\(text)")
        #expect(!text.contains(" 0 examples"), "\(text)")
    }

    @Test("All references in the description can be resolved")
    func references() throws {
        let operations = Set(OpenAPI.operations.map(\.id))
        for operation in OpenAPI.operations {
            for link in operation.answers.flatMap(\.links) { #expect(operations.contains(link.operation)) }
        }
        func check(_ value: JSONValue) {
            switch value {
            case .object(let members):
                for member in members {
                    if member.name == "$ref", case .string(let place) = member.value {
                        var found: JSONValue? = OpenAPI.document
                        for part in place.split(separator: "/").dropFirst() { found = found?[String(part)] }
                        #expect(found != nil, "\(place)")
                    } else {
                        check(member.value)
                    }
                }
            case .array(let items): items.forEach(check)
            default: break
            }
        }
        check(OpenAPI.document)
    }

    @Test("The description is public")
    func served() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let answer = try await client.with(nil).get("/openapi.json")
            #expect(answer.status == 200)
            #expect(answer.json == OpenAPI.document)
        }
    }

    @Test("The description has examples of every body, which the service accepts")
    func examples() async throws {
        let fixture = try await ServiceFixture()
        let anna = try await fixture.account("Anna")
        let owner = fixture.owner.account
        try await fixture.serve { client in
            var count = 0
            for operation in OpenAPI.operations {
                guard let body = operation.body else { continue }
                // These bodies contain values from other responses: a code, a password, another account's grant, or a
                // dose that is open now.
                let fromElsewhere = [
                    "signIn", "previewInvitation", "acceptInvitation", "openEmergency", "openEmergencyByChip",
                    "snoozeDose", "bookAppointment",
                    "reassignAppointment", "displaceAppointment", "beginTriage", "addToWaitingList", "offerTime",
                    "setRecall", "bookSeries", "undoChange", "undoImport", "moveEntry",
                ]
                #expect(body.examples.isEmpty == fromElsewhere.contains(operation.id), "\(operation.id)")
                let examples = ([body] + body.others)
                    .flatMap { body in
                        body.examples.flatMap { example in body.mediaTypes.map { (example, $0) } }
                    }
                for (example, mediaType) in examples {
                    let record = try await client.person()
                    var path = operation.path.replacing("{record}", with: record)
                        .replacing("{account}", with: anna.id.uuidString)
                    if operation.tag == .clinic { path = try await clinicPath(operation.path, client, owner, anna.id) }
                    let lines = if case .string(let lines) = example.value { lines } else { String?.none }
                    let isForm = mediaType == FormBoundary.mediaType
                    var text = (isForm ? Form(example.value).text : lines ?? JSONWriter.text(example.value))
                        .replacing("01890a5d-ac96-774b-bcce-b302099a8057", with: anna.id.uuidString)
                    if operation.id == "blockRoom" {
                        // Only times of the next year or so can be blocked.
                        text = text.replacing(
                            "2027-03-02",
                            with: Date.now.addingTimeInterval(86_400).ISO8601Format().prefix(10)
                        )
                    }
                    if text.contains(OpenAPI.exampleMedication) {
                        let drugs = "/v1/records/\(record)/entries/drug"
                        let drug = try await client.post(drugs, #"{"name":"Lisinopril"}"#).text("entry")
                        text = try text.replacing(OpenAPI.exampleMedication, with: #require(drug))
                    }
                    if path.contains("/{entry}") {
                        let parts = path.split(separator: "/{entry}").map(String.init)
                        // A finding is an entry that is settled under another address, and entries are erased under another one.
                        let other: (kind: String, text: String)? =
                            switch operation.id {
                            case "resolveFinding": ("interaction", #"{"source": "scheduled_check", "found": true}"#)
                            case "eraseEntry": ("weight", #"{"value": "70", "unit": "kg"}"#)
                            default: nil
                            }
                        let added = try await client.post(
                            other.map { "/v1/records/\(record)/entries/\($0.kind)" } ?? parts[0],
                            other?.text ?? text
                        )
                        if other != nil {
                            path = path.replacing("{entry}", with: try #require(added.text("entry")))
                        } else {
                            path = try #require(added.headers[.location]) + parts.dropFirst().joined()
                        }
                    }
                    let answer = try await client.send(
                        operation.method,
                        path,
                        text,
                        [("Content-Type", isForm ? Form.mediaType : mediaType)]
                    )
                    // No version of an entry is kept in this journal, so the example names none.
                    let isTaken = operation.id == "settleDivergence" ? answer.status == 404 : answer.status < 300
                    #expect(isTaken, "\(operation.id) \(example.name): \(answer.text)")
                    count += 1
                }
            }
            #expect(count >= 2 * Kind.all.count + 7)
        }
    }

    /// Returns the path of an operation with the ids of a new practice, in which the operation is possible.
    private func clinicPath(
        _ template: String,
        _ client: ServiceClient,
        _ owner: UUID,
        _ other: UUID
    ) async throws -> String {
        let clinic = try await ServiceClinic(client, member: owner)
        var path = template
        if path.contains("{appointment}") {
            let name = path.split(separator: "/").last.map(String.init) ?? ""
            let word = AppointmentVerb(rawValue: name) ?? .edit
            path = path.replacing("{appointment}", with: try await clinic.book(for: word))
        }
        if path.contains("{client}") {
            let added = try await client.post("\(clinic.address)/clients", #"{"lastName": "Huber"}"#)
            path = path.replacing("{client}", with: try #require(added.text("id")))
        }
        if path.contains("{triage}") {
            let word = TriageVerb(rawValue: path.split(separator: "/").last.map(String.init) ?? "")
            path = path.replacing("{triage}", with: try await clinic.triage(for: #require(word)))
            path += "?reason=looks%20worse%20than%20before"
        }
        return path.replacing("{practice}", with: clinic.practice)
            .replacing("{record}", with: clinic.dog)
            .replacing("{account}", with: other.uuidString.lowercased())
            .replacing("{service}", with: clinic.service)
            .replacing("{room}", with: clinic.room)
            .replacing("{specialist}", with: clinic.specialist)
            .replacing("{absence}", with: UUID().uuidString.lowercased())
            .replacing("{block}", with: UUID().uuidString.lowercased())
    }

    @Test("Each type of problem has one name and one status")
    func problems() {
        for type in ProblemType.allCases {
            #expect(type.urn == Problem.typePrefix + type.rawValue)
            #expect(OpenAPI.document["components"]?["responses"]?["Problem\(type.status.code)"] != nil)
        }
        #expect(Set(ProblemType.allCases.map(\.meaning)).count == ProblemType.allCases.count)
    }
}
