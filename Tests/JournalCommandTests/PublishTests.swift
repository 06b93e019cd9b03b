import Foundation
import Interchange
import TestSupport
import Testing

@Suite("Publishing the log")
struct PublishTests {
    /// A witness that serves on a port of its own.
    private struct Neighbour {
        let folder: String
        let process: ChildProcess
        /// Its line of a policy.
        let line: String

        init(_ name: String, _ tool: CommandLineTool, knows log: String) throws {
            folder = tool.folder.path + "/" + name
            let key = try tool.run("witness", "create", folder, "--name", "example.com/\(name)").succeeded().text
                .trimmingCharacters(in: .newlines)
            try tool.run("witness", "add", folder, log).succeeded()
            process = try tool.start("witness", "serve", folder, "--port", "0")
            let address = try #require(process.readLine()?.split(separator: " ").last)
            line = "witness \(name) \(key) \(address)\n"
        }
    }

    @Test("Two of three witnesses are enough for a proof, one is not, and each is told by name")
    func quorum() throws {
        let tool = try CommandLineTool()
        _ = try tool.person()
        let key = try tool.replay("checkpoint", "--key").succeeded().text.trimmingCharacters(in: .newlines)
        let neighbours = try ["a", "b", "c"].map { try Neighbour($0, tool, knows: key) }
        defer { for neighbour in neighbours { neighbour.process.kill9() } }
        let lines = neighbours.map(\.line).joined()
        let policy = try tool.write("log \(key)\n\(lines)group all-three 2 a b c\nquorum all-three\n", to: "policy")
        #expect(try tool.run("log", "publish").succeeded().text.hasPrefix("published 4 events"))
        let alone = tool.folder.path + "/alone.proof"
        try tool.replay("prove", "1", "--published", "-o", alone).succeeded()
        let few = try tool.replay("check-proof", alone, "--key", key, "--policy", policy)
        #expect(few.status == 3, "\(few.message)")
        #expect(few.message.contains("missing: a, b, c"), "\(few.message)")

        neighbours[0].process.kill9()
        let site = tool.folder.path + "/site"
        let published = try tool.run("log", "publish", site, "--policy", policy).succeeded()
        #expect(
            published.text.contains("witness b: cosigned") && published.text.contains("witness a: it does not answer")
        )
        #expect(published.text.contains("enough witnesses have cosigned"))
        let proof = tool.folder.path + "/p.proof"
        try tool.replay("prove", "1", "--published", "-o", proof).succeeded()
        let checked = try tool.replay("check-proof", proof, "--key", key, "--policy", policy, "--fresh", "1h")
        #expect(checked.status == 0, "\(checked.message)")
        #expect(checked.text.contains("b, c"), "\(checked.message)")
        let others = try CommandLineTool().replay("checkpoint", "--key").succeeded().text
        let stranger = try tool.write("log \(others)\(lines)quorum none\n", to: "stranger")
        #expect(try tool.replay("check-proof", proof, "--key", key, "--policy", stranger).status == 3)
        #expect(try FileBytes.read(site + "/checkpoint") == Array(tool.replay("checkpoint", "--published").text.utf8))

        neighbours[1].process.kill9()
        try tool.run("record", "create", "--given-name", "Nora").succeeded()
        let one = try tool.run("log", "publish", site, "--policy", policy)
        #expect(one.status == 3)
        #expect(one.message.contains("missing: a, b"))
        #expect(one.text.contains("witness c: cosigned"))
        try tool.replay("prove", "1", "--published", "-o", proof).succeeded()
        #expect(try tool.replay("check-proof", proof, "--key", key, "--policy", policy).status == 3)
        let findings = try tool.json("doctor").items
        #expect(findings.contains { $0["what"] == "published log" && $0["ok"] == true })
        #expect(!findings.contains { $0["what"] == "witnesses" })
    }

    @Test("A copy of the journal that went another way is found out by the witness, and doctor says so until it agrees")
    func fork() throws {
        let tool = try CommandLineTool()
        let key = try tool.replay("checkpoint", "--key").succeeded().text.trimmingCharacters(in: .newlines)
        let neighbour = try Neighbour("w", tool, knows: key)
        defer { neighbour.process.kill9() }
        let policy = try tool.write(neighbour.line + "quorum w\n", to: "policy")
        let copy = tool.folder.path + "/copy"
        try FileManager.default.copyItem(atPath: tool.journal, toPath: copy)
        func publish(_ folder: String) throws -> Outcome {
            try tool.run("log", "publish", "--policy", policy, "--journal", folder)
        }
        func doctor(_ folder: String) throws -> JSONValue? {
            try tool.run("doctor", "--journal", folder, "--format", "json").json.items
                .first { $0["what"] == .string("witnesses") }
        }
        try tool.run("record", "create", "--given-name", "Here").succeeded()
        try publish(tool.journal).succeeded()
        let older = tool.folder.path + "/older"
        try FileManager.default.copyItem(atPath: tool.journal, toPath: older)
        try tool.run("record", "create", "--given-name", "More").succeeded()
        try publish(tool.journal).succeeded()
        // An older copy has the cosignature of its time, with which the quorum is met; the alarm counts nevertheless.
        let restored = try publish(older)
        #expect(restored.status == 3, "\(restored.text)")
        #expect(restored.text.contains("ALARM"), "\(restored.text)")
        // The copy has fewer events than the witness has seen, and then as many others.
        let behind = try publish(copy)
        #expect(behind.status == 3, "\(behind.text)")
        #expect(behind.text.contains("ALARM"), "\(behind.text)")
        #expect(try doctor(copy)?["ok"] == false && doctor(tool.journal) == nil)
        for name in ["There", "Elsewhere"] {
            try tool.run("record", "create", "--given-name", name, "--journal", copy).succeeded()
        }
        let other = try publish(copy)
        #expect(other.status == 3, "\(other.text)")
        #expect(other.text.contains("one of them was changed"), "\(other.text)")
        #expect(try doctor(copy)?.string("detail").contains("witness w") == true)
        // A witness that does not answer has not withdrawn its alarm.
        let silent = neighbour.line.replacing(/http:[^ \n]+/, with: "http://127.0.0.1:9/")
        let unanswered = try tool.write(silent + "quorum w\n", to: "unanswered")
        let asked = try tool.run("log", "publish", "--policy", unanswered, "--journal", copy)
        #expect(asked.text.contains("does not answer"), "\(asked.text)")
        #expect(try doctor(copy)?["ok"] == false)
        try tool.run("record", "create", "--given-name", "Again").succeeded()
        #expect(try publish(tool.journal).succeeded().text.contains("witness w: cosigned"))
    }

}
