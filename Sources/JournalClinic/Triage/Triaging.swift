package import JournalCore

extension Journal {
    /// Triage: assessments, the board, and the rules that a practice adopts.
    package struct Triaging: Sendable {
        let journal: Journal
    }

    package var triage: Triaging { Triaging(journal: self) }
}
