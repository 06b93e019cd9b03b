package import JournalCore

extension Journal {
    /// The clients of practices, and who waits for a free time.
    package struct Clients: Sendable {
        let journal: Journal
    }

    package var clients: Clients { Clients(journal: self) }
}
