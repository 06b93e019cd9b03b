import Foundation
import Glibc
import Interchange
import TestSupport
import Testing

/// The built `healthjournal`, run on a journal of its own with a home of its own.
final class CommandLineTool: Sendable {
    let folder: TemporaryFolder
    private let variables: [String: String]

    var journal: String { folder.path + "/journal" }

    /// An empty journal, unless `isEmpty` asks for none at all.
    init(hasJournal: Bool = true, _ more: [String: String] = [:]) throws {
        folder = try TemporaryFolder()
        variables = [
            "HEALTHJOURNAL_DIR": folder.path + "/journal", "XDG_CONFIG_HOME": folder.path + "/config",
            "HOME": folder.path, "HEALTHJOURNAL_MAP_SIZE": "4294967296", "PATH": "/usr/bin:/bin",
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

    /// Runs any program as the tool is run.
    func run(_ program: String, _ arguments: [String], input: [UInt8] = []) throws -> Outcome {
        let all = variables.merging(SanitizerSettings.variables) { own, _ in own }
        return try Outcome(of: program, arguments, variables: all, input: input)
    }

    /// Runs a command that must succeed, and answers its JSON.
    @discardableResult
    func json(_ arguments: String..., input: [UInt8] = []) throws -> JSONValue {
        try run(arguments + ["--format", "json"], input: input).succeeded().json
    }

    /// A command that is under way, fed and read through pipes.
    func start(_ arguments: String...) throws -> ChildProcess {
        try start(CommandLineTool.executable, arguments)
    }

    /// The same of any program.
    func start(_ program: String, _ arguments: [String]) throws -> ChildProcess {
        let all = variables.merging(SanitizerSettings.variables) { own, _ in own }
        return try ChildProcess(program: program, arguments, variables: all, messages: .discarded)
    }

    /// Where the log ends; asking appends nothing.
    var position: Int {
        get throws {
            let findings = try json("doctor").items
            let log = try #require(findings.first { $0["what"] == .string("log") })
            return try #require(Int(log.string("detail").prefix { $0.isNumber }))
        }
    }

    /// Makes the record of a person.
    func person(_ name: String = "Ottilie") throws -> String {
        try json("record", "create", "--given-name", name, "--family-name", "Zumsteg").string("record")
    }

    func write(_ text: String, to name: String) throws -> String {
        try FileBytes.write(Array(text.utf8), to: folder.path + "/" + name)
        return folder.path + "/" + name
    }

    static let executable = ChildProcess.built("healthjournal")
}

extension Outcome {
    /// The output as JSON.
    var json: JSONValue { get throws { try JSONReader.read(output) } }

    /// The outcome, if the run succeeded.
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
    /// Reads whole lines to the end, or until so many have come and the tool was killed.
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
