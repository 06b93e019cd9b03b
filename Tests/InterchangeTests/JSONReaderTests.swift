import HealthModel
import Testing

@testable import Interchange

@Suite("JSON reader")
struct JSONReaderTests {
    private func read(_ text: String) throws -> JSONValue { try JSONReader.read(Array(text.utf8)) }

    @Test(
        "Valid JSON is read to its value",
        arguments: [
            ("null", JSONValue.null),
            (" true ", .bool(true)),
            ("\t\r\nfalse\n", .bool(false)),
            ("0", .number("0")),
            ("-0", .number("-0")),
            ("75.50", .number("75.50")),
            ("1E+2", .number("1E+2")),
            ("123456789012345678901234567890", .number("123456789012345678901234567890")),
            ("-1.5e-10", .number("-1.5e-10")),
            (#""""#, .string("")),
            (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{C}\n\r\t")),
            (#""\u00e9\uD83D\uDC15é🐕""#, .string("é🐕é🐕")),
            (#""\u0000""#, .string("\0")),
            (#""\u2028\uFFFF""#, .string("\u{2028}\u{FFFF}")),
            ("[]", .array([])),
            ("[ ]", .array([])),
            ("{ }", .object([])),
            ("[1,[2],{}]", .array([.number("1"), .array([.number("2")]), .object([])])),
            (#"{"b":1,"a":{"":null}}"#, .object([.init("b", .number("1")), .init("a", .object([.init("", .null)]))])),
            ("\u{FEFF}[1]", .array([.number("1")])),
        ]
    )
    func accepts(_ text: String, _ value: JSONValue) throws {
        #expect(try read(text) == value)
    }

    @Test(
        "Invalid JSON is refused",
        arguments: [
            "", " ", "nul", "nulll", "True", "NaN", "Infinity", "-Infinity", "+1", "01", "-01", "1.", ".5", "-", "1e",
            "1e+",
            "0x10", "1_000", "١", "'a'", "\"", "\"a", #""\""#, #""\x41""#, #""\u12""#, #""\u12G4""#, #""\u１２３４""#,
            #""\uD800""#, #""\uDC00""#, #""\uD800\u0041""#, #""\uD800x""#, #""\uD800\n""#, "\"\n\"", "\"\u{1}\"", "[",
            "]",
            "[1", "[1,", "[1,]", "[,1]", "[1 2]", "[1;2]", "{", "}", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,}",
            "{a:1}",
            "{1:1}", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "{,}", "null null", "[1]]", "{}x", "// a\n1", "/**/1", "[1]\0",
            "{\"a\":1,\"a\":1}", "{\"a\":1,\"\\u0061\":2}", "\u{A0}1", "1\u{FEFF}", "truefalse", "1true", "1.5.5",
        ]
    )
    func refuses(_ text: String) {
        #expect(throws: ModelError.self) { try read(text) }
    }

    @Test(
        "Bytes that are not valid UTF-8 are refused",
        arguments: [
            [0x22, 0x80, 0x22], [0x22, 0xC0, 0xAF, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0xF5, 0x80, 0x80, 0x80, 0x22],
            [0x22, 0xE2, 0x82, 0x22], [0xFF, 0xFE, 0x31, 0x00], [0x22, 0x5C, 0x6E, 0xC3, 0x22],
        ] as [[UInt8]]
    )
    func refusesInvalidUTF8(_ bytes: [UInt8]) {
        #expect(throws: ModelError.self) { try JSONReader.read(bytes) }
    }

    @Test("Every proper prefix of a document is refused")
    func refusesPrefixes() throws {
        let text = #"{"a": [1.5, "\u00e9\ud83d\udc15", {"b": [true, null, -1e5]}], "c": "ü"}"#
        let bytes = Array(text.utf8)
        _ = try JSONReader.read(bytes)
        for length in 0..<bytes.count {
            #expect(throws: ModelError.self, "\(length) bytes") { try JSONReader.read(Array(bytes[..<length])) }
        }
    }

    @Test("A document that is nested too deeply is refused without a crash")
    func limitsDepth() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(try read(nested(JSONReader.maximumDepth)).depth == JSONReader.maximumDepth)
        #expect(throws: ModelError.self) { try read(nested(JSONReader.maximumDepth + 1)) }
        #expect(throws: ModelError.self) { try read(String(repeating: "[", count: 10_000)) }
        #expect(throws: ModelError.self) { try read(String(repeating: #"{"a":"#, count: 10_000)) }
    }

    @Test("A document above the size limit is refused, and the error states the limit")
    func limitsSize() {
        let error = #expect(throws: ModelError.self) {
            try JSONReader.read([UInt8](repeating: 0x20, count: 11), maximumBytes: 10)
        }
        #expect(error?.message.contains("larger than 10 bytes") == true)
        #expect(JSONReader.maximumBytes < 200_000_000)
    }

    @Test(
        "An error states the field, the line and the column",
        arguments: [
            (#"{"vet": {"email": 1x}}"#, "vet.email", "line 1, column 20"),
            (#"{"a": [0, {"b": NaN}]}"#, "a[1].b", "line 1, column 17"),
            ("{\n \"ü\": \"é\",\n \"ü\": 1}", "ü", "line 3, column 5"),
            ("[1,\n2,\n3 4]", "[2]", "line 3, column 3"),
            ("{\"a\": 1}\n}", nil, "line 2, column 1"),
        ] as [(String, String?, String)]
    )
    func errorPositions(_ text: String, _ field: String?, _ place: String) {
        let error = #expect(throws: ModelError.self) { try read(text) }
        #expect(error?.field == field)
        #expect(error?.message.hasPrefix(place + ":") == true, "\(error?.message ?? "")")
    }

    @Test("A long field name with control characters is shortened and made printable in an error")
    func hostileFieldName() {
        let name = "\\u001b[2J" + String(repeating: "x", count: 1_000)
        let error = #expect(throws: ModelError.self) { try read("{\"\(name)\": NaN}") }
        #expect(error?.field?.unicodeScalars.contains("\u{1B}") == false)
        #expect((error?.field?.count ?? .max) < 70)
    }

    @Test("An error does not contain the values of the document")
    func errorsWithoutValues() {
        let error = #expect(throws: ModelError.self) { try read(#"{"comment": "secret diagnosis" "x"}"#) }
        #expect(error?.description.contains("secret") == false)
    }

    // MARK: - Split documents

    @Test(
        "The items of a member are found and parsed one by one, with the same values and the same places of errors",
        arguments: [
            #"{"a": 1, "items": [{"x": "]}\\\" {["}, [1, [2]], "t,", 3.50, {}], "b": {"items": [9]}}"#,
            #"{"items": []}"#, #"{"items": {"items": [1]}}"#, #"{"b": 2}"#, #"{"items": [ [ ] , { } ] }"#,
        ]
    )
    func split(_ text: String) throws {
        let bytes = Array(text.utf8)
        let (rest, items) = try JSONReader.split(bytes, at: "items")
        let values = try items.map { try JSONReader.read($0, of: bytes) }
        guard case .object(let members) = rest else {
            Issue.record("no object")
            return
        }
        let whole = members.map { member in
            member.name == "items" && member.value == .array([]) ? .init("items", .array(values)) : member
        }
        #expect(try JSONValue.object(whole) == read(text))
    }

    @Test(
        "What is wrong beside the items, or within one, is an error at the same place as in the whole document",
        arguments: [
            #"{"items": [{"a": 1]}"#, #"{"items": [1 2]}"#, #"{"items": [{"a": "b}]}"#, #"{"items": [1], "c": NaN}"#,
            #"{"items": ["#, #"{"items": [{"a": 1}"#,
        ]
    )
    func splitFault(_ text: String) throws {
        let whole = #expect(throws: ModelError.self) { try read(text) }
        let part = #expect(throws: ModelError.self) { try JSONReader.split(Array(text.utf8), at: "items") }
        #expect(whole == part)
    }

    @Test("An error within an item names its line in the whole document")
    func itemFault() throws {
        let bytes = Array("{\n\"items\": [\n{},\n{\"a\": x}]}".utf8)
        let (_, items) = try JSONReader.split(bytes, at: "items")
        let path = DocumentPath("items[1]")
        let error = #expect(throws: ModelError.self) { try JSONReader.read(items[1], of: bytes, at: path) }
        #expect(error?.field == "items[1].a" && error?.message.hasPrefix("line 4, column 7") == true)
    }
}
