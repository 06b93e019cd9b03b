package import HealthModel

/// The part of a record that a caller may see.
package struct AccessScope: Hashable, Sendable {
    package enum Profile: Hashable, Sendable {
        case whole
        /// The name and the date of birth.
        case nameAndBirth
        /// Only the name, which every caller with any access to the record sees.
        case name
    }

    package var kinds: Set<Kind>
    package var profile: Profile
    /// The sections that are visible in full.
    package var sections: Set<Section>

    static let whole = AccessScope(Set(Section.allCases))

    /// Creates a scope of whole sections with all their kinds.
    ///
    /// The whole profile is visible with the health section.
    init(_ sections: Set<Section>) {
        self.sections = sections
        kinds = Set(Kind.all.filter { sections.contains($0.section) })
        profile = sections.contains(.myhealth) ? .whole : .name
    }

    /// Returns the scope limited to some kinds, with the part of the profile that belongs to them.
    func narrowed(to kinds: Set<Kind>) -> AccessScope {
        var scope = self
        scope.kinds.formIntersection(kinds)
        scope.sections.formIntersection(kinds.map(\.section))
        if profile == .whole, !scope.sections.contains(.myhealth) { scope.profile = .name }
        return scope
    }

    /// Returns the scope extended by what the emergency view shows.
    func inEmergency() -> AccessScope {
        var scope = self
        scope.kinds.formUnion(Emergency.kinds)
        if profile == .name { scope.profile = .nameAndBirth }
        return scope
    }
}
