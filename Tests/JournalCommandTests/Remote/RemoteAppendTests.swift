import Interchange
import TestSupport
import Testing

@Suite("Events of other tools through a service")
struct RemoteAppendTests {
    @Test("Lines get the same answers from the service as from the folder, also when they are repeated there")
    func lines() throws {
        let service = try LiveService()
        let record = try service.local.person()
        func event(_ id: Int, _ value: String) -> String {
            """
            {"specversion": "1.0", "type": "org.healthjournal.weight.logged", "source": "/scale", "id": "\(id)", \
            "subject": "\(record)", "time": "2026-03-03T06:58:00Z", "data": {"value": "\(value)", "unit": "kg"}}
            """
        }
        let lines = [event(1, "72.1"), "no event", event(2, "heavy"), "", event(3, "72.3")]
        let input = Array(lines.joined(separator: "\n").utf8)
        let there = try service.run(["append"], input: input)
        #expect(there.status == 1, "\(there.message)")
        let here = try service.local.run("append", input: input)
        #expect(here.status == there.status)
        #expect(here.text == there.text)
        #expect(try service.json("entry", "list", record, "weight").items.count == 2)
        let ticks = (0..<3_000).map { #"{"specversion":"1.0","type":"t","source":"s","id":"\#($0)"}"# }
        let many = try service.run(["append", "--stream", "ticks"], input: Array(ticks.joined(separator: "\n").utf8))
        #expect(many.status == 0)
        #expect(many.text.split(separator: "\n").count == 3_000)
        #expect(try service.run(["append"]).status == 0)
    }
}
