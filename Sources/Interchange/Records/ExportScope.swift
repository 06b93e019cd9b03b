package import HealthModel

/// Selects the entries of a record that an export contains.
package struct ExportScope: Hashable, Sendable {
    /// The sections that the reader may see; nil for all of them.
    package var sections: Set<Section>?
    /// The kinds that were requested; nil for all of them.
    package var kinds: Set<Kind>?
    /// Only entries that occurred by this day.
    ///
    /// Entries without a date are included: an allergy must not disappear because it has no date.
    package var happenedBy: Day?
    package var includeRetracted: Bool

    package init(
        sections: Set<Section>? = nil,
        kinds: Set<Kind>? = nil,
        happenedBy: Day? = nil,
        includeRetracted: Bool = false
    ) {
        self.sections = sections
        self.kinds = kinds
        self.happenedBy = happenedBy
        self.includeRetracted = includeRetracted
    }

    package func includes(_ entry: EntryState) -> Bool {
        includes(entry.content.kind)
            && (includeRetracted || entry.retracted == nil)
            && isInTime(entry.content.date)
    }

    package func includes(_ kind: Kind) -> Bool {
        (sections?.contains(kind.section) ?? true) && (kinds?.contains(kind) ?? true)
    }

    /// Unknown fields of a record belong to no section, so it cannot be decided whether a grant covers them.
    var includesUnknownFields: Bool { sections == nil }

    private func isInTime(_ date: OccurredDate?) -> Bool {
        guard let happenedBy, let date else { return true }
        return date.day <= happenedBy
    }
}
