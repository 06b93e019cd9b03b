import Foundation
import Interchange
import TestSupport
import Testing

/// A program that uses the library, as the guide Embedding shows it.
@Suite("Embedding the journal in a program")
struct EmbeddingTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test("The guide contains the program that is compiled")
    func guide() throws {
        let program = try String(contentsOf: Self.root.appending(path: "Tests/Example/Example.swift"), encoding: .utf8)
        let guide = try String(
            contentsOf: Self.root.appending(path: "Sources/HealthJournal/HealthJournal.docc/Guides/Embedding.md"),
            encoding: .utf8
        )
        #expect(guide.contains("```swift\n\(program)```"))
    }

    @Test("The program logs a weight, reads the record before and after it, follows the log and verifies it")
    func program() throws {
        let tool = try CommandLineTool()
        let record = try tool.person("Ottilie")
        let outcome = try tool.run(ChildProcess.built("Example"), [tool.journal]).succeeded()
        let lines = outcome.text.split(separator: "\n")
        let position = try #require(lines.first?.split(separator: " ").last)
        #expect(lines.first == "logged a weight of Ottilie Zumsteg at position \(position)")
        #expect(lines.dropFirst(2).first == "\(position) entry.added")
        #expect(try #require(lines.last).contains(" events, 0 faults, root "))

        let weights = try tool.json("entry", "list", record, "weight").items
        #expect(weights.count == 1)
        #expect(weights.first?["position"] == .number(String(position)), "\(weights)")
    }

    @Test("A folder without a journal is reported")
    func failures() throws {
        let tool = try CommandLineTool()
        let empty = try tool.run(ChildProcess.built("Example"), [tool.folder.path + "/nothing"])
        #expect(empty.status != 0 && empty.message.contains("there is no journal"), "\(empty.message)")
    }
}
