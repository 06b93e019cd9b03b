import Foundation
import Interchange
import Synchronization
import TestSupport

/// The program as a person runs it, in a process of its own.
struct Tool {
    struct Answer {
        var status: Int32
        var output: String
        var messages: String
    }

    let journal: String
    var key: String?
    var environment: [String: String] = [:]
    /// Off for what needs no journal, and is told of none.
    var namesJournal = true

    init(_ house: Household, journal: String? = nil) {
        self.journal = journal ?? house.path
        key = house.keyPath
    }

    /// Beside the tests, where the build puts them both.
    private static let path = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "healthjournal-replay").path

    func process(_ arguments: [String]) -> (process: Process, output: Pipe, messages: Pipe) {
        let process = Process()
        process.executableURL = URL(filePath: Tool.path)
        let place = ["--journal", journal] + (key.map { ["--master-key-file", $0] } ?? [])
        process.arguments = arguments + (namesJournal ? place : [])
        process.environment = ["HEALTHJOURNAL_MAP_SIZE": String(Household.mapSize), "HOME": "/nonexistent"]
            .merging(environment) { $1 }
            .merging(SanitizerSettings.variables) { own, _ in own }
        let (output, messages) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = messages
        return (process, output, messages)
    }

    func run(_ arguments: String...) throws -> Answer { try run(arguments) }

    func run(_ arguments: [String]) throws -> Answer {
        let (process, output, messages) = process(arguments)
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        let said = messages.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Answer(
            status: process.terminationStatus,
            output: String(decoding: data, as: UTF8.self),
            messages: String(decoding: said, as: UTF8.self)
        )
    }
}

extension Tool.Answer {
    /// The output as JSON, a value a line.
    var lines: [JSONValue] {
        get throws { try output.split(separator: "\n").map { try JSONReader.read(Array($0.utf8)) } }
    }

    /// The output as one JSON value.
    var json: JSONValue {
        get throws { try JSONReader.read(Array(output.utf8)) }
    }
}

extension JSONValue {
    var string: String? { if case .string(let text) = self { text } else { nil } }
    var number: String? { if case .number(let text) = self { text } else { nil } }
    var items: [JSONValue] { if case .array(let items) = self { items } else { [] } }

    /// `value: 72.5 → 72.4` of each change of a row.
    var changes: [String] {
        (self["changes"]?.items ?? [])
            .map { change in
                "\(change["field"]?.string ?? "?"): \(change["before"]?.string ?? "–") → \(change["after"]?.string ?? "–")"
            }
    }
}
