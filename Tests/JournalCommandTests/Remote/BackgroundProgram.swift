import TestSupport
import Testing

/// A program that runs beside a test, from its first line of output on; killed when the test lets go of it.
struct BackgroundProgram: Sendable {
    let firstLine: String
    private let process: ChildProcess

    fileprivate init(_ process: ChildProcess) throws {
        firstLine = try #require(process.readLine(), "it did not start")
        self.process = process
    }
}

extension CommandLineTool {
    /// Runs a program beside the test, with what the tool is given to know.
    func background(_ program: String, _ arguments: [String]) throws -> BackgroundProgram {
        try BackgroundProgram(start(program: program, arguments))
    }
}
