import HealthModel
import Testing

@Suite("Messages")
struct MessageTests {
    @Test("The key has a number in place of each part, and the text has the parts")
    func key() {
        let limit = 200
        let message: Message = "must be at most \(limit) bytes long, not \(limit + 1)"
        #expect(message.key == "must be at most {0} bytes long, not {1}")
        #expect(message.parts == [.text("200"), .text("201")])
        #expect(message.description == "must be at most 200 bytes long, not 201")
    }

    @Test("A message within a message keeps its own key")
    func nested() {
        let inner: Message = "must be \("short")"
        let outer: Message = "line \(3): \(inner)"
        #expect(outer.key == "line {0}: {1}")
        #expect(outer.parts == [.text("3"), .message(inner)])
        #expect("\(outer)" == "line 3: must be short")
    }

    @Test("Braces in the parts and in the text of another program stay as they are")
    func braces() {
        let message: Message = "\("{1}") and \("{0}")"
        #expect(message.description == "{1} and {0}")
        #expect(Message(verbatim: "expected {0}").description == "expected {0}")
        #expect(Message.filled("a {2} and {x} and { and {0", with: ["z"]) == "a {2} and {x} and { and {0")
        #expect(Message.filled("{0}{0}", with: ["z"]) == "zz")
    }

    @Test("An error has its message as a message and in English")
    func errors() {
        let error = ModelError(.invalid, field: "amount", "must be at least \(5)")
        #expect(error.text.key == "must be at least {0}")
        #expect(error.message == "must be at least 5")
        #expect("\(error)" == "amount: must be at least 5")
    }
}
