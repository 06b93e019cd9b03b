import EventLog
import FoundationEssentials
import JournalEvents

/// Which events are about which record, for as many records as fit into a bound.
struct RecordPlaces {
    private let counts: [UUID: Int]

    /// All records of a log, in groups that have no more events together than `most`, but for one that has more alone.
    static func groups(of log: EventLog, through head: UInt64, atMost most: Int) throws -> [RecordPlaces] {
        var counts: [UUID: Int] = [:]
        try log.forEachFrame(through: head) { frame in
            counts[frame.subject, default: 0] += 1
            return true
        }
        var groups: [RecordPlaces] = []
        var group: [UUID: Int] = [:]
        var events = 0
        for (record, count) in counts {
            if events + count > most, !group.isEmpty {
                groups.append(RecordPlaces(counts: group))
                (group, events) = ([:], 0)
            }
            group[record] = count
            events += count
        }
        groups.append(RecordPlaces(counts: group))
        return groups
    }

    /// The positions of each record's events, in order.
    func gathered(_ log: EventLog, through head: UInt64) throws -> [ArraySlice<UInt64>] {
        var starts: [UUID: Int] = [:]
        var total = 0
        for (record, count) in counts {
            starts[record] = total
            total += count
        }
        var next = starts
        var positions = [UInt64](repeating: 0, count: total)
        try log.forEachFrame(through: head) { frame in
            guard let place = next[frame.subject] else { return true }
            positions[place] = frame.position
            next[frame.subject] = place + 1
            return true
        }
        return counts.map { record, count in
            let start = starts[record] ?? 0
            return positions[start..<(start + count)]
        }
    }
}
