import Foundation
import HTTPTypes
import Interchange
import Testing

@testable import JournalServer

@Suite("Entries over HTTP")
struct EntryTests {
    @Test("An entry can be added, corrected, retracted and restored, and its history contains all of it")
    func life() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let record = try await client.person()
            let path = "/v1/records/\(record)/entries/weight"
            let added = try await client.post(path, #"{"value": "72.5", "unit": "kg", "date": "2024-02-16"}"#)
            #expect(added.status == 201)
            let entry = try #require(added.text("entry"))
            let one = try #require(added.headers[.location])
            #expect(one == "\(path)/\(entry)")

            let read = try await client.get(one)
            #expect(read.json.text("value") == "72.5")
            #expect(read.tag == added.tag)
            let body = #"{"value": "75.2", "unit": "kg", "date": "2024-02-16"}"#
            let put = try await client.send(.put, one + "?reason=typo", body, [("If-Match", read.tag ?? "")])
            #expect(put.status == 200)
            #expect(try await client.send(.put, one, body, [("If-Match", read.tag ?? "")]).status == 412)
            #expect(
                try await client.get(one + "?asOf=\(added.tag?.filter(\.isNumber) ?? "")").json.text("value") == "72.5"
            )

            #expect(try await client.send(.delete, one).status == 200)
            #expect(try await client.get(path).items("entries").isEmpty)
            #expect(try await client.get(path + "?retracted=true").items("entries").count == 1)
            #expect(try await client.send(.post, one + "/restore").status == 200)
            #expect(try await client.get(path).items("entries").map { $0.text("value") } == ["75.2"])

            let events = try await client.get(one + "/history").items("events")
            #expect(
                events.map { $0.text("type") }
                    == ["entry.added", "entry.corrected", "entry.retracted", "entry.restored"]
            )
            #expect(events[1].text("reason") == "typo")
        }
    }

    @Test("An entry is found only under its own record and kind")
    func places() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let (ida, noa) = (try await client.person("Ida"), try await client.person("Noa"))
            let added = try await client.post("/v1/records/\(ida)/entries/weight", #"{"value": "72"}"#)
            let entry = try #require(added.text("entry"))
            for place in ["\(noa)/entries/weight", "\(ida)/entries/blood"] {
                let one = "/v1/records/\(place)/\(entry)"
                #expect(try await client.get(one).status == 404)
                #expect(try await client.get(one + "/history").status == 404)
                #expect(try await client.send(.put, one, "{}").status != 200)
                #expect(try await client.send(.delete, one).status == 404)
                #expect(try await client.send(.post, one + "/restore").status == 404)
            }
        }
    }

    @Test("Entries are returned page by page, each once, in the order of their addition")
    func pages() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let record = try await client.person()
            let path = "/v1/records/\(record)/entries/weight"
            for number in 1...8 { _ = try await client.post(path, #"{"value": "\#(number)"}"#) }
            var found: [String] = []
            var cursor = ""
            repeat {
                let page = try await client.get(path + "?limit=3" + (cursor.isEmpty ? "" : "&cursor=\(cursor)"))
                found += page.items("entries").compactMap { $0.text("value") }
                cursor = page.text("nextCursor") ?? ""
            } while !cursor.isEmpty
            #expect(found == (1...8).map(String.init))
        }
    }

    @Test("Requests with the same Idempotency-Key are executed once, even if they are concurrent")
    func once() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let record = try await client.person()
            let path = "/v1/records/\(record)/entries/weight"
            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        try await client.post(path, #"{"value": "72.5"}"#, [("Idempotency-Key", "monday")])
                    }
                }
                return try await group.reduce(into: [Answer]()) { $0.append($1) }
            }
            #expect(answers.count == 100)
            #expect(Set(answers.map(\.status)) == [201])
            #expect(Set(answers.map(\.text)).count == 1)
            #expect(Set(answers.map(\.tag)).count == 1)
            #expect(try await client.get(path).items("entries").count == 1)

            let other = try await client.post(path, #"{"value": "73"}"#, [("Idempotency-Key", "monday")])
            #expect(other.status == 409)
            #expect(other.text("field") == "Idempotency-Key")
            #expect(try await client.get(path).items("entries").count == 1)
        }
    }

    @Test("Idempotency keys are separate for each account")
    func ownKeys() async throws {
        let fixture = try await ServiceFixture()
        let anna = try await fixture.account("Anna")
        try await fixture.serve { client in
            for token in [client.token, anna.token] {
                let answer = try await client.with(token)
                    .post("/v1/records", #"{"subject": "human"}"#, [("Idempotency-Key", "first")])
                #expect(answer.status == 201)
            }
            #expect(try await client.get("/v1/records").items("records").count == 1)
            #expect(try await client.with(anna.token).get("/v1/records").items("records").count == 1)
        }
    }

    @Test("Of a hundred concurrent corrections of the same state one succeeds, and 99 must read again")
    func race() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let record = try await client.person()
            let added = try await client.post("/v1/records/\(record)/entries/weight", #"{"value": "70"}"#)
            let one = try #require(added.headers[.location])
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        try await client.send(
                            .put,
                            one,
                            #"{"value": "\#(71 + number)"}"#,
                            [("If-Match", added.tag ?? "")]
                        )
                        .status
                    }
                }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(statuses.filter { $0 == 200 }.count == 1)
            #expect(statuses.filter { $0 == 412 }.count == 99)
        }
    }
}

extension EntryTests {
    @Test("A repeated request for several events gets the first answer, even after others of the same trace")
    func onceInATrace() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let trace = ("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
            // The animal's number is claimed as well, so that each request appends two events.
            let bodies = (1...3)
                .map { #"{"subject": "animal", "profile": {"name": "Bless", "animalID": "75609\#($0)"}}"# }
            var first: [Answer] = []
            for (index, body) in bodies.enumerated() {
                first.append(try await client.post("/v1/records", body, [trace, ("Idempotency-Key", "dog\(index)")]))
            }
            #expect(Set(first.map(\.status)) == [201])
            for (index, body) in bodies.enumerated() {
                let again = try await client.post("/v1/records", body, [trace, ("Idempotency-Key", "dog\(index)")])
                #expect(again.text == first[index].text && again.tag == first[index].tag)
            }
        }
    }
}
