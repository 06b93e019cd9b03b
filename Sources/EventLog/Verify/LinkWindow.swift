/// The marks of the newest events, with which backward links are checked without reading the log again.
///
/// Most links are short: the skip link of half of a stream's events leads back by one version, of a quarter by two, of
/// an eighth by four, and so on. The targets of longer links are looked up in the file.
struct LinkWindow {
    /// 4 Mi events, in 32 MiB.
    private static let capacity: UInt64 = 1 << 22

    private var marks: [UInt64] = []
    private let start: UInt64
    private var newest: UInt64

    /// Creates a window that begins after a position.
    init(after start: UInt64) {
        self.start = start
        newest = start
    }

    mutating func append(_ mark: UInt64) {
        if UInt64(marks.count) < LinkWindow.capacity {
            marks.append(mark)
        } else {
            marks[Int((newest - start) % LinkWindow.capacity)] = mark
        }
        newest += 1
    }

    /// Returns the mark of an event, 0 if the event is not trusted, or nil if it is outside the window.
    func mark(at position: UInt64) -> UInt64? {
        guard position > start, position <= newest, newest - position < UInt64(marks.count) else { return nil }
        return marks[Int((position - 1 - start) % LinkWindow.capacity)]
    }
}
