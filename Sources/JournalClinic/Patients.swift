package import JournalCore

extension Journal {
    /// The patients of practices: registrations, recalls, and what practices wrote about them.
    package struct Patients: Sendable {
        let journal: Journal
    }

    package var patients: Patients { Patients(journal: self) }
}
