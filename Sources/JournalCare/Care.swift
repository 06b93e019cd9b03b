package import JournalCore

extension Journal {
    /// Plans and doses: what is due, what was taken, and how long the stock lasts.
    package struct Care: Sendable {
        let journal: Journal
    }

    package var care: Care { Care(journal: self) }
}
