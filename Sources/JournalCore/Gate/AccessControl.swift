extension Journal {
    /// Decides who may do what, records refusals, and writes every read into the audit trail.
    package struct AccessControl: Sendable {
        let journal: Journal
    }

    package var access: AccessControl { AccessControl(journal: self) }
}
