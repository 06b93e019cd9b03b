internal import Foundation
internal import Glibc
internal import Synchronization

/// A tool of the tests, as LogWriter is, at work in a process of its own, killed at the latest when the test lets go of it.
package final class ChildProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var buffer: [UInt8] = []

    /// Starts it; `variables` are added to the environment of this process.
    package init(_ arguments: [String], variables: [String: String] = [:], tool: String = "LogWriter") throws {
        if !variables.isEmpty {
            process.environment = ProcessInfo.processInfo.environment.merging(variables) { _, new in new }
        }
        process.executableURL = URL(filePath: ChildProcess.path(of: tool))
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    deinit {
        if process.isRunning { kill9() }
    }

    /// The next line that it prints, or nil when it has ended.
    package func readLine() -> String? {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                defer { buffer.removeFirst(end + 1) }
                return String(decoding: buffer[..<end], as: UTF8.self)
            }
            let more = output.fileHandleForReading.availableData
            // A line that a kill cut off was not said.
            if more.isEmpty { return nil }
            buffer += more
        }
    }

    /// All lines from here to its end.
    package func readLines() -> [String] {
        var lines: [String] = []
        while let line = readLine() { lines.append(line) }
        return lines
    }

    package var isRunning: Bool { process.isRunning }

    /// Whether it ended by a signal, once it has ended.
    package var wasKilled: Bool { process.terminationReason == .uncaughtSignal }

    /// A library that the build has put beside it.
    package static func library(_ name: String) -> String {
        path(of: "lib\(name).so")
    }

    /// Lets it go on.
    package func say(_ line: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    package func kill9() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Waits for its end; answers its exit status.
    package func wait() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// What the build has put beside the test bundle.
    private static func path(of name: String) -> String { folder + "/" + name }

    private static let folder: String = {
        let own =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        let candidates = [own, CommandLine.arguments[0], Bundle.main.bundlePath + "/x"]
            .map { URL(filePath: $0).deletingLastPathComponent().path }
        return candidates.first { FileManager.default.isExecutableFile(atPath: $0 + "/LogWriter") } ?? candidates[0]
    }()
}
