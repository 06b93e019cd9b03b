extension Journal {
    /// Records of people and animals: creating, changing, reading, finding and naming them, and what they cost.
    package struct Records: Sendable {
        let journal: Journal
    }

    package var records: Records { Records(journal: self) }
}
