package import JournalCore

extension Journal {
    /// Changes that devices made offline, and the pages from which replicas are filled.
    package struct Sync: Sendable {
        let journal: Journal
    }

    package var sync: Sync { Sync(journal: self) }
}
