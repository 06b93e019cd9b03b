package import JournalCore

extension Journal {
    /// Practices, with their members, services, rooms, specialists and sources of appointments.
    package struct Practices: Sendable {
        let journal: Journal
    }

    package var practices: Practices { Practices(journal: self) }
}
