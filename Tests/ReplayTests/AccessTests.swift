import Foundation
import HealthModel
import Interchange
import TestSupport
import Testing

struct AccessTests {
    @Test func looksAndDenialsAreListed() async throws {
        let house = try await Household.told()
        let answer = try Tool(house).run("access", "--record", Household.maria.text, "--format", "json")
        #expect(answer.status == 0)
        let rows = try answer.json.items
        #expect(rows.map { $0["position"]?.number } == ["11", "12"])
        #expect(rows.map { $0["outcome"]?.string } == ["shown", "denied"])
        #expect(rows.map { $0["actorName"]?.string } == ["anna", "anna"])
        #expect(rows[0]["purpose"]?.string == "a visit")
        #expect(rows[0]["entryCount"]?.number == "1")
        #expect(rows[0]["grantedBy"]?.string == "by the grant of position 10")
        #expect(rows[0]["sections"]?.items.compactMap(\.string) == ["doctorlist"])
        #expect(rows[1]["sections"]?.items.compactMap(\.string) == ["myhealth"])
        #expect(rows[1]["grantedBy"] == nil)
    }

    @Test func theTableSaysTheSame() async throws {
        let house = try await Household.told()
        let lines = try Tool(house).run("access", "--record", Household.maria.text).text.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[1].contains("shown") && lines[1].contains("a visit"))
        #expect(lines[2].contains("denied") && lines[2].contains("myhealth"))
    }

    @Test func aRecordThatNobodyLookedAtHasNone() async throws {
        let house = try await Household.told()
        let answer = try Tool(house).run("access", "--record", Household.luna.text, "--format", "json")
        #expect(try answer.json.items.isEmpty)
    }
}
