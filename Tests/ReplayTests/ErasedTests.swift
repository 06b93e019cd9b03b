import EventLog
import Foundation
import HealthModel
import Interchange
import JournalEvents
import MedicalRecords
import ProjectionKit
import TestSupport
import Testing

@testable import replay

@Suite("Erased records")
struct ErasedTests {
    private static let sentence = "record \(Household.maria.text): erased on 2024-05-06 (position 22): asked for it"

    /// Returns a household in which Maria's record is erased at position 22.
    private func erased() async throws -> Household {
        let house = try await Household.withHistory()
        // The log itself defines no other event type.
        #expect(EventLog.erasedType == RecordErased.type.rawValue)
        #expect(try await house.erase(Household.maria, reason: "asked for it") == 22)
        return house
    }

    @Test("A journal with an erased record verifies, and its trail shows none of the record's content")
    func verifiesWithoutContent() async throws {
        let house = try await erased()
        let answer = try Tool(house).run("verify", "--views", "--format", "json")
        #expect(answer.status == 0, "\(answer.message)")
        #expect(try answer.json["seals"]?["erased"]?.number == "13")
        let rows = try Tool(house).run("trail", "--format", "json")
        #expect(rows.status == 0)
        #expect(try rows.lines[8]["what"]?.string == "erased")
        #expect(try rows.lines[8]["payload"]?.string == "erased")
        #expect(try rows.lines[20]["what"]?.string == "Weight 9.1 kg of Luna")
        let last = try #require(try rows.lines.last)
        #expect(last["type"]?.string == "record.erased")
        #expect(last["what"]?.string == "erased record \(Household.maria.text)")
        #expect(last["record"]?.string == Household.maria.text)
        #expect(last["entry"] == nil)
        #expect(last["reason"]?.string == "asked for it")
        for format in ["table", "csv", "html"] {
            let shown = try Tool(house).run("trail", "--format", format).text
            for word in ["72.4", "72.5", "Maria", "Keller", "Frei", "120.50", "99.00", "read off", "a visit"] {
                #expect(!shown.contains(word), "\(format): \(word)")
            }
        }
    }

    @Test("The trail of an erased record includes the erasure")
    func trailOfRecord() async throws {
        let house = try await erased()
        let rows = try Tool(house).run("trail", "--record", Household.maria.text, "--format", "json").lines
        #expect(rows.count == 14)
        #expect(rows.last?["position"]?.number == "22")
    }

    @Test(
        "A command about an erased record ends with status 2 at every position, and states the erasure",
        arguments: [
            ["as-of", "9"], ["as-of", "22"], ["diff", "6", "9"], ["diff", "6", "22"],
            ["could", "anna", "--as-of", "10"],
            ["could", "anna"],
        ]
    )
    func statesErasure(command: [String]) async throws {
        let house = try await erased()
        let answer = try Tool(house).run(command + ["--record", Household.maria.text])
        #expect(answer.status == 2)
        #expect(answer.output.isEmpty)
        #expect(answer.message.contains(ErasedTests.sentence))
    }

    @Test("Accesses before the erasure are listed without their payload, and later denials with it")
    func listsAccesses() async throws {
        let house = try await erased()
        let refusal = try NewEvent(
            .accessDenied(Access(action: .read)),
            id: UUID.timeOrdered(at: EventLog.clock()),
            stream: Household.id(90),
            subject: house.journal,
            entry: Household.maria,
            origin: EventOrigin(actor: Household.anna, source: .commandLine, correlation: .zero)
        )
        try await house.log.append([refusal])
        let answer = try Tool(house).run("access", "--record", Household.maria.text, "--format", "json")
        #expect(answer.status == 0)
        let rows = try answer.json.items
        #expect(rows.map { $0["position"]?.number } == ["11", "12", "23"])
        #expect(rows.map { $0["payload"]?.string } == ["erased", "erased", nil])
        #expect(answer.message.contains(ErasedTests.sentence))
        #expect(!answer.text.contains("a visit"))
    }

    @Test("The trail of an erased record includes the erasure even without the master key")
    func withoutMasterKey() async throws {
        let house = try await erased()
        var tool = Tool(house)
        tool.key = nil
        tool.environment["HEALTHJOURNAL_MASTER_KEY_FILE"] = "/nonexistent"
        let rows = try tool.run("trail", "--record", Household.maria.text, "--format", "json")
        #expect(try rows.lines.last?["type"]?.string == "record.erased")
        let stats = try tool.run("stats", "--format", "json")
        #expect(stats.status == 0)
    }

    /// An erased record whose key was restored, and a key that was destroyed without an erasure event.
    @Test("Verification reports a restored key of an erased record, and a key destroyed without an erasure")
    func inconsistentKeys() async throws {
        let house = try await Household.withHistory()
        let path = URL(filePath: house.path + "/keys/subjects")
        let before = try Data(contentsOf: path)
        #expect(try await house.erase(Household.maria, reason: "") == 22)
        try before.write(to: path)
        let revived = try Tool(house).run("verify", "--views", "--format", "json")
        #expect(revived.status == 3)
        #expect(revived.text.contains("can still be read"))

        let other = try await Household.withHistory()
        try other.log.keys.destroy([Household.maria])
        let unsaid = try Tool(other).run("verify", "--views", "--format", "json")
        #expect(unsaid.status == 3)
        #expect(unsaid.text.contains("no event records its erasure"))
    }
}
