import Glibc

/// The size of a terminal, in characters.
package struct TerminalSize: Hashable, Sendable {
    package var columns: Int
    package var rows: Int

    /// Returns the size of the terminal that a descriptor refers to; nil if it refers to none, or its size is not known.
    package init?(of descriptor: Int32) {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        (columns, rows) = (Int(size.ws_col), Int(size.ws_row))
    }
}
