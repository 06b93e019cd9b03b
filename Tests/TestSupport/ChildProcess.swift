internal import Foundation
internal import Glibc
internal import Synchronization

/// A program that a test starts, killed at the latest when the test lets go of it.
///
/// Foundation's `Process` lists the files that are open and reads past the end of that list where there are over 1,360
/// of them, as there are when all tests have journals open. This one lets the system close them.
package final class ChildProcess: @unchecked Sendable {
    /// Where what it says on standard error goes.
    package enum Messages {
        case shown, discarded, kept
    }

    private let id: pid_t
    private let input: Descriptor
    private let output: Descriptor
    private let messages: Descriptor?
    private var buffer: [UInt8] = []
    /// How it ended, once it is known.
    private let ending = Mutex<Ending?>(nil)

    /// Starts a program with pipes to and from it; `variables` are its whole environment, or nil for that of this process.
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

    /// Starts a tool of the tests, as LogWriter is; `variables` are added to the environment of this process.
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

    // MARK: What is said to it

    /// Says a line to it.
    package func say(_ line: String) throws {
        try input.write(Array((line + "\n").utf8))
    }

    /// Says all there is, as far as the other side takes it, and that this was all; on a thread of its own, for pipes make one wait.
    package func feed(_ text: String) {
        Thread.detachNewThread { [input] in
            try? input.write(Array(text.utf8))
            input.close()
        }
    }

    /// Tells it that there is no more to come.
    package func endInput() {
        input.close()
    }

    // MARK: What it says

    /// The next line that it prints, or nil when it has ended.
    package func readLine() -> String? {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                defer { buffer.removeFirst(end + 1) }
                return String(decoding: buffer[..<end], as: UTF8.self)
            }
            let more = output.read()
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

    /// All that it says on standard error, where that is kept.
    package func readMessages() -> String {
        String(decoding: messages?.readToEnd() ?? [], as: UTF8.self)
    }

    // MARK: Its end

    /// Sends it a signal, unless it has ended: its number may be another's by then.
    package func signal(_ number: Int32) {
        ending.withLock { ending in
            if ending == nil { _ = Glibc.kill(id, number) }
        }
    }

    package func kill9() {
        signal(SIGKILL)
        _ = waitForEnding()
    }

    /// Kills it after so many milliseconds, whatever it is at.
    package func kill(after milliseconds: Int) {
        Thread.detachNewThread { [self] in
            usleep(UInt32(milliseconds) * 1_000)
            signal(SIGKILL)
        }
    }

    /// Waits for its end; answers its exit status, or the signal that ended it as a negative number.
    @discardableResult
    package func wait() -> Int32 {
        waitForEnding().status
    }

    /// Whether it ended by a signal, once it has ended.
    package var wasKilled: Bool {
        if case .killed = waitForEnding() { true } else { false }
    }

    private func waitForEnding() -> Ending {
        // Waited for outside the lock, for a signal may have to end it, and left there until the lock is held.
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

    // MARK: Where programs are

    /// A program that the build has put beside the tests.
    package static func built(_ name: String) -> String { folder + "/" + name }

    /// A library that the build has put there.
    package static func library(_ name: String) -> String { built("lib\(name).so") }

    private static let folder: String = {
        let own =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        let candidates = [own, CommandLine.arguments[0], Bundle.main.bundlePath + "/x"]
            .map { URL(filePath: $0).deletingLastPathComponent().path }
        return candidates.first { FileManager.default.isExecutableFile(atPath: $0 + "/LogWriter") } ?? candidates[0]
    }()
}
