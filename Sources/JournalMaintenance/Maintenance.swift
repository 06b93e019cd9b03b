package import JournalCore

extension Journal {
    /// Backups, restoring, keys, views, and the examination of the journal's health.
    package struct Maintenance: Sendable {
        let journal: Journal
    }

    package var maintenance: Maintenance { Maintenance(journal: self) }
}
