package import JournalCore

extension Journal {
    /// Reminders of doses and stock: their channels, and calendars that others subscribe to.
    package struct Reminders: Sendable {
        let journal: Journal
    }

    package var reminders: Reminders { Reminders(journal: self) }
}
