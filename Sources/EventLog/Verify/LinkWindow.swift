/// The marks of the newest events, against which links back are held without reading the log again.
///
/// Most links lead a short way back: of each two events of a stream one skips to the event before it, of each four one over
/// three, and so on. What leads further back is looked up in the file.
struct LinkWindow {
    /// 4 Mi events, in 32 MiB.
    private static let capacity: UInt64 = 1 << 22

    private var marks: [UInt64] = []
    private let start: UInt64
    private var newest: UInt64

    /// A window that begins after a position.
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

    /// The mark of an event, 0 if it is not to be trusted, nil if it lies too far back.
    func mark(at position: UInt64) -> UInt64? {
        guard position > start, position <= newest, newest - position < UInt64(marks.count) else { return nil }
        return marks[Int((position - 1 - start) % LinkWindow.capacity)]
    }
}
