import TestSupport
import Testing

@testable import Interchange

@Suite("Copying the text of JSON objects")
struct JSONCopyingTests {
    /// Random values, also empty ones, and with the characters that mean something in JSON within texts.
    private func value(_ generator: inout SeededGenerator, depth: Int) -> JSONValue {
        let texts = ["", "a", "\"", "\\", "\\\"", "{[,:]}", "zoë\n🐕", "id"]
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &generator) {
        case 0: return .null
        case 1: return .bool(.random(using: &generator))
        case 2: return .number(["-0", "75.50", "1.2E+2"].randomElement(using: &generator) ?? "0")
        case 3, 4: return .string(texts.randomElement(using: &generator) ?? "")
        case 5:
            let count = Int.random(in: 0..<4, using: &generator)
            return .array((0..<count).map { _ in value(&generator, depth: depth - 1) })
        default: return object(&generator, depth: depth)
        }
    }

    private func object(_ generator: inout SeededGenerator, depth: Int) -> JSONValue {
        let names = ["id", "a\"b", "\\", "", "i"].shuffled(using: &generator)
        return .object(
            names.prefix(Int.random(in: 0..<5, using: &generator))
                .map { .init($0, value(&generator, depth: depth - 1)) }
        )
    }

    @Test("A copied object has the bytes of a written one, in both styles and at any level, and its members are found")
    func copies() {
        var generator = SeededGenerator()
        for _ in 0..<5_000 {
            let object = object(&generator, depth: 4)
            let text = JSONWriter.text(object)
            for style in [JSONWriter.Style.compact, .pretty] {
                let level = Int.random(in: 0..<3, using: &generator)
                var stream = JSONStream(style, level: level)
                guard let found = stream.beginObject(copying: text.utf8.span, finding: ["id", "none"]) else {
                    Issue.record("not copied: \(text)")
                    continue
                }
                stream.end()
                let copied = stream.take()
                #expect(copied == JSONWriter.bytes(object, style, level: level), "\(text)")
                let id = JSONReader.string(at: found[0], of: text.utf8.span)
                #expect((found[0] == nil) == (object["id"] == nil) && found[1] == nil, "\(text)")
                if case .string(let expected)? = object["id"] { #expect(id == expected) } else { #expect(id == nil) }
            }
        }
    }

    @Test("Members can follow those that are copied")
    func more() {
        for object: JSONValue in [[:], ["a": [1, [:]]]] {
            var stream = JSONStream(.pretty)
            _ = stream.beginObject(copying: JSONWriter.text(object).utf8.span, finding: [])
            stream.name("b")
            stream.add(.null)
            stream.end()
            let whole = JSONValue.object(object.members + [.init("b", .null)])
            #expect(stream.take() == JSONWriter.bytes(whole, .pretty))
        }
    }

    @Test(
        "A text that is not one of an object is not copied",
        arguments: ["", "{", "\"x\"", "5", "[]", "[{}]", "null"]
    )
    func others(_ text: String) {
        var stream = JSONStream(.compact)
        #expect(stream.beginObject(copying: text.utf8.span, finding: ["x"]) == nil)
        #expect(stream.take().isEmpty)
    }
}
