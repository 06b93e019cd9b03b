/// That a log is not the one that a checkpoint kept outside it proves.
package struct Rollback: Hashable, Sendable {
    package enum Finding: Hashable, Sendable {
        /// The log has fewer events than were proven.
        case shorter
        /// The log has events enough, and they are not those that were proven.
        case rewritten
        /// The checkpoint cannot be held against anything: why.
        case unusable(String)
    }

    package let finding: Finding
    /// The file of the checkpoint.
    package let path: String
    /// What it proves; nil where it cannot be used.
    package let proven: Checkpoint?
    /// How many events the log holds.
    package let found: UInt64

    /// What is there, what was proven, and what to do.
    package var message: String {
        let accept = "accept it on purpose: healthjournal accept-log --reason TEXT"
        switch finding {
        case .shorter:
            return
                "the log holds \(found) events, but the checkpoint \(path) proves \(proven?.size ?? 0): an older copy of "
                + "the log was put back, or its end is lost. Restore the whole journal from its newest backup, or \(accept)"
        case .rewritten:
            return
                "the log holds \(found) events, but its first \(proven?.size ?? 0) are not those that the checkpoint "
                + "\(path) proves: this is another log, or it was rewritten. Restore the journal from a backup, or \(accept)"
        case .unusable(let why):
            return "the checkpoint \(path) cannot be held against the log (\(found) events): \(why). "
                + "Restore it from a backup with the log and keys that belong to it, or \(accept)"
        }
    }

    var error: EventLogError { EventLogError(.rolledBack, message) }
}

/// What is done when a log does not extend the checkpoint that was kept of it.
package enum RollbackAnswer: Hashable, Sendable {
    /// The log is not opened.
    case refuse
    /// It is opened and says so. Nothing can be appended until `acceptRollback`.
    case tell
}
