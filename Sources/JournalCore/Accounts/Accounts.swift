extension Journal {
    /// Accounts: adding and removing them, signing in, passwords, tokens, and what they set for themselves.
    package struct Accounts: Sendable {
        let journal: Journal
    }

    package var accounts: Accounts { Accounts(journal: self) }
}
