internal import Foundation
internal import Glibc

/// The result of a program that ran to its end.
package struct Outcome: Sendable {
    /// Its exit status, or the signal that ended it as a negative number.
    package let status: Int32
    package let output: [UInt8]
    package let message: String

    package var text: String { String(decoding: output, as: UTF8.self) }

    /// Runs a program to its end; `variables` are its whole environment, or nil for that of this process.
    package init(
        of program: String,
        _ arguments: [String],
        variables: [String: String]? = nil,
        input: [UInt8] = []
    ) throws {
        // Files instead of pipes, so that neither side waits for the other.
        let (given, output, messages) = (
            try Descriptor.unnamedFile(), try Descriptor.unnamedFile(), try Descriptor.unnamedFile()
        )
        try given.write(input)
        given.rewind()
        let child = try Spawn(program, arguments, variables)
            .run(input: given.number, output: output.number, messages: messages.number)
        status = Ending(of: child)?.status ?? -1
        output.rewind()
        messages.rewind()
        self.output = output.readToEnd()
        message = String(decoding: messages.readToEnd(), as: UTF8.self)
    }
}
