package import JournalCore

extension Journal {
    /// Documents of other programs, and taking an import back.
    package struct Imports: Sendable {
        let journal: Journal
    }

    package var imports: Imports { Imports(journal: self) }
}
