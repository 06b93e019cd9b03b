/// How soon a patient must be seen, from 1 (red) to 5 (blue); the raw values are stored.
///
/// The levels and their times follow the veterinary triage list (Ruys et al. 2012). The times after which staff look at
/// a waiting patient again are ours.
package enum UrgencyLevel: Int, CaseIterable, Hashable, Sendable {
    case red = 1
    case orange = 2
    case yellow = 3
    case green = 4
    case blue = 5
}

extension UrgencyLevel {
    /// The name of the colour, which JSON and the command line use.
    package var name: String {
        switch self {
        case .red: "red"
        case .orange: "orange"
        case .yellow: "yellow"
        case .green: "green"
        case .blue: "blue"
        }
    }

    /// What the level means, in a word that needs no colour.
    package var meaning: String {
        switch self {
        case .red: "immediate"
        case .orange: "very urgent"
        case .yellow: "urgent"
        case .green: "standard"
        case .blue: "non-urgent"
        }
    }

    /// The minutes after arrival at which the patient is due.
    package var seenWithinMinutes: Int {
        switch self {
        case .red: 0
        case .orange: 15
        case .yellow: 30
        case .green: 120
        case .blue: 240
        }
    }

    /// The minutes after arrival beyond which the patient is overdue.
    package var overdueAfterMinutes: Int { self == .yellow ? 60 : seenWithinMinutes }

    /// The minutes after an assessment at which staff look at the waiting patient again; nil if the patient must not
    /// wait at all.
    package var lookAgainMinutes: Int? {
        switch self {
        case .red: nil
        case .orange: 15
        case .yellow: 30
        case .green: 60
        case .blue: 120
        }
    }
}

extension UrgencyLevel: Comparable {
    /// Orders the levels by their numbers: the smallest level is the most urgent.
    package static func < (left: UrgencyLevel, right: UrgencyLevel) -> Bool { left.rawValue < right.rawValue }
}

/// Stored as its number.
extension UrgencyLevel: EventValue {
    package static var fieldType: FieldType { .integer(1...5) }
    package var fieldValue: FieldValue? { .integer(Int64(rawValue)) }

    package init?(fieldValue: FieldValue?) {
        guard let number = Int(fieldValue: fieldValue) else { return nil }
        self.init(rawValue: number)
    }
}
