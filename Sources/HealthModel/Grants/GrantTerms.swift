/// What a caregiver is let in to, and when.
package struct GrantTerms: Hashable, Sendable {
    package var sections: Set<Section>
    package var verbs: Set<Verb>
    /// The first day of the grant; nil for at once.
    package var from: Day?
    /// The last day of the grant; nil for no end.
    package var until: Day?

    package init(
        sections: Set<Section> = Set(Section.allCases),
        verbs: Set<Verb> = [.read],
        from: Day? = nil,
        until: Day? = nil
    ) {
        self.sections = sections
        self.verbs = verbs
        self.from = from
        self.until = until
    }

    /// Whether a day lies between the first and the last, both included.
    package func cover(_ day: Day) -> Bool {
        from.map { $0 <= day } ?? true && until.map { day <= $0 } ?? true
    }

    package func validate() throws(ModelError) {
        if sections.isEmpty { throw ModelError(.invalid, field: "sections", "a grant needs a section") }
        if verbs.isEmpty { throw ModelError(.invalid, field: "verbs", "a grant needs a verb") }
        if let from, let until, until < from {
            throw ModelError(.invalid, field: "until", "a grant cannot end before it begins")
        }
    }
}
