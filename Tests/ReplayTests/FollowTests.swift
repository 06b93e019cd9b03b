import Glibc
import HealthModel
import Interchange
import TestSupport
import Testing

@Suite("Following a log")
struct FollowTests {
    @Test(
        "An appended event is shown, and SIGINT and SIGTERM end the command with status 0",
        arguments: [SIGINT, SIGTERM]
    )
    func followsAppends(signal: Int32) async throws {
        let house = try await Household.withHistory()
        let child = try Tool(house).start("follow", "--after", "20", "--format", "json")
        let first = try JSONReader.read(Array(try await line(child).utf8))
        #expect(first["position"]?.number == "21")
        #expect(first["what"]?.string == "Weight 9.1 kg of Luna")

        let content = try Household.content(Weight.kind, [("value", "9.3"), ("unit", "kg")])
        try await house.append(.entryCorrected(content), about: Household.luna, entry: Household.meal)
        let second = try JSONReader.read(Array(try await line(child).utf8))
        #expect(second["position"]?.number == "22")
        #expect(second.changes == ["value: 9.1 → 9.3"])

        child.signal(signal)
        #expect(child.wait() == 0)
    }

    @Test("Only the events of the given record are shown")
    func limitsToRecord() async throws {
        let house = try await Household.withHistory()
        let child = try Tool(house).start("follow", "--after", "0", "--record", Household.luna.text, "--format", "json")
        let shown = try JSONReader.read(Array(try await line(child).utf8))
        #expect(shown["position"]?.number == "20")
    }

    @Test("A start after the last position ends with status 2")
    func positionAhead() async throws {
        let house = try await Household.withHistory()
        #expect(try Tool(house).run("follow", "--after", "22").status == 2)
    }

    /// Reads one line of the child's output in a detached task.
    private func line(_ child: ChildProcess) async throws -> String {
        try #require(await Task.detached { child.readLine() }.value)
    }
}
