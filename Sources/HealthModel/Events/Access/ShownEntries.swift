/// The entries of one kind that an access showed: all of them, or a run in the order of their addition.
///
/// A run has the same size for any number of entries. Together with the `version`, `happenedBy` and
/// `includesRetracted` of the `Access`, it identifies exactly which entries were shown.
package struct ShownEntries: Hashable, Sendable {
    /// The stable code of the kind.
    package var kind: UInt16
    /// The positions at which the first and the last entry were added; nil for all entries of the kind.
    package var added: ClosedRange<UInt64>?

    package init(kind: UInt16, added: ClosedRange<UInt64>? = nil) {
        self.kind = kind
        self.added = added
    }

    /// Returns one run for each kind of the given entries, sorted by the code of the kind.
    package static func runs(of entries: some Sequence<EntryState>) -> [ShownEntries] {
        var runs: [UInt16: ClosedRange<UInt64>] = [:]
        for entry in entries {
            let at = entry.added.position
            let known = runs[entry.kind.code] ?? at...at
            runs[entry.kind.code] = min(known.lowerBound, at)...max(known.upperBound, at)
        }
        return runs.sorted { $0.key < $1.key }.map { ShownEntries(kind: $0.key, added: $0.value) }
    }

    /// Returns one run for each of the given entries, which need not follow each other: entries of a period, or found ones.
    package static func each(of entries: some Sequence<EntryState>) -> [ShownEntries] {
        entries.map { ($0.kind.code, $0.added.position) }.sorted(by: <)
            .map { kind, at in ShownEntries(kind: kind, added: at...at) }
    }

    /// Returns one value without positions for each kind of the given entries, sorted by the code of the kind.
    package static func all(of entries: some Sequence<EntryState>) -> [ShownEntries] {
        Set(entries.map(\.kind.code)).sorted().map { ShownEntries(kind: $0) }
    }
}
