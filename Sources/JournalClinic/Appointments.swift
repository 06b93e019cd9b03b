package import JournalCore

extension Journal {
    /// Appointments: free times, booking, changing, moving and blocking.
    package struct Appointments: Sendable {
        let journal: Journal
    }

    package var appointments: Appointments { Appointments(journal: self) }
}
