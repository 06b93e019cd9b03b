import ArgumentParser
import EventLog
import Foundation
import HealthModel
import Interchange
import TestSupport
import Testing

@testable import replay

@Suite("Records as of a position or time")
struct AsOfTests {
    @Test("At each position, the folded record matches the events that were appended")
    func foldAtEachPosition() async throws {
        let house = try await Household.withHistory()
        for position in 0...UInt64(house.recorded.count) {
            for record in [Household.maria, Household.luna] {
                let folded = try house.opened.fold(record, through: position).state
                #expect(folded == house.state(of: record, at: position), "position \(position)")
            }
        }
    }

    @Test("The output is the native document of the record at the position", arguments: [UInt64(6), 9, 12, 15, 19, 21])
    func document(position: UInt64) async throws {
        let house = try await Household.withHistory()
        let state = try #require(house.state(of: Household.maria, at: position))
        let stamp = house.recorded[Int(position) - 1].stamp
        let answer = try Tool(house).run("as-of", String(position), "--record", "06000006")
        #expect(answer.status == 0)
        #expect(answer.text == JSONWriter.text(NativeDocument.write(state, asOf: stamp), .pretty) + "\n")
        #expect(try answer.json["asOf"]?["position"]?.number == String(position))
    }

    @Test("As a table, it has the profile and the entries that were known then, with the journal's times")
    func table() async throws {
        let house = try await Household.withHistory()
        let text = try Tool(house).run("as-of", "2024-05-02", "--record", Household.maria.text, "--format", "table")
            .text
        #expect(text.hasPrefix("Maria ") && text.contains("as known at position 8, recorded 2024-05-02T"))
        #expect(text.contains("\nWeight (1)\nENTRY"))
        #expect(text.contains("72.5"))
        #expect(!text.contains("72.4"))
    }

    @Test(
        "A date or time selects the last event up to it",
        arguments: [("2024-05-02", "8"), ("2024-05-03T00:00:00Z", "9"), ("2024-05-02T23:59:59.999999Z", "8")]
    )
    func timeAsPosition(when: String, position: String) async throws {
        let house = try await Household.withHistory()
        let answer = try Tool(house).run("as-of", when, "--record", Household.maria.text)
        #expect(try answer.json["asOf"]?["position"]?.number == position)
        let weight = try answer.json["entries"]?["weight"]?.items.first?["value"]?.string
        #expect(weight == (position == "8" ? "72.5" : "72.4"))
    }

    @Test("A date ends in the time zone of the journal")
    func zoneOfJournal() async throws {
        // At 18:00 UTC it is past midnight in Auckland, so 2 May has fewer events there.
        let house = try await Household.withHistory(zone: "Pacific/Auckland")
        let answer = try Tool(house).run("as-of", "2024-05-02", "--record", Household.maria.text)
        #expect(try answer.json["asOf"]?["position"]?.number == "6")
    }

    @Test("The option --happened-by omits entries that happened later")
    func happenedBy() async throws {
        let house = try await Household.withHistory()
        let all = try Tool(house).run("as-of", "9", "--record", Household.maria.text)
        let before = try Tool(house)
            .run("as-of", "9", "--record", Household.maria.text, "--happened-by", "2024-04-29")
        #expect(try all.json["entries"]?["weight"]?.items.count == 1)
        #expect(try before.json["entries"]?["weight"] == nil)
        #expect(try before.json["entries"]?["doctor"]?.items.count == 1)
    }

    @Test(
        "A missing record or position ends with status 2, and an invalid argument with status 64",
        arguments: [
            (["5", "--record", Household.maria.text], 2), (["0", "--record", Household.maria.text], 2),
            (["2024-04-30", "--record", Household.maria.text], 2), (["22", "--record", Household.maria.text], 2),
            (["9", "--record", Household.owner.text], 2), (["soon", "--record", Household.maria.text], 64),
            (["9"], 64), (["9", "--record", Household.maria.text, "--happened-by", "2024"], 64),
        ] as [([String], Int32)]
    )
    func errorStatus(arguments: [String], status: Int32) async throws {
        let house = try await Household.withHistory()
        let answer = try Tool(house).run(["as-of"] + arguments)
        #expect(answer.output.isEmpty)
        #expect(!answer.message.isEmpty)
        #expect(answer.status == status)
    }
}
