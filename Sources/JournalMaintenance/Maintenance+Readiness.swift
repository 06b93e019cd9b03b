internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import JournalCore
internal import LMDB
internal import Platform
internal import ProjectionKit

/// The health of a journal, in numbers that contain no personal data.
package struct Readiness: Hashable, Sendable {
    package struct View: Hashable, Sendable {
        package let name: String
        /// The number of events that the view has not processed yet.
        package let lag: UInt64
    }

    package let head: UInt64
    package let views: [View]
    package let readers: Int
    package let maximumReaders: Int
    /// The number of commits since the oldest snapshot of the log that any process holds.
    ///
    /// Pages freed by these commits cannot be reused.
    package let oldestReaderCommits: UInt64
    /// The time for which that snapshot has been held, in seconds, as far as this process has observed.
    package let oldestReaderSeconds: Int
    /// The free space on the journal's disk, in bytes; nil if it cannot be determined.
    package let freeBytes: UInt64?
    /// The disk space that is held in reserve for reads and erasures, in bytes; nil if there is no reserve.
    package let reserveBytes: Int?
    package let logBytes: UInt64
    /// The number of events that the newest checkpoint outside the log covers; 0 if there is none.
    package let checkpointSize: UInt64
    /// Whether a witness said at the last publication that it had seen another history of the log.
    package let hasWitnessAlarm: Bool
    /// What prevents the journal from working, as messages for the operator; empty if nothing does.
    package let problems: [String]
    /// What will become a problem if nothing is done, such as little disk space.
    package let warnings: [String]
}

extension Journal.Maintenance {
    /// The free space below which the service reports a problem, in bytes.
    private static var leastFreeBytes: UInt64 { 64 << 20 }

    /// Returns the health of the journal.
    ///
    /// Reads nothing that must be recorded in the audit log.
    package func readiness() -> Readiness {
        var problems: [String] = []
        let head = (try? journal.log.head()) ?? 0
        if (try? journal.log.head()) == nil { problems.append("the log cannot be read") }
        if let rollback = journal.log.rollback { problems.append(rollback.message) }
        if let problem = try? journal.log.clockProblem { problems.append(problem.message) }
        if let problem = journal.log.checkpointProblem {
            problems.append("the checkpoint cannot be stored: \(problem.message)")
        }
        let undone = journal.undoneErasures
        if !undone.isEmpty { problems.append(undone.sentence) }
        problems += journal.viewProblems(at: head)
        let free = Filesystem.freeBytes(at: journal.log.folder.path)
        if let free, free < Self.leastFreeBytes {
            problems.append(
                "the disk is nearly full: \(free >> 20) MiB free; without free space, changes are refused, "
                    + "and only reads and erasures are possible, in their reserve"
            )
        }
        journal.log.refillReserve()
        let reserve = journal.log.reserveStatus
        if let reserve, reserve.isInUse {
            problems.append(
                "the disk is full: only reads and erasures are recorded, in the rest of their reserve, "
                    + "\(reserve.held >> 20) of \(reserve.size >> 20) MiB; once it is used up, nothing can be read"
            )
        }
        var warnings: [String] = []
        if let free, free < Self.scarceBytes {
            warnings.append("the disk is filling up: \(free >> 20) MiB free")
        }
        if let reserve, !reserve.isMade { warnings.append("there is no disk reserve: reads would fail on a full disk") }
        if let problem = journal.masterKeyProblem {
            problems.append("the service cannot be started again: \(problem)")
            warnings.append(
                "the file of the master key cannot be used: the service cannot be started again; put the file back"
            )
        }
        let hasWitnessAlarm = !journal.log.witnessAlarms.isEmpty
        if hasWitnessAlarm {
            warnings.append("a witness has seen another history of the log: run healthjournal doctor")
        }
        let readers = journal.log.readers
        let oldest = journal.log.oldestReader
        return Readiness(
            head: head,
            views: Journal.viewNames.map { name in
                let checkpoint = (try? journal.viewCheckpoint(name, at: head)) ?? 0
                return Readiness.View(name: name, lag: head > checkpoint ? head - checkpoint : 0)
            },
            readers: readers.used,
            maximumReaders: readers.maximum,
            oldestReaderCommits: oldest?.age ?? 0,
            oldestReaderSeconds: journal.readerWatch.age(of: oldest),
            freeBytes: free,
            reserveBytes: reserve?.held,
            logBytes: journal.log.size.used,
            checkpointSize: (try? journal.log.keptCheckpoint)?.checkpoint.size ?? 0,
            hasWitnessAlarm: hasWitnessAlarm,
            problems: problems,
            warnings: warnings
        )
    }

    /// Releases the reader slots of killed processes, periodically until the task is cancelled.
    ///
    /// Each old snapshot that they hold makes every commit grow the file.
    package func clearStaleReaders() async {
        repeat {
            journal.log.clearStaleReaders()
            journal.views.clearStaleReaders()
            _ = journal.readerWatch.age(of: journal.log.oldestReader)
        } while (try? await Task.sleep(for: .seconds(Environment.clearingInterval))) != nil
    }

    /// Keeps the views up to date until the task is cancelled, so that the first query does not wait for them.
    ///
    /// An error of a view is reported by the next query of that view.
    package func keepViewsUpToDate() async {
        var done: UInt64 = 0
        while !Task.isCancelled {
            guard let head = try? await journal.log.waitForEvents(after: done) else {
                // The log could not be read, which queries and the readiness report; the sleep ends on cancellation.
                try? await Task.sleep(for: .seconds(1))
                continue
            }
            // Not on this thread: after a power failure it may take minutes.
            await BlockingWork.run {
                _ = journal.viewFindings()
                // Without requests, the cache would otherwise keep data of erased records for a long time.
                _ = try? journal.cache.catchUp(with: journal.log)
            }
            done = head
        }
    }
}
