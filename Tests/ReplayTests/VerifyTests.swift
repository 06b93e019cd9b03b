import EventLog
import Foundation
import HealthModel
import Interchange
import TestSupport
import Testing

@Suite("Verification at the command line")
struct VerifyTests {
    @Test("An undamaged journal and its views verify without mismatches")
    func soundJournal() async throws {
        let house = try await Household.withHistory()
        let answer = try Tool(house).run("verify", "--views", "--format", "json")
        #expect(answer.status == 0)
        #expect(answer.message == "")
        let json = try answer.json
        #expect(json["events"]?.number == "21")
        #expect(json["seals"]?["opened"]?.number == "21")
        #expect(json["isSound"] == .bool(true))
        #expect(json["root"]?.string?.count == 64)
        #expect(json["views"]?["positions"]?.number == "21")
        // Maria's record at 16 positions, Luna's at two.
        #expect(json["views"]?["records"]?.number == "18")
        #expect(json["views"]?["mismatchCount"]?.number == "0")
        #expect(json["views"]?["entries"]?.number == "38")
        #expect(json["views"]?["totals"]?.number == "8")
    }

    @Test("A changed bit is found with its position, and the trail still shows the other events")
    func changedBit() async throws {
        let house = try await Household.withHistory()
        let tail = try Array(house.log.event(at: 9).bytes.suffix(40))
        try change("log/data.mdb", of: house, wherever: tail) { $0[39] ^= 1 }
        let answer = try Tool(house).run("verify", "--format", "json")
        #expect(answer.status == 3)
        #expect(answer.message.contains("position 9: it does not match its hash in the tree"))
        #expect(try answer.json["isSound"] == .bool(false))
        #expect(try answer.json["faults"]?.items.first?["position"]?.number == "9")
        #expect(try Tool(house).run("verify").status == 3)
        // The rest of the trail is still shown, and the gap is reported.
        let trail = try Tool(house).run("trail", "--format", "json")
        #expect(trail.status == 1)
        #expect(try trail.lines.count == 21)
        #expect(try trail.lines[8]["payload"]?.string == "unreadable")
    }

    @Test("A changed time zone in the description of the log is found")
    func changedZone() async throws {
        let house = try await Household.withHistory()
        let description = house.log.description
        let told = description.id.bytes + littleEndian(UInt64(description.createdAt)) + Array("UTC".utf8)
        try change("log/data.mdb", of: house, wherever: told) { $0.replaceSubrange(24..., with: Array("CET".utf8)) }
        let answer = try Tool(house).run("verify", "--format", "json")
        #expect(answer.status == 3)
        #expect(answer.message.contains("position 1: it names another time zone"))
    }

    @Test("Verification since a checkpoint checks only the events after it")
    func sinceCheckpoint() async throws {
        let house = try await Household.withHistory()
        let file = house.path + ".checkpoint"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try Data(house.log.checkpoint().text.utf8).write(to: URL(filePath: file))
        let tail = try Array(house.log.event(at: 9).bytes.suffix(40))
        let answer = try Tool(house).run("verify", "--since-checkpoint", file, "--format", "json")
        #expect(answer.status == 0)
        #expect(try answer.json["since"]?["checked"]?.number == "0")
        #expect(try answer.json["checkpoint"]?["size"]?.number == "21")
        #expect(try answer.json["checkpointKey"]?.string?.hasPrefix("healthjournal/") == true)
        // The events before the checkpoint are not checked again; a full verification still finds the change.
        try change("log/data.mdb", of: house, wherever: tail) { $0[39] ^= 1 }
        #expect(try Tool(house).run("verify", "--since-checkpoint", file).status == 0)
        #expect(try Tool(house).run("verify").status == 3)
        try Data("healthjournal/other\n21\nAAAA\n".utf8).write(to: URL(filePath: file))
        #expect(try Tool(house).run("verify", "--since-checkpoint", file).status == 1)
        #expect(try Tool(house).run("verify", "--since-checkpoint", file + ".none").status == 2)
    }

    @Test("A damaged meta page is reported as a mismatch, and another damaged page causes no other error")
    func damagedPages() async throws {
        let house = try await Household.withHistory()
        let path = house.path + "/log/data.mdb"
        let size = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
        let handle = try #require(FileHandle(forUpdatingAtPath: path))
        func flip(_ offset: Int) throws {
            try handle.seek(toOffset: UInt64(offset))
            let byte = try #require(try handle.read(upToCount: 1)?.first)
            try handle.seek(toOffset: UInt64(offset))
            try handle.write(contentsOf: Data([byte ^ 0x40]))
        }
        var found = 0
        // The page size, the magic number, the newest root; then the type of each page, of which some are not in use.
        for offset in [40, 16, 4_096 + 128] + stride(from: 8_192, to: size, by: 4_096).map({ $0 + 10 }) {
            try flip(offset)
            let answer = try Tool(house).run("verify", "--format", "json")
            try flip(offset)
            #expect(answer.status == 3 || answer.status == 0 && offset >= 8_192, "offset \(offset)")
            if answer.status == 3 { #expect(answer.message.contains("position ")) }
            if answer.status == 3, offset >= 8_192 { found += 1 }
            if offset < 8_192 {
                #expect(answer.message.contains("meta page") || answer.message.contains("position 21"))
            }
        }
        #expect(found > 3)
        #expect(try Tool(house).run("verify").status == 0)
    }

    @Test("A changed row of a view is found with its position and entry")
    func changedView() async throws {
        let house = try await Household.withHistory()
        #expect(try Tool(house).run("verify", "--views").status == 0)
        // The view's row of the weight's correction contains the position of its content, 9. It is changed to 7, the
        // position of the uncorrected content.
        let row = [UInt8](house.recorded[6].subject.bytes) + [10, 0, 0, 1]
        var right = row
        for position in [7, 9] { right += littleEndian(UInt64(position)) }
        try change("views/data.mdb", of: house, wherever: right, skipping: 20) { $0[32] = 7 }
        let answer = try Tool(house).run("verify", "--views", "--format", "json")
        #expect(answer.status == 3)
        #expect(answer.message.contains("healthjournal views rebuild"))
        let mismatches = try answer.json["views"]?["mismatches"]?.items ?? []
        #expect(mismatches.first?["position"]?.number == "9")
        #expect(mismatches.allSatisfy { $0["what"]?.string?.contains(Household.weight.text) == true })
        #expect(try answer.json["faultCount"]?.number == "0")
    }

    /// Changes each place of a file that contains `wanted`; the four bytes at `gap`, which are not in `wanted`, may be
    /// any.
    private func change(
        _ file: String,
        of house: Household,
        wherever wanted: [UInt8],
        skipping gap: Int? = nil,
        _ body: (inout [UInt8]) -> Void
    ) throws {
        let handle = try #require(FileHandle(forUpdatingAtPath: house.path + "/" + file))
        let bytes = [UInt8](try #require(try handle.readToEnd()))
        let length = wanted.count + (gap == nil ? 0 : 4)
        var count = 0
        for start in 0...(bytes.count - length) where bytes[start] == wanted[0] {
            var found = Array(bytes[start..<(start + length)])
            let compared = gap.map { Array(found[..<$0] + found[($0 + 4)...]) } ?? found
            guard compared == wanted else { continue }
            body(&found)
            try handle.seek(toOffset: UInt64(start))
            try handle.write(contentsOf: Data(found))
            count += 1
        }
        #expect(count > 0)
    }

    private func littleEndian(_ value: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
