internal import CaregiverPermissions
internal import Dispatch
package import EventLog
package import FoundationEssentials
internal import HealthModel
internal import Platform

/// What the log states about itself: its size, its proofs, and whether the clock and the checkpoints can be trusted.
///
/// Nothing here depends on the content of any event.
extension Journal {
    package var id: UUID { log.description.id }

    /// The position of the newest event; 0 if there is none.
    package func head() throws(EventLogError) -> UInt64 { try log.head() }

    package func checkpoint() throws(EventLogError) -> SignedCheckpoint { try log.checkpoint() }

    /// Proves that the log contains the event at a position.
    package func proof(of position: UInt64) throws(EventLogError) -> InclusionProof { try log.proof(of: position) }

    /// Proves that the log was only appended to since it had the given number of events.
    package func proof(thatExtends size: UInt64) throws(EventLogError) -> ConsistencyProof {
        try log.proof(thatExtends: size)
    }

    /// The error of the last attempt to write a checkpoint outside the log; nil if it succeeded.
    package var checkpointProblem: EventLogError? { log.checkpointProblem }

    /// How the clock disagrees with the log; nil if it does not.
    package var clockProblem: ClockProblem? { get throws(EventLogError) { try log.clockProblem } }

    /// The checkpoint that the log does not extend; nil if it extends all that are kept outside it.
    package var rollback: Rollback? { log.rollback }

    package var appendStatistics: AppendStatistics? { log.appendStatistics }
}

extension Journal {
    /// Verifies the whole log: every page, hash, seal and position.
    ///
    /// For callers who oversee the journal. It uses all processors while it runs.
    package func verifyLog(_ caller: Caller) async throws(JournalError) -> Verification {
        do {
            try await access.admit(caller, to: .oversee)
            let log = log
            return try await BlockingWork.run(on: Journal.verifying) { try log.verify() }
        } catch {
            throw JournalError(error)
        }
    }

    /// One verification runs at a time, and not on the threads that answer requests.
    private static let verifying = DispatchQueue(label: "org.healthjournal.verifications", qos: .utility)
}
