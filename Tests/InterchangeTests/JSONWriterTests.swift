import Testing

@testable import Interchange

@Suite("JSON writer")
struct JSONWriterTests {
    private let value = JSONValue.object([
        .init("z", .array([.number("75.50"), .object([]), .array([])])),
        .init("a", .string("\"\\/\n\u{1}\u{7F}é🐕")),
        .init("b", .object([.init("n", .null), .init("t", .bool(true))])),
    ])

    @Test("The compact style has no white space and escapes control characters")
    func writesCompactly() {
        #expect(
            JSONWriter.text(value)
                == #"{"z":[75.50,{},[]],"a":"\"\\/\n\u0001"# + "\u{7F}é🐕" + #"","b":{"n":null,"t":true}}"#
        )
    }

    @Test("The pretty style has one value per line, indented by two spaces")
    func writesPretty() {
        let small = JSONValue.object([
            .init("b", .array([.number("1"), .string("x")])), .init("a", .object([])), .init("c", .array([])),
        ])
        #expect(
            JSONWriter.text(small, .pretty) == """
                {
                  "b": [
                    1,
                    "x"
                  ],
                  "a": {},
                  "c": []
                }
                """
        )
    }

    @Test("A value is read as it was written, in both styles", arguments: [JSONWriter.Style.compact, .pretty])
    func roundTrip(_ style: JSONWriter.Style) throws {
        #expect(try JSONReader.read(JSONWriter.bytes(value, style)) == value)
    }

    @Test("Characters from the whole range of Unicode are read as they were written")
    func scalarRoundTrip() throws {
        var text = ""
        for value in stride(from: UInt32(0), to: 0x11_0000, by: 7) {
            if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
        }
        let read = try JSONReader.read(JSONWriter.bytes(.string(text)))
        guard case .string(let back) = read else {
            Issue.record("no text came back")
            return
        }
        #expect(Array(back.unicodeScalars) == Array(text.unicodeScalars))
    }
}
