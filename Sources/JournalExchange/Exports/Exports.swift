package import JournalCore

extension Journal {
    /// Records as documents for other programs.
    package struct Exports: Sendable {
        let journal: Journal
    }

    package var exports: Exports { Exports(journal: self) }
}
