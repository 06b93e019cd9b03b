import HealthJournal
import TestSupport
import Testing

@testable import JournalServer

@Suite("Parsing of multipart forms")
struct FormReaderTests {
    private func parts(_ text: String, _ boundary: String = "b") throws -> [FormPart] {
        try FormReader.parts(of: Array(text.utf8), FormBoundary(boundary))
    }

    private static let head = "Content-Disposition: form-data; name="

    @Test("Text before the first boundary and after the last one is ignored")
    func around() throws {
        let found = try parts("hello\r\n--b \t\r\n\(Self.head)n\r\n\r\nv\r\n--b-- \r\n--b\r\nnothing")
        #expect(found.map(\.name) == ["n"] && found.map { try? $0.text() } == ["v"])
        #expect(try parts("--b--").isEmpty)
        #expect(try parts("--b\r\n\(Self.head)n\r\n\r\n\r\n--b--").map { try $0.text() } == [""])
    }

    @Test("A boundary counts only on a line of its own")
    func lookalikes() throws {
        let content = "--b\r\r\n--bc\r\n--b-\r\n --b\r\nx--b\r\n--b--d\r\n\r\n--"
        let found = try parts("--b\r\n\(Self.head)n\r\n\r\n\(content)\r\n--b\r\n\(Self.head)m\r\n\r\n\r\n--b--\r\n")
        #expect(try found.map { try $0.text() } == [content, ""])
    }

    @Test(
        "File names are decoded as browsers, curl and older clients encode them",
        arguments: [
            (#""Überweisung für Ida 🦮.pdf""#, "Überweisung für Ida 🦮.pdf"), (#""a;b=c.pdf""#, "a;b=c.pdf"),
            (#""say %22hi%22.pdf""#, #"say "hi".pdf"#), (#""say \"hi\".pdf""#, #"say "hi".pdf"#),
            (#""C:\Users\Ida\scan.pdf""#, "scan.pdf"), (#""../../etc/passwd""#, "passwd"), ("plain.pdf", "plain.pdf"),
            (#""""#, ""), (#""..""#, ".."), (#""x" ; filename*=utf-8'de'%C3%9C.pdf"#, "Ü.pdf"),
        ]
    )
    func filenames(_ written: String, _ name: String) throws {
        let found = try parts("--b\r\nX-Other: 1\r\n\(Self.head)file; filename=\(written)\r\n\r\n1\r\n--b--\r\n")
        #expect(found.first?.filename == name)
    }

    @Test(
        "A malformed form is refused",
        arguments: [
            "", "\r\n", "--b", "--b\r\n", "--b\r\n\r\n", "--b\r\n--b--", "--b\r\n\r\n\r\n--b--", "--b\n--b--\n",
            "--b\r\n\(head)n\r\n--b--", "--b\r\n\(head)n\r\n\r\nv", "--b\r\n\(head)n\r\n\r\nv\r\n--b",
            "--b\r\n\(head)n\r\n\r\nv--b--", "--b\r\nContent-Disposition: attachment; name=n\r\n\r\nv\r\n--b--",
            "--b\r\nContent-Disposition: form-data\r\n\r\nv\r\n--b--", "--b\r\n\(head)\"n\r\n\r\nv\r\n--b--",
            "--b\r\n\(head)n; name=m\r\n\r\nv\r\n--b--", "--b\r\n\(head)n; x\r\n\r\nv\r\n--b--",
            "--b\r\n\(head)n\r\n\(head)n\r\n\r\nv\r\n--b--", "--b\r\nno colon\r\n\r\nv\r\n--b--",
            "--b\r\n\(head)n\r\n folded: 1\r\n\r\nv\r\n--b--", "--b\r\n\(head)n\nX: 1\r\n\r\nv\r\n--b--",
            "--b\r\n\(head)n\r\nContent-Transfer-Encoding: base64\r\n\r\nv\r\n--b--",
            "--b\r\n\(head)n; filename*=latin-1''x\r\n\r\nv\r\n--b--",
        ]
    )
    func refused(_ text: String) {
        #expect(throws: JournalError.self) { try parts(text) }
    }

    @Test("The number of parts and the bytes of a part's header are limited")
    func bounds() throws {
        let part = "--b\r\n\(Self.head)n\r\n\r\nv\r\n"
        let most = BodyLimits.formParts
        #expect(try parts(String(repeating: part, count: most) + "--b--").count == most)
        #expect(throws: JournalError.self) { try parts(String(repeating: part, count: most + 1) + "--b--") }
        func padded(to size: Int) -> String {
            let head = "\(Self.head)n\r\nX: "
            return "--b\r\n\(head)\(String(repeating: "x", count: size - head.utf8.count - 4))\r\n\r\nv\r\n--b--"
        }
        #expect(try parts(padded(to: BodyLimits.partHeadBytes)).count == 1)
        #expect(throws: JournalError.self) { try parts(padded(to: BodyLimits.partHeadBytes + 1)) }
    }

    @Test("A boundary must follow RFC 2046", arguments: ["", "a b ", "ü", "a\"", String(repeating: "b", count: 71)])
    func boundaries(_ text: String) throws {
        #expect(throws: JournalError.self) { try FormBoundary(text) }
        _ = try FormBoundary(String(repeating: "b", count: 70))
        _ = try FormBoundary("'()+_,-./:=? x")
    }

    @Test("A mutated form is parsed or refused, and its parts are no larger than the form")
    func mutations() throws {
        var random = SeededGenerator()
        let boundary = try FormBoundary(Form.boundary)
        let pieces = ["\r\n", "--", "--\(Form.boundary)", "\r\n\r\n", "\"", "\\", ";", "=", ":", "%22", "\0", "é", " "]
        for _ in 0..<4_000 {
            let whole = Form().field("name", "Überweisung").file(random.bytes(20)).field("comment", "").closed()
            var bytes = whole.bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 1: bytes.removeSubrange(place..<min(bytes.count, place + 9))
                case 2: bytes.insert(contentsOf: Array((pieces.randomElement(using: &random) ?? "").utf8), at: place)
                default: bytes.removeSubrange((place + 1)...)
                }
                if bytes.isEmpty { bytes = [0] }
            }
            guard let parts = try? FormReader.parts(of: bytes, boundary) else { continue }
            #expect(parts.count <= BodyLimits.formParts)
            #expect(parts.reduce(0) { $0 + $1.bytes.count } <= bytes.count)
            _ = try? DocumentForm(parts)
        }
    }
}
