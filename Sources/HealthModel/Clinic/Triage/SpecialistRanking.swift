package import FoundationEssentials

/// Specialists in the order in which they suit a case, with the reasons for it, and those that were left out.
///
/// The points are computed by a fixed rule. A person chooses.
package struct SpecialistRanking: Hashable, Sendable {
    /// The best one first.
    package var ranked: [RankedSpecialist]
    /// In the order of the ids.
    package var leftOut: [LeftOut]

    package init(ranked: [RankedSpecialist], leftOut: [LeftOut]) {
        self.ranked = ranked
        self.leftOut = leftOut
    }

    /// How many specialists an assessment keeps.
    package static let maximumKept = 10

    /// A specialist that a ranking does not offer, with every reason.
    package struct LeftOut: Hashable, Sendable {
        package var specialist: UUID
        package var reasons: [Reason]

        package init(specialist: UUID, reasons: [Reason]) {
            self.specialist = specialist
            self.reasons = reasons
        }
    }

    /// Why a specialist is left out; the raw values are stored.
    package enum Reason: String, CaseIterable, Hashable, Sendable {
        case ended
        case licenceExpired
        case notOfPractice
        case neverThisSpecies
        case overCaseload
        case nothingFree
        /// Another specialist who is not left out has the specialty that is asked for.
        case specialtyLacking
    }
}

/// A specialist in a ranking, with points of 100.
package struct RankedSpecialist: Hashable, Sendable {
    package var specialist: UUID
    package var points: Int
    package var lines: [RankingLine]
    package var waitMinutes: Int
    package var bookedMinutes: Int

    package init(specialist: UUID, lines: [RankingLine], waitMinutes: Int, bookedMinutes: Int) {
        self.specialist = specialist
        self.points = lines.reduce(0) { $0 + $1.points }
        self.lines = lines
        self.waitMinutes = waitMinutes
        self.bookedMinutes = bookedMinutes
    }
}

extension RankedSpecialist: Comparable {
    /// Orders by points; if they are equal, by the earlier slot, fewer booked minutes, and the lower id.
    package static func < (left: RankedSpecialist, right: RankedSpecialist) -> Bool {
        (right.points, left.waitMinutes, left.bookedMinutes, left.specialist.text)
            < (left.points, right.waitMinutes, right.bookedMinutes, right.specialist.text)
    }
}

/// The points that a specialist has for one criterion, with the reason in plain words.
package struct RankingLine: Hashable, Sendable {
    package var code: Code
    package var points: Int
    package var because: String

    /// The points that are possible.
    package var of: Int { code.maximum }

    /// The criteria, in the order of the lines; the raw values are stored.
    package enum Code: String, CaseIterable, Hashable, Sendable {
        case specialty
        case soonest
        case species
        case known
        case wish
        case load

        package var maximum: Int {
            switch self {
            case .specialty: 40
            case .soonest: 20
            case .species: 15
            case .known: 10
            case .wish: 5
            case .load: 10
            }
        }
    }

    package init(_ code: Code, _ points: Int, because: String) {
        self.code = code
        self.points = points
        self.because = because
    }
}
