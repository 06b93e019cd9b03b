import FoundationEssentials

/// The clock that a person reads: the time in UTC, plus the offset of the time zone in which the person is.
///
/// A change of the zone's own offset and a journey to another zone are both jumps of this clock.
package struct PersonClock: Hashable, Sendable {
    /// The offset before the first jump, in seconds east of UTC.
    private let initial: Int
    /// In ascending order of time.
    private let jumps: [Jump]
    /// The least and the greatest offset.
    private let offsets: ClosedRange<Int>

    private struct Jump: Hashable {
        let at: Instant
        /// The offset before it and from it on, in seconds east of UTC.
        let before: Int
        let after: Int
    }

    /// Creates the clock of a person; throws an error if the table does not contain a zone.
    package init(_ history: ZoneHistory, _ table: ZoneTable) throws(ModelError) {
        let first = try table.offsets(of: history.home)
        var stays: [(from: Instant, zone: ZoneOffsets)] = [(Instant(microseconds: .min), first)]
        for change in history.changes { stays.append((change.from, try table.offsets(of: change.zone))) }
        var jumps: [Jump] = []
        var offset = first.initial
        func jump(at instant: Instant, to after: Int) {
            if after != offset { jumps.append(Jump(at: instant, before: offset, after: after)) }
            offset = after
        }
        for (index, stay) in stays.enumerated() {
            let end = index + 1 < stays.count ? stays[index + 1].from : Instant(microseconds: .max)
            if stay.from >= end { continue }
            if index > 0 { jump(at: stay.from, to: stay.zone.offset(at: stay.from)) }
            for change in stay.zone.changes {
                let at = Instant(microseconds: change.at * Instant.microsecondsPerSecond)
                if at > stay.from, at < end { jump(at: at, to: change.offset) }
            }
        }
        self.jumps = jumps
        initial = first.initial
        let all = [initial] + jumps.map(\.after)
        offsets = (all.min() ?? initial)...(all.max() ?? initial)
    }

    /// Returns the offset at an instant, in seconds east of UTC.
    package func offset(at instant: Instant) -> Int {
        let count = jumps.partitioningIndex { $0.at > instant }
        return count == 0 ? initial : jumps[count - 1].after
    }

    /// Returns what the clock shows at an instant, without the seconds.
    package func wall(at instant: Instant) -> WallMoment {
        let local = instant.microseconds + Int64(offset(at: instant)) * Instant.microsecondsPerSecond
        let (day, rest) = local.dividedRoundingDown(by: Instant.microsecondsPerDay)
        return WallMoment(
            day: Day(daysSince1970: Int32(clamping: day)),
            time: WallTime(minutes: Int(rest / (60 * Instant.microsecondsPerSecond)))
        )
    }

    /// Returns the day that the clock shows at an instant.
    package func day(at instant: Instant) -> Day { wall(at: instant).day }

    /// A moment at which the clock shows a time of a day.
    package struct Moment: Hashable, Sendable {
        package let instant: Instant
        /// Whether the clock jumped over the time, and so never shows it.
        package let isInGap: Bool
    }

    /// Returns the first moment at which the clock shows a time of a day; by default, the start of the day.
    ///
    /// A time over which the clock jumped is read with the offset before the jump, as by RFC 5545, section 3.3.5.
    package func moment(of wall: WallMoment) -> Moment {
        let minutes = Int64(wall.day.daysSince1970) * 1_440 + Int64(wall.time?.minutes ?? 0)
        let local = minutes * 60 * Instant.microsecondsPerSecond
        func instant(_ offset: Int) -> Instant {
            Instant(microseconds: local - Int64(offset) * Instant.microsecondsPerSecond)
        }
        let (earliest, latest) = (instant(offsets.upperBound), instant(offsets.lowerBound))
        var gap = earliest
        var isInGap = false
        // The clock shows the time between `earliest` and `latest`, or never.
        for index in jumps.partitioningIndex({ $0.at > earliest })...jumps.count {
            let found = instant(index == 0 ? initial : jumps[index - 1].after)
            guard index < jumps.count else {
                if index == 0 || found >= jumps[index - 1].at { return Moment(instant: found, isInGap: false) }
                break
            }
            let next = jumps[index]
            if found < next.at, index == 0 || found >= jumps[index - 1].at {
                return Moment(instant: found, isInGap: false)
            }
            if !isInGap, found >= next.at, instant(next.after) < next.at { (gap, isInGap) = (found, true) }
            if next.at > latest { break }
        }
        return Moment(instant: gap, isInGap: isInGap)
    }

    /// Returns the last moment at which the clock shows a time of a day; a time that it skips is as in `moment(of:)`.
    package func lastMoment(of wall: WallMoment) -> Instant {
        let first = moment(of: wall)
        guard !first.isInGap else { return first.instant }
        var last = first.instant
        for index in jumps.partitioningIndex({ $0.at > first.instant })..<jumps.count {
            let jump = jumps[index]
            // A clock that is set back shows the time again if the jump passes over it.
            let again = Instant(
                microseconds: first.instant.microseconds
                    + Int64(offset(at: first.instant) - jump.after) * Instant.microsecondsPerSecond
            )
            guard jump.at <= first.instant.adding(minutes: 1_440) else { break }
            if again >= jump.at, index + 1 == jumps.count || again < jumps[index + 1].at { last = max(last, again) }
        }
        return last
    }
}

extension ZoneOffsets {
    /// Returns the offset at an instant, in seconds east of UTC.
    package func offset(at instant: Instant) -> Int {
        let count = changes.partitioningIndex { $0.at * Instant.microsecondsPerSecond > instant.microseconds }
        return count == 0 ? initial : changes[count - 1].offset
    }
}

extension ZoneTable {
    fileprivate func offsets(of zone: String) throws(ModelError) -> ZoneOffsets {
        guard let offsets = zones[zone] else {
            throw ModelError(.invalid, field: "zone", "this machine's table of time zones does not contain this zone")
        }
        return offsets
    }
}

extension Array {
    /// Returns the index of the first element that belongs to the second part, in an array partitioned by `isSecond`.
    func partitioningIndex(_ isSecond: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isSecond(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
