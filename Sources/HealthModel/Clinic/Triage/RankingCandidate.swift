package import FoundationEssentials

/// What a ranking of specialists is for.
package struct RankingRequest: Hashable, Sendable {
    /// The level that counts; it sets the time within which a specialist must be free.
    package var level: UrgencyLevel
    /// Nil if no specialty is asked for.
    package var specialty: Specialty?
    package var species: SpeciesCode?
    /// The specialist that the client wishes.
    package var wished: UUID?

    /// A specialty of the practice, with the category that related specialties share.
    package struct Specialty: Hashable, Sendable {
        /// In lower case.
        package var name: String
        package var category: String

        package init(name: String, category: String) {
            self.name = name
            self.category = category
        }
    }

    package init(
        level: UrgencyLevel,
        specialty: Specialty? = nil,
        species: SpeciesCode? = nil,
        wished: UUID? = nil
    ) {
        self.level = level
        self.specialty = specialty
        self.species = species
        self.wished = wished
    }

    /// Whose hours count: who must be seen within hours is seen by those on duty, also in hours for emergencies alone.
    package var purpose: Attendance.Purpose { level <= .yellow ? .duty : .appointment }

    /// The minutes within which a specialist must be free.
    package var windowMinutes: Int {
        switch level {
        case .red, .orange: 60
        case .yellow: 240
        case .green, .blue: 20_160
        }
    }
}

/// The facts about one specialist that a ranking uses, as they were when it was computed.
package struct RankingCandidate: Hashable, Sendable {
    package var id: UUID
    package var hasEnded = false
    package var isLicenceExpired = false
    /// Whether the specialist is a member of the practice that asks.
    package var isOfPractice = true
    package var expertise: [Expertise] = []
    package var preferredSpecies: Set<SpeciesCode> = []
    /// The species that the specialist does not treat.
    package var neverSpecies: Set<SpeciesCode> = []
    /// Whether the specialist does not treat the patient's species, also one without a code.
    package var neverThisPatient = false
    /// Whether the day of the first free slot is at the limit of the specialist's caseload.
    package var isOverCaseload = false
    /// The minutes until the first free slot: 0 for a specialist on duty now, nil if nothing was found.
    package var waitMinutes: Int?
    /// The minutes that are booked, and that are available in all, on the local day of the first free slot.
    package var bookedMinutes = 0
    package var availableMinutes = 0
    /// Whether the patient's last completed appointment was with the specialist.
    package var hadLastAppointment = false
    /// The days since the patient's last completed appointment with the specialist; nil if there was none.
    package var daysSinceSeen: Int?

    package init(id: UUID) {
        self.id = id
    }

    /// A specialty that a specialist has.
    package struct Expertise: Hashable, Sendable {
        package var specialty: RankingRequest.Specialty
        package var proficiency: Proficiency

        package init(_ specialty: RankingRequest.Specialty, _ proficiency: Proficiency) {
            self.specialty = specialty
            self.proficiency = proficiency
        }
    }

    /// How well a specialist masters a specialty; the raw values are stored.
    package enum Proficiency: String, CaseIterable, Hashable, Sendable {
        case basic
        case intermediate
        case advanced
        case expert

        /// The points of a specialist who has the specialty that is asked for.
        var points: Int {
            switch self {
            case .basic: 10
            case .intermediate: 20
            case .advanced: 30
            case .expert: 40
            }
        }
    }
}
