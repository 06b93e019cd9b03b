import HealthModel
import Testing

@testable import Interchange

@Suite("Received text")
struct ReceivedTextTests {
    @Test(
        "The length of a text is checked before its line endings are normalized, as in a schema",
        arguments: [(98, true), (99, false)]
    )
    func counted(digits: Int, isTaken: Bool) throws {
        let text = String(repeating: "1", count: digits) + "\r\n"
        let document: JSONValue = ["name": "Ada", "phone": .string(text)]
        do {
            let content = try NativeDocument.content(document, of: Doctor.kind, now: Instant(microseconds: 0))
            #expect(isTaken)
            let phone = Doctor.kind.fields.first { $0.name == "phone" }
            #expect(content.body.text(try #require(phone))?.utf8.count == digits + 1)
        } catch let error as ModelError {
            #expect(!isTaken && error.field == "phone" && error.message == "is longer than 100 bytes")
        }
    }
}
