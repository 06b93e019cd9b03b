internal import FoundationEssentials
internal import LMDB

/// A range of events whose recorded times are too late, because of an append under a fast clock.
package struct WrongTimes: Hashable, Sendable {
    package let first: UInt64
    package private(set) var last: UInt64
    /// A time that the clock showed while recorded times were later than it, in microseconds since 1970.
    package let clock: Int64
    /// The latest wrong recorded time, in microseconds since 1970.
    package private(set) var latest: Int64

    /// A description of the range in one sentence.
    package var message: String {
        "events \(first) to \(last) have recorded times up to \(ClockProblem.text(latest)), later than the true time: "
            + "the clock showed \(ClockProblem.text(clock)) then"
    }

    fileprivate mutating func extend(to position: UInt64, latest: Int64) {
        (last, self.latest) = (max(last, position), max(self.latest, latest))
    }
}

extension EventLog {
    /// Finds the events whose recorded times are wrong, from their headers alone.
    ///
    /// Most event ids contain the time at which they were made (UUIDv7). If this time is more than an hour before the
    /// recorded time of the event, the recorded time is assumed to repeat an earlier reading of a fast clock, because
    /// recorded times never decrease. The wrong range then starts at the first event that was recorded more than a
    /// minute after the time in the id. If the newest recorded time is more than a minute ahead of the present clock,
    /// the events that were recorded after this clock's time are reported too, which assumes that the present clock is
    /// right. Reads all headers.
    package func wrongTimes() throws(EventLogError) -> [WrongTimes] {
        do {
            var late: [(made: Int64, last: UInt64, latest: Int64)] = []
            var isOpen = false
            var newest = Int64.min
            let head = try head()
            try forEachFrame(through: head) { frame in
                newest = frame.recordedAt
                guard let made = frame.id.timeMade else { return true }
                if newest > made, newest - made > ClockGuard.allowedMove {
                    if !isOpen { late.append((made, frame.position, newest)) }
                    isOpen = true
                    late[late.count - 1].last = frame.position
                    late[late.count - 1].latest = newest
                } else {
                    isOpen = false
                }
                return true
            }
            let now = now()
            if head > 0, newest > now, newest - now > EventLog.noticeable { late.append((now, head, newest)) }
            return try joined(late)
        } catch {
            throw EventLogError(error, "the log cannot be read")
        }
    }

    /// The smallest difference between a recorded time and the clock that is reported, in microseconds.
    private static var noticeable: Int64 { 60_000_000 }

    private func joined(_ late: [(made: Int64, last: UInt64, latest: Int64)]) throws(EventLogError) -> [WrongTimes] {
        var ranges: [WrongTimes] = []
        for (made, last, latest) in late {
            let first = try position(recordedUpTo: made + EventLog.noticeable) + 1
            if let before = ranges.last, first <= before.last + 1 {
                ranges[ranges.count - 1].extend(to: last, latest: latest)
            } else {
                ranges.append(WrongTimes(first: first, last: last, clock: made, latest: latest))
            }
        }
        return ranges
    }
}

extension UUID {
    /// When a time-ordered id (UUIDv7) was made, in microseconds since 1970; nil for any other id.
    fileprivate var timeMade: Int64? {
        guard uuid.6 >> 4 == 7 else { return nil }
        let bytes = uuid
        let milliseconds = [bytes.0, bytes.1, bytes.2, bytes.3, bytes.4, bytes.5]
            .reduce(Int64(0)) { $0 << 8 | Int64($1) }
        return milliseconds * 1_000
    }
}
