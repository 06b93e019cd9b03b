package import FoundationEssentials

extension EntryState {
    /// The name of the medication or the supplement; nil for another kind of entry.
    package var planName: String? {
        guard Plan.kinds.contains(kind) else { return nil }
        return content.body.text(Drug.name) ?? content.body.text(Drug.rawText)
    }
}

extension Sequence<EntryState> {
    /// The names of the medications and supplements among the entries, by entry id.
    package var planNames: [UUID: String] {
        reduce(into: [:]) { names, entry in
            if let name = entry.planName { names[entry.id] = name }
        }
    }
}
