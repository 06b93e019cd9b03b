/// The terms of a grant: what a caregiver may access, and when.
package struct GrantTerms: Hashable, Sendable {
    package var sections: Set<Section>
    package var verbs: Set<Verb>
    /// The first day of the grant; nil if it begins immediately.
    package var from: Day?
    /// The last day of the grant; nil if it does not end.
    package var until: Day?
    /// Whether the caregiver may open the emergency view after the last day as well; the owner chooses this.
    package var emergencyAfterEnd: Bool
    /// Whether the caregiver is notified of missed critical doses.
    package var notifies: Bool

    package init(
        sections: Set<Section> = Set(Section.allCases),
        verbs: Set<Verb> = [.read],
        from: Day? = nil,
        until: Day? = nil,
        emergencyAfterEnd: Bool = false,
        notifies: Bool = true
    ) {
        self.sections = sections
        self.verbs = verbs
        self.from = from
        self.until = until
        self.emergencyAfterEnd = emergencyAfterEnd
        self.notifies = notifies
    }

    /// Reports whether a day is between the first and the last day, both included.
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

extension GrantTerms {
    /// The opposite of `notifies`, as it is stored: the usual terms need no value.
    var isSilent: Bool { !notifies }

    /// The names of the sections, in a fixed order.
    package var sectionNames: [String] { sections.sorted().map(\.name) }
    package var verbNames: [String] { verbs.sorted().map(\.name) }

    /// The words for the sections, in a fixed order.
    package var sectionWords: [String] { sections.sorted().map(\.word) }
    package var verbWords: [String] { verbs.sorted().map(\.word) }

    /// The terms in one line, such as `doctors, groups; read; until 2026-12-31`.
    package var summary: String {
        [
            sectionWords.joined(separator: ", "), verbWords.joined(separator: ", "), from.map { "from \($0)" },
            until.map { "until \($0)" },
            emergencyAfterEnd ? "emergency view after the end" : nil,
            notifies ? nil : "not told about missed doses",
        ]
        .compactMap(\.self).joined(separator: "; ")
    }

    /// Returns these terms extended by the sections and verbs of `more`; days that `more` sets replace those set here.
    package func adding(_ more: GrantTerms) -> GrantTerms {
        GrantTerms(
            sections: sections.union(more.sections),
            verbs: verbs.union(more.verbs),
            from: more.from ?? from,
            until: more.until ?? until,
            emergencyAfterEnd: emergencyAfterEnd || more.emergencyAfterEnd,
            notifies: notifies && more.notifies
        )
    }
}

/// An operation that a grant permits.
package enum Verb: UInt8, NamedCode, Sendable {
    case read = 1
    case contribute = 2

    package static let field = "verbs"

    package var name: String {
        switch self {
        case .read: "read"
        case .contribute: "contribute"
        }
    }

    package var word: String { self == .contribute ? "add" : name }
}
