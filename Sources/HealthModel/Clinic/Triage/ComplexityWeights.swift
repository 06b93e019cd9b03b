/// The weights from which the complexity of a case is computed, in hundredths of a point.
package struct ComplexityWeights: Hashable, Sendable {
    package var base: [UrgencyLevel: Int]
    package var species: [SpeciesCode: Int]
    /// For a patient without a species code.
    package var unknownSpecies: Int
    /// The greatest weight that applies to a patient counts.
    package var ages: [AgeWeight]
    /// For each illness, each allergy, and each surgery within the last `surgeryDays` days.
    package var illness: Int
    package var allergy: Int
    package var surgery: Int
    package var surgeryDays: Int
    /// For each drug beyond the first `drugsFree`.
    package var drug: Int
    package var drugsFree: Int
    package var historyMaximum: Int

    package init(
        base: [UrgencyLevel: Int],
        species: [SpeciesCode: Int],
        unknownSpecies: Int,
        ages: [AgeWeight],
        illness: Int,
        allergy: Int,
        surgery: Int,
        surgeryDays: Int,
        drug: Int,
        drugsFree: Int,
        historyMaximum: Int
    ) {
        self.base = base
        self.species = species
        self.unknownSpecies = unknownSpecies
        self.ages = ages
        self.illness = illness
        self.allergy = allergy
        self.surgery = surgery
        self.surgeryDays = surgeryDays
        self.drug = drug
        self.drugsFree = drugsFree
        self.historyMaximum = historyMaximum
    }

    /// The greatest complexity that the weights can give, in hundredths.
    var maximum: Int {
        let ages = ages.map(\.hundredths).max() ?? 0
        return (base.values.max() ?? 0) + max(unknownSpecies, species.values.max() ?? 0) + ages + historyMaximum
    }
}

/// The weight of an age, for one species or for all.
package struct AgeWeight: Hashable, Sendable {
    /// Nil for every species, also an unknown one.
    package var species: SpeciesCode?
    /// From this age on; nil from birth.
    package var from: PatientAge.Span?
    /// Below this age; nil without an end.
    package var below: PatientAge.Span?
    package var hundredths: Int

    package init(
        _ species: SpeciesCode? = nil,
        from: PatientAge.Span? = nil,
        below: PatientAge.Span? = nil,
        _ hundredths: Int
    ) {
        self.species = species
        self.from = from
        self.below = below
        self.hundredths = hundredths
    }

    /// Whether the weight applies; a patient of unknown age has none.
    func applies(to patient: PatientFacts) -> Bool {
        guard let age = patient.age, species == nil || species == patient.species else { return false }
        return from.map(age.isAtLeast) ?? true && !(below.map(age.isAtLeast) ?? false)
    }
}
