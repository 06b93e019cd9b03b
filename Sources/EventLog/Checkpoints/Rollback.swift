/// The finding that a log does not extend a checkpoint that is kept outside of it.
package struct Rollback: Hashable, Sendable {
    package enum Finding: Hashable, Sendable {
        /// The log has fewer events than the checkpoint covers.
        case shorter
        /// The log has enough events, but they are not those that the checkpoint covers.
        case rewritten
        /// The checkpoint cannot be compared with the log, for the given reason.
        case unusable(String)
        /// The key that signs the journal's checkpoints is missing, for the given reason: nothing is known of the log.
        case keyLost(String)
    }

    package let finding: Finding
    /// The path of the checkpoint.
    package let path: String
    /// The checkpoint; nil if it cannot be used.
    package let proven: Checkpoint?
    /// The number of events in the log.
    package let found: UInt64

    /// A description of the log that was found, the checkpoint that was proven, and the remedy.
    package var message: String {
        let accept = "accept it on purpose: healthjournal accept-log --reason TEXT"
        switch finding {
        case .shorter:
            return
                "the log contains \(found) events, but the checkpoint \(path) proves \(proven?.size ?? 0): "
                + "an older copy of the log was restored, or its end is lost. "
                + "Restore the whole journal from its newest backup, or \(accept)"
        case .rewritten:
            return
                "the log contains \(found) events, but its first \(proven?.size ?? 0) do not match the checkpoint "
                + "\(path): this is another log, or it was rewritten. Restore the journal from a backup, or \(accept)"
        case .unusable(let why):
            return "the checkpoint \(path) cannot be compared with the log (\(found) events): \(why). "
                + "Restore it from a backup with the log and keys that belong to it, or \(accept)"
        case .keyLost(let why):
            return "\(why). So the checkpoint \(path) cannot be verified, and nothing can be added; "
                + "the log itself may be unharmed (\(found) events). \(KeyFile.remedy)"
        }
    }

    var error: EventLogError { EventLogError(.rolledBack, message) }
}

/// How a log is opened that does not extend its kept checkpoint.
package enum RollbackPolicy: Hashable, Sendable {
    /// The log is not opened.
    case refuse
    /// The log is opened and reports the rollback; nothing can be appended until `acceptRollback`.
    case report
}
