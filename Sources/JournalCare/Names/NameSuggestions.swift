package import JournalCore

extension Journal {
    /// Suggestions of names while a person types, and entries drafted from a sentence.
    package struct NameSuggestions: Sendable {
        let journal: Journal
    }

    package var names: NameSuggestions { NameSuggestions(journal: self) }
}
