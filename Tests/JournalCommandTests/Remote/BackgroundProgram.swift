import Glibc
import TestSupport
import Testing

/// A program that runs during a test.
///
/// The initializer waits for its first line of output. The program is killed when this value is released.
struct BackgroundProgram: Sendable {
    let firstLine: String
    private let process: ChildProcess

    fileprivate init(_ process: ChildProcess) throws {
        firstLine = try #require(process.readLine(), "it did not start")
        self.process = process
    }

    /// Asks the program to end, waits until it has, and returns its status.
    @discardableResult
    func stop() -> Int32 {
        process.signal(SIGTERM)
        return process.wait()
    }

    /// Kills the program, and waits for its end.
    func kill() {
        process.signal(SIGKILL)
        process.wait()
    }
}

extension CommandLineTool {
    /// Starts a program in the background with the environment of the tool.
    func background(_ program: String, _ arguments: [String]) throws -> BackgroundProgram {
        try BackgroundProgram(start(program: program, arguments))
    }
}
