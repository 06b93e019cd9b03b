import Foundation
import Glibc
import Interchange
import TestSupport
import Testing

/// Runs the built `healthjournal` with its own journal and home folder.
final class CommandLineTool: Sendable {
    let folder: TemporaryFolder
    private let variables: [String: String]

    var journal: String { folder.path + "/journal" }

    /// Creates an empty journal, unless `hasJournal` is false.
    init(hasJournal: Bool = true, _ more: [String: String] = [:]) throws {
        folder = try TemporaryFolder()
        variables = [
            "HEALTHJOURNAL_DIR": folder.path + "/journal", "XDG_CONFIG_HOME": folder.path + "/config",
            "HOME": folder.path, "TZ": "UTC", "HEALTHJOURNAL_MAP_SIZE": "4294967296", "PATH": "/usr/bin:/bin",
        ]
        .merging(more) { $1 }
        if hasJournal { try run("init").succeeded() }
    }

    @discardableResult
    func run(_ arguments: String..., input: [UInt8] = []) throws -> Outcome {
        try run(arguments, input: input)
    }

    func run(_ arguments: [String], input: [UInt8] = []) throws -> Outcome {
        try run(CommandLineTool.executable, arguments, input: input)
    }

    /// Runs any program with the environment of the tool.
    func run(_ program: String, _ arguments: [String], input: [UInt8] = []) throws -> Outcome {
        let all = variables.merging(SanitizerSettings.variables) { own, _ in own }
        return try Outcome(of: program, arguments, variables: all, input: input)
    }

    /// Runs a command that must succeed, and returns its output as JSON.
    @discardableResult
    func json(_ arguments: String..., input: [UInt8] = []) throws -> JSONValue {
        try run(arguments + ["--format", "json"], input: input).succeeded().json
    }

    /// Runs the replay tool on the journal.
    func replay(_ arguments: String...) throws -> Outcome {
        try run(ChildProcess.shipped("healthjournal-replay"), arguments)
    }

    /// Starts a command whose input and output are pipes.
    func start(_ arguments: String...) throws -> ChildProcess {
        try start(program: CommandLineTool.executable, arguments)
    }

    func start(program: String, _ arguments: [String]) throws -> ChildProcess {
        let all = variables.merging(SanitizerSettings.variables) { own, _ in own }
        return try ChildProcess(program: program, arguments, variables: all, messages: .discarded)
    }

    /// The position of the log's head; reading it appends nothing.
    var position: Int {
        get throws {
            let findings = try json("doctor").items
            let log = try #require(findings.first { $0["what"] == .string("log") })
            return try #require(Int(log.string("detail").prefix { $0.isNumber }))
        }
    }

    /// Creates the record of a person and returns its id.
    func person(_ name: String = "Ottilie") throws -> String {
        try json("record", "create", "--given-name", name, "--family-name", "Zumsteg").string("record")
    }

    func write(_ text: String, to name: String) throws -> String {
        try FileBytes.write(Array(text.utf8), to: folder.path + "/" + name)
        return folder.path + "/" + name
    }

    static let executable = ChildProcess.shipped("healthjournal")
}

extension Outcome {
    /// The output as JSON.
    var json: JSONValue { get throws { try JSONReader.read(output) } }

    /// Returns the outcome, or fails the test if the run did not succeed.
    @discardableResult
    func succeeded(_ location: SourceLocation = #_sourceLocation) throws -> Self {
        try #require(status == 0, "\(message)", sourceLocation: location)
        return self
    }
}

extension JSONValue {
    struct Unexpected: Error {
        let name: String
    }

    var items: [JSONValue] {
        if case .array(let items) = self { items } else { [] }
    }

    func string(_ name: String) throws -> String {
        guard case .string(let text)? = self[name] else { throw Unexpected(name: name) }
        return text
    }

    func integer(_ name: String) throws -> Int {
        guard case .number(let text)? = self[name], let number = Int(text) else { throw Unexpected(name: name) }
        return number
    }
}

extension ChildProcess {
    /// Reads lines to the end, and kills the tool after `limit` lines.
    func lines(killAfter limit: Int = .max) -> [String] {
        var lines: [String] = []
        while let line = readLine() {
            lines.append(line)
            if lines.count == limit { signal(SIGKILL) }
        }
        wait()
        return lines
    }
}
