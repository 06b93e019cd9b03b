import EventLog
import FoundationEssentials
import HealthModel
import JournalEvents

/// Folds the whole log into records on one core: decrypts, decodes and applies each event.
///
/// Only one record at a time is in memory: a first pass over the headers determines the events of each record.
public struct FoldWork: Sendable {
    /// The maximum number of event positions in memory at once, at eight bytes each.
    private static let placesHeld = 2_000_000

    /// Creates the workload.
    public init() {}

    /// Runs the workload, and returns the measured values.
    public func run(in folder: WorkFolder) throws -> WorkResult {
        let log = try folder.open()
        defer { log.close() }
        let head = try log.head()
        var memory = AnonymousMemory()
        var entries = 0
        var events = 0
        let taken = try ContinuousClock()
            .measure {
                for places in try RecordPlaces.groups(of: log, through: head, atMost: FoldWork.placesHeld) {
                    for positions in try places.gathered(log, through: head) {
                        var state: RecordState?
                        try log.withSnapshot { snapshot in
                            for position in positions {
                                evolve(&state, try log.recorded(snapshot.frame(at: position)))
                            }
                        }
                        events += positions.count
                        entries += state?.entries.count ?? 0
                        memory.sample()
                    }
                }
            }
        guard events == Int(head), entries > 0 else { throw WorkError.wrongAnswer }
        return WorkResult("fold", events: events, in: taken).with("entries", entries)
            .with("anonymous_mib", memory.peakMiB)
    }
}
