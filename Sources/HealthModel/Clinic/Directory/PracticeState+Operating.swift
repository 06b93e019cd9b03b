package import FoundationEssentials

extension PracticeState {
    /// What the practice does at a moment; a closed practice never opens.
    package func state(at moment: Instant, _ clock: PersonClock) -> OpeningTimes.State {
        guard closed == nil else { return .closed(next: nil) }
        return OpeningTimes(timetables, clock).state(at: moment)
    }

    /// Whether the practice treats patients at a moment, if only emergencies.
    package func isOperating(at moment: Instant, _ clock: PersonClock) -> Bool {
        if case .closed = state(at: moment, clock) { return false }
        return true
    }

    /// Whether the practice can treat what needs a specialty, and which part of that fails.
    ///
    /// It has to list the specialty, and a specialist who has it has to work there on the day, with a valid licence.
    package func canAccommodateSpecialty(
        _ name: String,
        _ specialists: [SpecialistState],
        on day: Day
    ) -> SpecialtyAnswer {
        guard hasSpecialty(name) else { return .notListed }
        let holding = specialists.filter {
            $0.works(in: id, on: day) && $0.profile.isLicensed(on: day)
                && $0.profile.specialties.contains(name.lowercased())
        }
        return holding.isEmpty ? .notHeld : .accommodated(by: holding.map(\.id))
    }
}

/// Whether a practice can treat what needs a specialty.
package enum SpecialtyAnswer: Hashable, Sendable {
    case accommodated(by: [UUID])
    /// The practice does not list the specialty.
    case notListed
    /// The practice lists it, and no specialist who works there has it.
    case notHeld

    package var name: String {
        switch self {
        case .accommodated: "accommodated"
        case .notListed: "notListed"
        case .notHeld: "notHeld"
        }
    }
}
