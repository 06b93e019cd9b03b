import Interchange
import TestSupport
import Testing

@Suite("JSON written in parts")
struct JSONStreamTests {
    @Test("Writing in parts produces the same bytes as at once", arguments: [JSONWriter.Style.compact, .pretty])
    func samePieces(_ style: JSONWriter.Style) {
        let values: [JSONValue] = [
            .null, .bool(true), .number("75.50"), .string("a \"quoted\" \\ line\nzoë\u{1}"), .array([]), .object([]),
            .array([.number("1"), .array([.object([.init("a", .array([.null]))])])]),
            .object([
                .init(
                    "é\"",
                    .object([.init("empty", .object([])), .init("list", .array([.bool(false), .string("")]))])
                ),
                .init("b", .number("-0")),
            ]),
        ]
        for value in values {
            var stream = JSONStream(style)
            var bytes: [UInt8] = []
            write(value, &stream, &bytes)
            #expect(bytes + stream.take() == JSONWriter.bytes(value, style))
        }
    }

    /// Writes arrays, objects and texts in parts, and takes the bytes after each value.
    private func write(_ value: JSONValue, _ stream: inout JSONStream, _ bytes: inout [UInt8]) {
        switch value {
        case .array(let items):
            stream.beginArray()
            for item in items { write(item, &stream, &bytes) }
            stream.end()
        case .object(let members):
            stream.beginObject()
            for member in members {
                stream.name(member.name)
                write(member.value, &stream, &bytes)
            }
            stream.end()
        case .string(let text):
            stream.beginText()
            // The parts also split characters of several bytes.
            for byte in text.utf8 { stream.addText([byte]) }
            stream.endText()
        default: stream.add(value)
        }
        bytes += stream.take()
    }
}
