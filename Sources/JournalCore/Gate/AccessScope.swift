package import FoundationEssentials
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
    /// The kinds whose entries are visible only if they happened since then.
    package var since: [Kind: Instant] = [:]
    /// The only entries that are visible; nil if all entries of the kinds are.
    package var entries: Set<UUID>?
    /// Whether the caller may change the profile.
    package var mayEdit = false
    /// Whether the caller may close the record, and give others access.
    package var mayManage = false

    package static let whole = AccessScope(Set(Section.allCases))

    /// The scope of the owners.
    package static let owned: AccessScope = {
        var scope = AccessScope.kept
        scope.mayManage = true
        return scope
    }()

    /// The scope of those who treat an animal whose record their practice keeps.
    package static let kept: AccessScope = {
        var scope = AccessScope.whole
        scope.mayEdit = true
        return scope
    }()

    /// The scope of those who see no entries of a record that their practice keeps, such as its reception.
    static let profileAlone: AccessScope = {
        var scope = AccessScope([])
        scope.profile = .whole
        scope.mayEdit = true
        return scope
    }()

    /// Creates a scope of whole sections with all their kinds.
    ///
    /// The whole profile is visible with the health section.
    package init(_ sections: Set<Section>) {
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

    /// Returns the scope extended by what the emergency view shows; the view of a whole record also shows `recent` entries.
    func inEmergency(recent now: Instant? = nil) -> AccessScope {
        var scope = self
        scope.kinds.formUnion(Emergency.kinds)
        if let now {
            // In whole minutes, so that a repeated request is answered from the cache.
            let minute = now.microseconds - now.microseconds % 60_000_000
            let start = Instant(microseconds: minute).adding(minutes: -Emergency.recentMinutes)
            for kind in Emergency.recentKinds.subtracting(kinds) { scope.since[kind] = start }
            scope.kinds.formUnion(Emergency.recentKinds)
        }
        if profile == .name { scope.profile = .nameAndBirth }
        return scope
    }
}
