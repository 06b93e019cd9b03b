import Foundation
import HealthModel
import Interchange
import TestSupport
import Testing

@Suite("Changes between two positions")
struct DiffTests {
    private func diff(_ from: String, _ to: String, of record: UUID = Household.maria) async throws -> [JSONValue] {
        let house = try await Household.withHistory()
        let answer = try Tool(house).run("diff", from, to, "--record", record.text, "--format", "json")
        #expect(answer.status == 0)
        return try answer.json["changes"]?.items ?? []
    }

    @Test("From position 0, the record is created and each entry is added")
    func fromStart() async throws {
        let items = try await diff("0", "8")
        #expect(items.map { $0["what"]?.string } == ["created", "added", "added"])
        #expect(items[1]["entry"]?.string == Household.weight.text)
        #expect(items[1].changes.contains("value: – → 72.5"))
    }

    @Test("A correction is listed with its event, account and reason")
    func correction() async throws {
        let items = try await diff("8", "9")
        #expect(items.map { $0["what"]?.string } == ["corrected"])
        #expect(items[0].changes == ["value: 72.5 → 72.4"])
        let event = items[0]["events"]?.items.first
        #expect(event?["position"]?.number == "9")
        #expect(event?["actorName"]?.string == "owner")
        #expect(event?["reason"]?.string == "read off wrongly")
    }

    @Test(
        "Each record or entry with events is listed with its net change",
        arguments: [
            ("14", "15", ["retracted"]), ("15", "17", ["changed", "restored"]), ("14", "17", ["changed", "unchanged"]),
            ("13", "18", ["changed", "unchanged", "added"]), ("9", "13", []),
            ("6", "15", ["addedAndRetracted", "added", "added"]),
            ("9", "9", []),
        ]
    )
    func netChanges(from: String, to: String, words: [String]) async throws {
        #expect(try await diff(from, to).map { $0["what"]?.string } == words)
    }

    @Test("Changes of other records are not listed")
    func otherRecords() async throws {
        #expect(try await diff("0", "21", of: Household.luna).map { $0["what"]?.string } == ["created", "added"])
    }

    @Test("The table shows the changed value, the event and the reason")
    func table() async throws {
        let house = try await Household.withHistory()
        let answer = try Tool(house).run("diff", "2024-05-02", "2024-05-03", "--record", Household.maria.text)
        #expect(answer.text.contains("value: 72.5 → 72.4"))
        #expect(answer.text.contains("#9 owner: read off wrongly"))
    }

    @Test("Positions in the wrong order end with status 64")
    func reversedPositions() async throws {
        let house = try await Household.withHistory()
        let answer = try Tool(house).run("diff", "9", "8", "--record", Household.maria.text)
        #expect(answer.status == 64)
    }
}
