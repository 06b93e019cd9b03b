internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import LMDB

/// How a journal stands, in numbers that say nothing of anybody.
package struct Readiness: Hashable, Sendable {
    package struct View: Hashable, Sendable {
        package let name: String
        /// Events of the log that the view has not taken in yet.
        package let lag: UInt64
    }

    package let head: UInt64
    package let views: [View]
    package let readers: Int
    package let maximumReaders: Int
    /// Free space where the journal lies; nil when it cannot be told.
    package let freeBytes: UInt64?
    package let logBytes: UInt64
    /// Events that the newest checkpoint outside the log covers; 0 for none.
    package let checkpointSize: UInt64
    /// What keeps the journal from doing its work, in words for whoever runs it; empty when it can.
    package let problems: [String]
}

extension Journal {
    /// Free space below which the service asks for help, in bytes.
    private static var leastFreeBytes: UInt64 { 64 << 20 }

    /// How the journal stands.
    ///
    /// Nothing is read that anybody must be told of.
    package func readiness() -> Readiness {
        var problems: [String] = []
        let head = (try? log.head()) ?? 0
        if (try? log.head()) == nil { problems.append("the log cannot be read") }
        if let rollback = log.rollback { problems.append(rollback.message) }
        if let problem = log.checkpointProblem { problems.append("the checkpoint cannot be kept: \(problem.message)") }
        let free = Filesystem.freeBytes(at: log.folder.path)
        if let free, free < Journal.leastFreeBytes {
            problems.append("the disk is nearly full: \(free >> 20) MiB free")
        }
        let readers = log.readers
        return Readiness(
            head: head,
            views: Journal.viewNames.map { name in
                let checkpoint = (try? viewCheckpoint(name)) ?? 0
                return Readiness.View(name: name, lag: head > checkpoint ? head - checkpoint : 0)
            },
            readers: readers.used,
            maximumReaders: readers.maximum,
            freeBytes: free,
            logBytes: log.size.used,
            checkpointSize: (try? log.keptCheckpoint)?.checkpoint.size ?? 0,
            problems: problems
        )
    }

    /// Keeps the views up to date until the task is cancelled, so that whoever asks first need not wait for them.
    ///
    /// A view that stops is told by whoever asks it.
    package func keepViewsUpToDate() async {
        var done: UInt64 = 0
        while let head = try? await log.waitForEvents(after: done) {
            _ = viewFindings()
            // Nobody may ask for a long time, and what was erased is not kept until then.
            _ = try? cache.catchUp(with: log)
            done = head
        }
    }
}
