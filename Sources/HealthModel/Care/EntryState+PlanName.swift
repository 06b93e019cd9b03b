extension EntryState {
    /// The name of the medication or the supplement; nil for another kind of entry.
    package var planName: String? {
        guard Plan.kinds.contains(kind) else { return nil }
        return content.body.text(Drug.name) ?? content.body.text(Drug.rawText)
    }
}
