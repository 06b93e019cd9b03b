import EventLog
import Foundation
import HealthModel
import Interchange
import TestSupport
import Testing

@Suite("Statistics of a log")
struct StatsTests {
    @Test(
        "Events, streams, types, categories and bytes are counted, with and without the key",
        arguments: [true, false]
    )
    func counts(withKey: Bool) async throws {
        let house = try await Household.withHistory()
        var tool = Tool(house)
        if !withKey { tool.key = house.path + "/none" }
        let json = try tool.run("stats", "--format", "json").json
        #expect(json["events"]?.number == "21")
        #expect(json["streams"]?.number == String(Set(house.recorded.map(\.stream)).count))
        #expect(json["firstRecordedAt"]?.string == "2024-05-01T00:00:00Z")
        #expect(json["lastRecordedAt"]?.string == "2024-05-06T00:00:00Z")
        let bytes = try house.log.events(after: 0).reduce(0) { $0 + $1.bytes.count }
        #expect(json["bytes"]?["frames"]?.number == String(bytes))
        let file = try Data(contentsOf: URL(filePath: house.path + "/log/data.mdb")).count
        #expect(json["bytes"]?["file"]?.number == String(file))
        for type in EventType.allCases {
            let count = house.recorded.count { $0.type == type }
            #expect(json["types"]?[type.name]?.number == (count == 0 ? nil : String(count)))
        }
        for category in EventCategory.allCases {
            let count = house.recorded.count { $0.type.category == category }
            #expect(json["categories"]?[category.name]?.number == (count == 0 ? nil : String(count)))
        }
    }

    @Test("The table shows the same counts")
    func table() async throws {
        let house = try await Household.withHistory()
        let lines = try Tool(house).run("stats").text.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("events") && $0.hasSuffix(" 21") })
        #expect(lines.contains { $0.hasPrefix("type entry.corrected") && $0.hasSuffix(" 2") })
    }
}
