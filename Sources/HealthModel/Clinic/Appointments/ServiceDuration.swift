/// How long an appointment for a service lasts by the rule of the practice, and why; a person may choose otherwise.
package struct ServiceDuration: Hashable, Sendable {
    package var minutes: Int
    package var reasons: [Reason]

    /// Why it lasts longer than the service usually does.
    package enum Reason: String, CaseIterable, Sendable {
        /// The patient has not been here before.
        case firstVisit
        /// The last triage found a complex case.
        case complexity
    }

    package init(minutes: Int, reasons: [Reason] = []) {
        (self.minutes, self.reasons) = (minutes, reasons)
    }

    /// For how many days the complexity that a triage found lengthens appointments.
    package static let complexityDays = 7
}

extension ServiceProfile {
    /// Returns how long an appointment lasts: a quarter longer for a case of 3 points or more, and half as long again for
    /// one of 6 points or more, up to whole five minutes.
    ///
    /// `complexity` is that of the patient's last triage, if there was one in the last days.
    package func duration(isFirstVisit: Bool, complexity: CaseComplexity?) -> ServiceDuration {
        let usual = isFirstVisit ? firstVisitMinutes : minutes
        let quarters =
            switch complexity?.tenths ?? 0 {
            case ..<30: 4
            case ..<60: 5
            default: 6
            }
        var reasons: [ServiceDuration.Reason] = []
        if usual != minutes { reasons.append(.firstVisit) }
        guard quarters > 4 else { return ServiceDuration(minutes: usual, reasons: reasons) }
        let exact = usual * quarters
        // In quarters of a minute, so that nothing is rounded twice.
        let lengthened = min((exact + 19) / 20 * 5, 1_440 - bufferBefore - bufferAfter)
        return ServiceDuration(minutes: lengthened, reasons: reasons + [.complexity])
    }

    /// Whether the service is for a patient of a species; a species that the table of names does not know is not refused.
    package func isFor(species: String) -> Bool {
        guard let own = self.species.flatMap({ SpeciesCode(name: $0) }), let other = SpeciesCode(name: species) else {
            return true
        }
        return own == other
    }
}
