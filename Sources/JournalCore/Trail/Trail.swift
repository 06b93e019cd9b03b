extension Journal {
    /// The audit trail: the histories of records and entries, who looked, and how two states differ.
    package struct Trail: Sendable {
        let journal: Journal
    }

    package var trail: Trail { Trail(journal: self) }
}
