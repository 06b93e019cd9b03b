package import HealthModel

/// How much of a record somebody sees.
package struct Sight: Hashable, Sendable {
    package enum Profile: Hashable, Sendable {
        case whole
        /// Whose it is, and the date of birth.
        case nameAndBirth
        /// Whose it is: who sees anything at all must know that.
        case name
    }

    package var kinds: Set<Kind>
    package var profile: Profile
    /// The sections that are seen whole.
    package var sections: Set<Section>

    static let whole = Sight(Set(Section.allCases))

    /// Sections with all their kinds.
    ///
    /// The profile belongs to the health section.
    init(_ sections: Set<Section>) {
        self.sections = sections
        kinds = Set(Kind.all.filter { sections.contains($0.section) })
        profile = sections.contains(.myhealth) ? .whole : .name
    }

    /// Some kinds, and whatever of the profile goes with them.
    func narrowed(to kinds: Set<Kind>) -> Sight {
        var sight = self
        sight.kinds.formIntersection(kinds)
        sight.sections.formIntersection(kinds.map(\.section))
        if profile == .whole, !sight.sections.contains(.myhealth) { sight.profile = .name }
        return sight
    }

    /// With what is shown in an emergency besides.
    func inEmergency() -> Sight {
        var sight = self
        sight.kinds.formUnion(Emergency.kinds)
        if profile == .name { sight.profile = .nameAndBirth }
        return sight
    }
}
