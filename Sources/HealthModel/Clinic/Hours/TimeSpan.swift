/// A time from its start up to, and not including, its end.
package struct TimeSpan: Hashable, Sendable {
    package let start: Instant
    package let end: Instant

    /// Nil unless the end is after the start.
    package init?(_ start: Instant, _ end: Instant) {
        guard start < end else { return nil }
        self.start = start
        self.end = end
    }

    /// Nil unless the number of minutes is positive.
    package init?(start: Instant, minutes: Int) {
        self.init(start, start.adding(minutes: minutes))
    }

    /// Whole minutes, rounded down.
    package var minutes: Int { Int((end.microseconds - start.microseconds) / Instant.microsecondsPerMinute) }

    /// The UTC days that the span touches.
    package var days: ClosedRange<Day> {
        Day(of: start)...Day(of: Instant(microseconds: end.microseconds - 1))
    }

    package func overlaps(_ other: TimeSpan) -> Bool { start < other.end && other.start < end }

    package func contains(_ other: TimeSpan) -> Bool { start <= other.start && other.end <= end }

    package func contains(_ instant: Instant) -> Bool { start <= instant && instant < end }

    /// Returns the span with so many minutes more before and after it; neither number is negative.
    package func widened(before: Int, after: Int) -> TimeSpan {
        TimeSpan(start.adding(minutes: -before), end.adding(minutes: after)) ?? self
    }
}

extension Instant {
    package static let microsecondsPerMinute: Int64 = 60 * microsecondsPerSecond
}

extension [TimeSpan] {
    /// The same times in ascending order, with spans that touch or overlap joined to one.
    package var joined: [TimeSpan] {
        var result: [TimeSpan] = []
        for span in sorted(by: { ($0.start, $0.end) < ($1.start, $1.end) }) {
            if let last = result.last, span.start <= last.end {
                result[result.count - 1] = TimeSpan(last.start, Swift.max(last.end, span.end)) ?? last
            } else {
                result.append(span)
            }
        }
        return result
    }

    /// The times that are in both this joined list and another joined list.
    package func intersection(_ others: [TimeSpan]) -> [TimeSpan] {
        var result: [TimeSpan] = []
        var (left, right) = (0, 0)
        while left < count, right < others.count {
            let (a, b) = (self[left], others[right])
            if let common = TimeSpan(Swift.max(a.start, b.start), Swift.min(a.end, b.end)) { result.append(common) }
            if a.end <= b.end { left += 1 } else { right += 1 }
        }
        return result
    }

    /// The times of this joined list that are not in another joined list.
    package func subtracting(_ others: [TimeSpan]) -> [TimeSpan] {
        var result: [TimeSpan] = []
        var next = 0
        for span in self {
            var start = span.start
            while next < others.count, others[next].end <= start { next += 1 }
            var index = next
            while index < others.count, others[index].start < span.end {
                if let free = TimeSpan(start, others[index].start) { result.append(free) }
                start = Swift.max(start, others[index].end)
                index += 1
            }
            if let rest = TimeSpan(start, span.end) { result.append(rest) }
        }
        return result
    }
}
