import HealthJournal

extension Terminal {
    /// Asks whether to replace a grant, unless an option decides it; throws the refusal where there is no terminal to
    /// ask.
    static func requireReplacing(_ isChosen: Bool, or refusal: JournalError) throws {
        guard !isChosen else { return }
        guard isInteractive else { throw refusal }
        guard try confirms("Replace it?") else {
            throw JournalError(.conflict, field: "grant", "nothing was changed")
        }
    }
}
