internal import Foundation
internal import Glibc
internal import Platform

/// A program that a test starts; it is killed at the latest when this object is released.
///
/// Foundation's `Process` lists the open files and reads past the end of that list if there are more than 1,360 of
/// them, as when all tests have journals open. This type lets the system close them.
package final class ChildProcess: @unchecked Sendable {
    /// Where the program's standard error goes.
    package enum Messages {
        case shown, discarded, kept
    }

    private let id: pid_t
    private let input: Descriptor
    private let output: Descriptor
    private let messages: Descriptor?
    private var buffer: [UInt8] = []
    /// How the program ended, once that is known.
    private let ending = Guarded<Ending?>(nil)

    /// Starts a program with pipes to and from it; `variables` are its whole environment, or nil for that of this
    /// process.
    package init(
        program: String,
        _ arguments: [String],
        variables: [String: String]? = nil,
        messages: Messages = .shown,
        isHeard: Bool = true
    ) throws {
        let (input, output) = (try Pipe(), try Pipe())
        let said = messages == .kept ? try Pipe() : nil
        let nowhere = messages == .discarded ? try unsafe Descriptor(open("/dev/null", O_WRONLY | O_CLOEXEC)) : nil
        let error: Int32? =
            switch messages {
            case .shown: nil
            case .discarded: nowhere?.number
            case .kept: said?.writing.number
            }
        if !isHeard { output.reading.close() }
        id = try Spawn(program, arguments, variables)
            .run(input: input.reading.number, output: output.writing.number, messages: error)
        self.input = input.writing
        self.output = output.reading
        self.messages = said?.reading
    }

    /// Starts a tool of the tests, such as LogWriter; `variables` are added to the environment of this process.
    package convenience init(
        _ arguments: [String],
        variables: [String: String] = [:],
        tool: String = "LogWriter"
    ) throws {
        let all = ProcessInfo.processInfo.environment.merging(variables) { _, new in new }
        try self.init(program: ChildProcess.built(tool), arguments, variables: all)
    }

    deinit {
        kill9()
    }

    // MARK: Input

    /// Writes a line to the program's standard input.
    package func say(_ line: String) throws {
        try input.write(Array((line + "\n").utf8))
    }

    /// Writes a text to the program's standard input and closes it, on a thread of its own because a pipe may block.
    ///
    /// Errors are ignored: the program may end before it has read everything.
    package func feed(_ text: String) {
        Thread.detachNewThread { [input] in
            try? input.write(Array(text.utf8))
            input.close()
        }
    }

    /// Closes the program's standard input.
    package func endInput() {
        input.close()
    }

    // MARK: Output

    /// Returns the next line that the program prints, or nil when it has ended.
    package func readLine() -> String? {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                defer { buffer.removeFirst(end + 1) }
                return String(decoding: buffer[..<end], as: UTF8.self)
            }
            let more = output.read()
            // A partial line, cut off by a kill, is ignored.
            if more.isEmpty { return nil }
            buffer += more
        }
    }

    /// Returns all remaining lines, until the program ends.
    package func readLines() -> [String] {
        var lines: [String] = []
        while let line = readLine() { lines.append(line) }
        return lines
    }

    /// Returns all that the program wrote to its standard error, if that is kept.
    package func readMessages() -> String {
        String(decoding: messages?.readToEnd() ?? [], as: UTF8.self)
    }

    // MARK: Ending

    /// Sends the program a signal, unless it has ended: its process id may be another's by then.
    package func signal(_ number: Int32) {
        ending.withLock { ending in
            if ending == nil { _ = Glibc.kill(id, number) }
        }
    }

    package func kill9() {
        signal(SIGKILL)
        _ = waitForEnding()
    }

    /// Kills the program after a number of milliseconds, whatever it is doing.
    package func kill(after milliseconds: Int) {
        Thread.detachNewThread { [self] in
            usleep(UInt32(milliseconds) * 1_000)
            signal(SIGKILL)
        }
    }

    /// Waits for the program to end and returns its exit status, or the signal that ended it as a negative number.
    @discardableResult
    package func wait() -> Int32 {
        waitForEnding().status
    }

    /// Whether the program was ended by a signal; waits for it to end.
    package var wasKilled: Bool {
        if case .killed = waitForEnding() { true } else { false }
    }

    private func waitForEnding() -> Ending {
        // Waits without the lock, because a signal may have to end the program, and reaps it only under the lock.
        var info = unsafe siginfo_t()
        while ending.withLock({ $0 == nil }), unsafe waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) != 0,
            errno == EINTR
        {}
        return ending.withLock { ending in
            let known = ending ?? Ending(of: id) ?? .exited(-1)
            ending = known
            return known
        }
    }

    // MARK: Locations

    /// Returns the path of a program that the build has put beside the tests.
    package static func built(_ name: String) -> String { folder + "/" + name }

    /// Returns the path of a program that users have: of the release build if `HEALTHJOURNAL_TEST_PROGRAMS` names its
    /// folder, or else of the build of the tests.
    package static func shipped(_ name: String) -> String {
        ProcessInfo.processInfo.environment["HEALTHJOURNAL_TEST_PROGRAMS"].map { "\($0)/\(name)" } ?? built(name)
    }

    /// Returns the path of a library that the build has put beside the tests.
    package static func library(_ name: String) -> String { built("lib\(name).so") }

    private static let folder: String = {
        let own =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        let candidates = [own, CommandLine.arguments[0], Bundle.main.bundlePath + "/x"]
            .map { URL(filePath: $0).deletingLastPathComponent().path }
        return candidates.first { FileManager.default.isExecutableFile(atPath: $0 + "/LogWriter") } ?? candidates[0]
    }()
}
