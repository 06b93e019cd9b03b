package import HealthModel

/// Which entries of a record an export holds.
package struct ExportScope: Hashable, Sendable {
    /// The sections that the reader may see; nil for all of them.
    package var sections: Set<Section>?
    /// The kinds that were asked for; nil for all of them.
    package var kinds: Set<Kind>?
    /// Only what had occurred by this day.
    ///
    /// An entry without a date is kept: an allergy must not vanish for want of one.
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

    /// Fields of a record that no shape knows belong to no section: nobody can say whether a grant covers them.
    var includesUnknownFields: Bool { sections == nil }

    private func isInTime(_ date: OccurredDate?) -> Bool {
        guard let happenedBy, let date else { return true }
        return date.day <= happenedBy
    }
}
