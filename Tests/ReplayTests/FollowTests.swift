import Foundation
import HealthModel
import Interchange
import Testing

struct FollowTests {
    @Test(arguments: [SIGINT, SIGTERM])
    func itSeesAnAppendAndEndsWhenAsked(signal: Int32) async throws {
        let house = try await Household.told()
        let (process, output, _) = Tool(house).process(["follow", "--after", "20", "--format", "json"])
        try process.run()
        let reader = output.fileHandleForReading
        let first = try JSONReader.read(Array(try await line(reader).utf8))
        #expect(first["position"]?.number == "21")
        #expect(first["what"]?.string == "Weight 9.1 kg of Luna")

        let content = try Household.content(Weight.kind, [("value", "9.3"), ("unit", "kg")])
        try await house.append(.entryCorrected(content), about: Household.luna, entry: Household.meal)
        let second = try JSONReader.read(Array(try await line(reader).utf8))
        #expect(second["position"]?.number == "22")
        #expect(second.changes == ["value: 9.1 → 9.3"])

        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 0)
    }

    @Test func itShowsOneRecordAlone() async throws {
        let house = try await Household.told()
        let (process, output, _) = Tool(house)
            .process(["follow", "--after", "0", "--record", Household.luna.text, "--format", "json"])
        try process.run()
        let shown = try JSONReader.read(Array(try await line(output.fileHandleForReading).utf8))
        #expect(shown["position"]?.number == "20")
        process.terminate()
        process.waitUntilExit()
    }

    @Test func aPositionAheadIsNotFound() async throws {
        let house = try await Household.told()
        #expect(try Tool(house).run("follow", "--after", "22").status == 2)
    }

    /// One line, read off the threads that the tests share.
    private func line(_ handle: FileHandle) async throws -> String {
        try await Task.detached {
            var bytes: [UInt8] = []
            while let byte = try handle.read(upToCount: 1)?.first, byte != 0x0A { bytes.append(byte) }
            return String(decoding: bytes, as: UTF8.self)
        }
        .value
    }
}
