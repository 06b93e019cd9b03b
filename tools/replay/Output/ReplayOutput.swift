import Glibc
import Platform

/// Buffered output, by default to the standard output, written in large pieces.
final class ReplayOutput {
    /// The reader has closed the output.
    struct Closed: Error {}

    private static let pieceLength = 1 << 16

    private var descriptor: Int32
    /// Shows the output if it is longer than the terminal.
    private var pager: Pager?
    private var hasBegun = false
    /// Whether each row of a table is one line, however wide the terminal is.
    let isWide: Bool
    private var waiting: [UInt8] = []

    init(descriptor: Int32 = STDOUT_FILENO, isWide: Bool = false) {
        self.descriptor = descriptor
        self.isWide = isWide
        isTerminal = isatty(descriptor) == 1
        columns = TerminalSize(of: descriptor)?.columns
    }

    let isTerminal: Bool
    /// The width of the terminal; nil if the output is none.
    let columns: Int?

    func write(_ text: String) throws {
        waiting += text.utf8
        if waiting.count >= ReplayOutput.pieceLength { try flush() }
    }

    func line(_ text: String) throws {
        try write(text + "\n")
    }

    /// Writes what waits; a text that is longer than the terminal is shown page by page from its first piece on.
    func flush() throws {
        if !hasBegun, !waiting.isEmpty, descriptor == STDOUT_FILENO {
            hasBegun = true
            if let pager = Pager(for: waiting.count { $0 == UInt8(ascii: "\n") }, on: descriptor) {
                (self.pager, descriptor) = (pager, pager.descriptor)
            }
        }
        defer { waiting.removeAll(keepingCapacity: true) }
        do throws(StorageError) {
            try DescriptorWriter.write(waiting, to: descriptor, during: "write the output")
        } catch {
            throw error.isReaderGone ? Closed() : Failure(.failed, error.description)
        }
    }
}
