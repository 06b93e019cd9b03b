import EventLog
import FoundationEssentials
import JournalEvents

/// The number of events of each record, for a group of records with a bounded number of events.
struct RecordPlaces {
    private let counts: [UUID: Int]

    /// Splits the records of a log into groups of at most `most` events; a record with more is a group by itself.
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

    /// Returns the positions of each record's events, in order.
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
