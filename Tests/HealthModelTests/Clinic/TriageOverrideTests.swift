import Testing

@testable import HealthModel

/// Who may set another level than the one that counts.
@Suite("Triage override")
struct TriageOverrideTests {
    /// For each role, the levels that may be set: a row for each present level 1…5, a column for each new level 1…5.
    ///
    /// y: allowed; s: the same level; v: needs a veterinarian; c: not clinical.
    private static let table: [(ClinicRole, [String])] = [
        (.veterinarian, ["syyyy", "ysyyy", "yysyy", "yyysy", "yyyys"]),
        (.nurse, ["svvvv", "ysyvv", "yysyv", "yyysy", "yyyys"]),
        (.receptionist, ["ccccc", "ccccc", "ccccc", "ccccc", "ccccc"]),
        (.manager, ["ccccc", "ccccc", "ccccc", "ccccc", "ccccc"]),
    ]

    private static func letter(_ decision: OverrideDecision) -> Character {
        switch decision {
        case .allowed: "y"
        case .refused(.sameLevel): "s"
        case .refused(.needsVeterinarian): "v"
        case .refused(.notClinical): "c"
        case .refused(.reasonTooShort): "r"
        }
    }

    @Test("Each role, each level and each new level: what the table says; without a reason, nothing")
    func table() throws {
        for (role, rows) in Self.table {
            for (from, row) in zip(UrgencyLevel.allCases, rows) {
                for (to, expected) in zip(UrgencyLevel.allCases, row) {
                    let given = mayOverride(from: from, to: to, by: role, reason: "ten letter")
                    #expect(Self.letter(given) == expected, "\(role) \(from) \(to)")
                    let short = mayOverride(from: from, to: to, by: role, reason: "nine char")
                    #expect(Self.letter(short) == (expected == "y" ? "r" : expected), "\(role) \(from) \(to)")
                }
            }
        }
    }

    @Test(
        "A reason has ten characters, without spaces at its ends or repeated",
        arguments: [
            ("ten letter", true), ("nine char", false), ("", false), ("          ", false), ("  nine char  ", false),
            ("a         b", false), ("hört nichts", true), ("犬が苦しそうに呼吸する", true), ("line\nbreak", true),
        ]
    )
    func reasons(reason: String, isEnough: Bool) {
        let decision = mayOverride(from: .green, to: .orange, by: .nurse, reason: reason)
        #expect(decision == (isEnough ? .allowed : .refused(.reasonTooShort)))
    }

    @Test("Of several roles, the one that may do most decides")
    func severalRoles() {
        func decide(_ roles: Set<ClinicRole>) -> OverrideDecision {
            mayOverride(from: .red, to: .yellow, by: roles, reason: "it is much better now")
        }
        #expect(decide([.manager, .veterinarian]) == .allowed)
        #expect(decide([.nurse, .veterinarian, .receptionist]) == .allowed)
        #expect(decide([.nurse, .manager]) == .refused(.needsVeterinarian))
        #expect(decide([.manager, .receptionist]) == .refused(.notClinical))
        #expect(decide([]) == .refused(.notClinical))
    }
}
