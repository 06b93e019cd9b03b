extension Journal {
    /// Entries of records and their files: adding, correcting, moving, undoing and reading them.
    package struct Entries: Sendable {
        let journal: Journal
    }

    package var entries: Entries { Entries(journal: self) }
}
