import EventLog
import Foundation
import HealthModel
import Interchange
import TestSupport
import Testing

/// Tests of the commands without the master key, so that no payload can be opened.
@Suite("Commands without the master key")
struct KeylessTests {
    private func keyless(_ house: Household) -> Tool {
        var tool = Tool(house)
        tool.key = nil
        return tool
    }

    @Test("The trail shows headers without content, and a message states what is missing")
    func trail() async throws {
        let house = try await Household.withHistory()
        let answer = try keyless(house).run("trail", "--format", "json")
        #expect(answer.status == 0)
        #expect(answer.message.contains("there is no master key at /nonexistent/.config/healthjournal/"))
        #expect(answer.message.contains("no changes, no reasons"))
        let rows = try answer.lines
        #expect(rows.count == 21)
        #expect(rows[8]["type"]?.string == "entry.corrected")
        #expect(rows[8]["kind"]?.string == "weight")
        #expect(rows[8]["payload"]?.string == "sealed")
        for row in rows {
            #expect(row["changes"] == nil)
            #expect(row["what"] == nil)
            #expect(row["reason"] == nil)
            #expect(row["actorName"] == nil)
        }
        for secret in ["72.4", "Maria", "anna", "wrongly"] { #expect(!answer.text.contains(secret)) }
    }

    @Test("Accesses are listed with account and outcome, but without the action")
    func accesses() async throws {
        let house = try await Household.withHistory()
        let answer = try keyless(house).run("access", "--record", Household.maria.text, "--format", "json")
        #expect(answer.status == 0)
        #expect(try answer.json.items.map { $0["outcome"]?.string } == ["shown", "denied"])
        #expect(try answer.json.items.map { $0["actor"]?.string } == [Household.anna.text, Household.anna.text])
        #expect(try answer.json.items.allSatisfy { $0["action"] == nil })
    }

    @Test("Verification without the key opens no seal, and cannot check the views")
    func verification() async throws {
        let house = try await Household.withHistory()
        let answer = try keyless(house).run("verify", "--format", "json")
        #expect(answer.status == 0)
        #expect(try answer.json["seals"]?["unread"]?.number == "21")
        #expect(try answer.json["seals"]?["opened"]?.number == "0")
        #expect(answer.message.contains("no seal was opened"))
        #expect(try keyless(house).run("verify", "--views").status == 1)
    }

    @Test(
        "A command that needs payloads fails, and the error names the option for the key",
        arguments: [
            ["as-of", "9", "--record", Household.maria.text], ["diff", "8", "9", "--record", Household.maria.text],
            ["could", Household.anna.text, "--record", Household.maria.text, "--as-of", "9"],
        ]
    )
    func needsPayloads(arguments: [String]) async throws {
        let house = try await Household.withHistory()
        let answer = try keyless(house).run(arguments)
        #expect(answer.output.isEmpty)
        #expect(answer.status == 1)
        #expect(answer.message.contains("--master-key-file"))
    }

    @Test("The master key of another journal is refused")
    func foreignKey() async throws {
        let house = try await Household.withHistory()
        var tool = Tool(house)
        tool.key = house.path + "/other.key"
        try MasterKey().write(to: house.path + "/other.key")
        let answer = try tool.run("trail")
        #expect(answer.status == 1)
        #expect(answer.message.contains("does not belong to this journal"))
        #expect(answer.output.isEmpty)
    }

    @Test("The key is found in the configuration folder and through the environment")
    func keyPaths() async throws {
        let house = try await Household.withHistory()
        var tool = keyless(house)
        let path = MasterKeyFile.defaultPath(
            for: house.journal,
            environment: ["XDG_CONFIG_HOME": house.path + "/config"]
        )
        let folder = URL(filePath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: house.keyPath, toPath: path)
        tool.environment = ["XDG_CONFIG_HOME": house.path + "/config"]
        #expect(try tool.run("as-of", "9", "--record", Household.maria.text).status == 0)
        tool.environment = ["HEALTHJOURNAL_MASTER_KEY_FILE": house.keyPath]
        #expect(try tool.run("as-of", "9", "--record", Household.maria.text).status == 0)
    }

    @Test("A folder without a journal ends with status 2")
    func missingJournal() async throws {
        let house = try await Household.withHistory()
        let empty = Tool(house, journal: house.path + "/none")
        let answer = try empty.run("stats")
        #expect(answer.status == 2)
        #expect(answer.message.contains("there is no journal in"))
    }

    @Test("The commands do not change the log file")
    func leavesLogUnchanged() async throws {
        let house = try await Household.withHistory()
        let before = try Data(contentsOf: URL(filePath: house.path + "/log/data.mdb"))
        for arguments in [["trail"], ["stats"], ["verify", "--views"], ["access", "--record", Household.maria.text]] {
            #expect(try Tool(house).run(arguments).status == 0)
        }
        #expect(try Data(contentsOf: URL(filePath: house.path + "/log/data.mdb")) == before)
    }
}
