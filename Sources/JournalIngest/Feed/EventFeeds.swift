package import JournalCore

extension Journal {
    /// Events for programs that follow the journal.
    package struct EventFeeds: Sendable {
        let journal: Journal
    }

    package var feeds: EventFeeds { EventFeeds(journal: self) }
}
