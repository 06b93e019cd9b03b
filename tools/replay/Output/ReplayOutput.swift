import Glibc
import Platform

/// Buffered output, by default to the standard output, written in large pieces.
final class ReplayOutput {
    /// The reader has closed the output.
    struct Closed: Error {}

    private static let pieceLength = 1 << 16

    private let descriptor: Int32
    /// Whether each row of a table is one line, however wide the terminal is.
    let isWide: Bool
    private var waiting: [UInt8] = []

    init(descriptor: Int32 = STDOUT_FILENO, isWide: Bool = false) {
        self.descriptor = descriptor
        self.isWide = isWide
    }

    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// The width of the terminal; nil if the output is none.
    var columns: Int? { TerminalSize(of: descriptor)?.columns }

    func write(_ text: String) throws {
        waiting += text.utf8
        if waiting.count >= ReplayOutput.pieceLength { try flush() }
    }

    func line(_ text: String) throws {
        try write(text + "\n")
    }

    func flush() throws {
        var done = 0
        defer { waiting.removeAll(keepingCapacity: true) }
        while done < waiting.count {
            let count = unsafe waiting[done...]
                .withUnsafeBytes { bytes in
                    unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
                }
            if count >= 0 {
                done += count
            } else if errno == EPIPE {
                throw Closed()
            } else if errno != EINTR {
                throw Failure(.failed, "the output cannot be written: \(unsafe String(cString: strerror(errno)))")
            }
        }
    }
}
