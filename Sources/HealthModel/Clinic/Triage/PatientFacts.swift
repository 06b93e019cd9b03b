package import FoundationEssentials

/// What triage uses from the record of a patient, as it was at one position of the record.
package struct PatientFacts: Hashable, Sendable {
    /// The day of the assessment, from which the age and the time since a surgery are counted.
    package var asOf: Day
    /// Nil if the record states no species, or one that the table does not know.
    package var species: SpeciesCode?
    /// The age at `asOf`; nil if the date of birth is not known to the day.
    package var age: PatientAge?
    /// The last known weight in kilograms; a weight that is measured during triage replaces it.
    package var weight: ExactDecimal?
    /// The entries from which the complexity of the case is computed, in any order.
    package var history: [HistoryEntry]

    package init(
        asOf: Day,
        species: SpeciesCode? = nil,
        age: PatientAge? = nil,
        weight: ExactDecimal? = nil,
        history: [HistoryEntry] = []
    ) {
        self.asOf = asOf
        self.species = species
        self.age = age
        self.weight = weight
        self.history = history
    }

    /// An entry of the record that may make a case more complex.
    package struct HistoryEntry: Hashable, Sendable {
        package var id: UUID
        package var kind: Kind
        /// The day of a surgery; nil if it is not known, and for other kinds.
        package var day: Day?

        /// The kinds of entries that count; the raw values are stored.
        package enum Kind: String, CaseIterable, Hashable, Sendable {
            case illness
            case allergy
            case surgery
            case drug
        }

        package init(id: UUID, _ kind: Kind, on day: Day? = nil) {
            self.id = id
            self.kind = kind
            self.day = day
        }
    }
}
