import Foundation
import Glibc
import Interchange
import TestSupport
import Testing

/// The built `healthjournal`, run on a journal of its own with a home of its own.
final class CommandLineTool: Sendable {
    /// What a run came to.
    struct Outcome {
        let status: Int32
        let output: [UInt8]
        let message: String

        var text: String { String(decoding: output, as: UTF8.self) }

        /// The output as JSON.
        var json: JSONValue { get throws { try JSONReader.read(output) } }
    }

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
        let process = Process()
        // Files rather than pipes: neither side waits for the other.
        let place = folder.path + "/run-\(UUID().uuidString)"
        let (input, output, message) = try (file(place + ".in", input), file(place + ".out"), file(place + ".err"))
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.environment = variables.merging(SanitizerSettings.variables) { own, _ in own }
        process.standardInput = input
        process.standardOutput = output
        process.standardError = message
        try process.run()
        process.waitUntilExit()
        let outcome = Outcome(
            status: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
            output: try FileBytes.read(place + ".out"),
            message: String(decoding: try FileBytes.read(place + ".err"), as: UTF8.self)
        )
        for ending in [".in", ".out", ".err"] { try FileManager.default.removeItem(atPath: place + ending) }
        return outcome
    }

    private func file(_ path: String, _ bytes: [UInt8] = []) throws -> FileHandle {
        try FileBytes.write(bytes, to: path)
        return try #require(FileHandle(forUpdatingAtPath: path))
    }

    /// Runs a command that must succeed, and answers its JSON.
    @discardableResult
    func json(_ arguments: String..., input: [UInt8] = []) throws -> JSONValue {
        try run(arguments + ["--format", "json"], input: input).succeeded().json
    }

    /// A command that is under way, fed and read through pipes.
    func start(_ arguments: String...) throws -> RunningTool {
        try RunningTool(CommandLineTool.executable, arguments, variables)
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

    /// The tool lies beside the test bundle.
    static let executable: String = {
        let own =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        let candidates = [own, CommandLine.arguments[0], Bundle.main.bundlePath + "/x"]
            .map {
                URL(filePath: $0).deletingLastPathComponent().path + "/healthjournal"
            }
        return candidates.first { FileManager.default.isExecutableFile(atPath: $0) } ?? candidates[0]
    }()
}

extension CommandLineTool.Outcome {
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

/// A run of the tool that is under way; killed at the latest when the test lets go of it.
final class RunningTool: @unchecked Sendable {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    init(_ executable: String, _ arguments: [String], _ variables: [String: String]) throws {
        process.executableURL = URL(filePath: executable)
        process.arguments = arguments
        process.environment = variables.merging(SanitizerSettings.variables) { own, _ in own }
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        // A killed reader must not kill the one who writes to it.
        signal(SIGPIPE, SIG_IGN)
        // Another child that had this end too would keep the pipe open.
        for handle in [input.fileHandleForWriting, output.fileHandleForReading] {
            _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
        }
        try process.run()
    }

    deinit {
        if process.isRunning { kill9() }
    }

    /// Writes all there is, as far as the other side takes it; on a thread of its own, for pipes make one wait.
    func feed(_ text: String) {
        let handle = input.fileHandleForWriting
        Thread.detachNewThread {
            try? handle.write(contentsOf: Data(text.utf8))
            try? handle.close()
        }
    }

    /// Kills it after so many milliseconds, whatever it is at.
    func kill(after milliseconds: Int) {
        Thread.detachNewThread {
            usleep(UInt32(milliseconds) * 1_000)
            if self.process.isRunning { Glibc.kill(self.process.processIdentifier, SIGKILL) }
        }
    }

    /// Reads whole lines to the end, or until so many have come and the tool was killed.
    func lines(killAfter limit: Int = .max) -> [String] {
        var bytes: [UInt8] = []
        var count = 0
        var isKilled = false
        while case let more = output.fileHandleForReading.availableData, !more.isEmpty {
            bytes += more
            count += more.count { $0 == UInt8(ascii: "\n") }
            if count >= limit, !isKilled {
                isKilled = true
                Glibc.kill(process.processIdentifier, SIGKILL)
            }
        }
        process.waitUntilExit()
        let end = bytes.lastIndex(of: UInt8(ascii: "\n")) ?? -1
        return bytes[..<(end + 1)].split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }

    func kill9() {
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    var status: Int32 { process.terminationStatus }
}
