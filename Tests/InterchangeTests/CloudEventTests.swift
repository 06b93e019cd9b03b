import HealthModel
import Testing

@testable import Interchange

@Suite("CloudEvents")
struct CloudEventTests {
    private func read(_ text: String) throws -> CloudEvent { try CloudEvent.read(Array(text.utf8)) }

    private func event(_ more: String) -> String {
        #"{"specversion":"1.0","id":"a-1","source":"/scales/7","type":"org.example.weighed"\#(more)}"#
    }

    @Test("An event is read with its attributes, extensions, data and original bytes")
    func readsAttributes() throws {
        let text = event(
            #"""
            ,"subject":"rec","time":"2024-02-16T07:30:00+01:00","datacontenttype":"application/json; charset=utf-8",
            "dataschema":"https://example.org/s","comexampleflag":true,"sequence":7,"gone":null,"data":{"kg":"75.50"}
            """#
        )
        let event = try read(text)
        #expect(event.id == "a-1")
        #expect(event.source == "/scales/7")
        #expect(event.type == "org.example.weighed")
        #expect(event.specversion == "1.0")
        #expect(event.subject == "rec")
        #expect(event.time?.description == "2024-02-16T06:30:00Z")
        #expect(event.datacontenttype == "application/json; charset=utf-8")
        #expect(event.extensions == [.init("comexampleflag", .bool(true)), .init("sequence", .number("7"))])
        #expect(event.data == .json(.object([.init("kg", .string("75.50"))])))
        #expect(event.original == Array(text.utf8))
    }

    @Test("Binary data is decoded from Base64, and an event may have no data")
    func readsBinaryData() throws {
        #expect(try read(event(#","data_base64":"AAH/""#)).data == .binary([0, 1, 255]))
        #expect(try read(event("")).data == nil)
    }

    @Test(
        "A missing or invalid required attribute is refused, and the error names it",
        arguments: [
            (#"{"specversion":"1.0","source":"/s","type":"t"}"#, "id"),
            (#"{"specversion":"1.0","id":"1","type":"t"}"#, "source"),
            (#"{"specversion":"1.0","id":"1","source":"/s"}"#, "type"),
            (#"{"id":"1","source":"/s","type":"t"}"#, "specversion"),
            (#"{"specversion":"0.3","id":"1","source":"/s","type":"t"}"#, "specversion"),
            (#"{"specversion":"1.0","id":"","source":"/s","type":"t"}"#, "id"),
            (#"{"specversion":"1.0","id":7,"source":"/s","type":"t"}"#, "id"),
            (#"{"specversion":"1.0","id":"1","source":"a b","type":"t"}"#, "source"),
            (#"{"specversion":"1.0","id":"1","source":"%zz","type":"t"}"#, "source"),
            (#"{"specversion":"1.0","id":"\u0007","source":"/s","type":"t"}"#, "id"),
        ]
    )
    func refusesRequiredAttributes(_ text: String, _ field: String) {
        #expect(#expect(throws: ModelError.self) { try read(text) }?.field == field)
    }

    @Test(
        "An invalid optional attribute, extension or data is refused, and the error names it",
        arguments: [
            (#","time":"yesterday""#, "time"), (#","subject":"""#, "subject"),
            (#","datacontenttype":"json""#, "datacontenttype"),
            (#","dataschema":"relative""#, "dataschema"), (#","Bad":"x""#, "Bad"),
            (#","with_underscore":1"#, "with_underscore"),
            (#","list":[]"#, "list"), (#","object":{}"#, "object"), (#","half":1.5"#, "half"),
            (#","big":2147483648"#, "big"),
            (#","data_base64":"!""#, "data_base64"), (#","data_base64":1"#, "data_base64"),
            (#","data":1,"data_base64":"AA==""#, "data_base64"), (#","id":"twice""#, "id"),
        ]
    )
    func refusesOtherAttributes(_ more: String, _ field: String) {
        #expect(#expect(throws: ModelError.self) { try read(event(more)) }?.field == field)
    }

    @Test("A document that is not an object, or is too large, is refused")
    func refusesOtherDocuments() {
        #expect(throws: ModelError.self) { try read("[]") }
        #expect(throws: ModelError.self) {
            try read(event(#","data":""# + String(repeating: "x", count: 1 << 20) + "\""))
        }
    }

    @Test("A batch is read in order, and an error names the index of the event")
    func readsABatch() throws {
        let events = try CloudEvent.readBatch(Array("[\(event("")),\(event(#","subject":"b""#))]".utf8))
        #expect(events.map(\.subject) == [nil, "b"])
        #expect(try CloudEvent.read(events[1].original).subject == "b")
        let error = #expect(throws: ModelError.self) {
            try CloudEvent.readBatch(Array("[\(event("")),{}]".utf8))
        }
        #expect(error?.field == "[1].id")
    }

    @Test("An event in binary mode is read from its headers and body")
    func readsBinaryMode() throws {
        let headers = [
            ("CE-SpecVersion", "1.0"), ("ce-id", "a-1"), ("ce-source", "/s"), ("ce-type", "t"),
            ("ce-subject", "%C3%A9"),
            ("Content-Type", "application/json"), ("Authorization", "Bearer x"),
        ]
        .map { (name: $0.0, value: $0.1) }
        let event = try CloudEvent.read(headers: headers, body: Array(#"{"kg": 1.50}"#.utf8))
        #expect(event.subject == "é" && event.data == .json(.object([.init("kg", .number("1.50"))])))
        #expect(try CloudEvent.read(event.original) == event)
        var plain = headers
        plain[5].value = "text/plain"
        #expect(try CloudEvent.read(headers: plain, body: [1, 2]).data == .binary([1, 2]))
        #expect(
            #expect(throws: ModelError.self) { try CloudEvent.read(headers: headers, body: [0x7B]) }?.field == "data"
        )
        let twice = headers + [(name: "ce-id", value: "b")]
        #expect(#expect(throws: ModelError.self) { try CloudEvent.read(headers: twice, body: []) }?.field == "id")
    }
}
