extension Journal {
    /// Erasing records and entries, and what remains known of them.
    package struct Erasure: Sendable {
        let journal: Journal
    }

    package var erasure: Erasure { Erasure(journal: self) }
}
