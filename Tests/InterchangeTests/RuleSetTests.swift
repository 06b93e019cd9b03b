import Foundation
import HealthModel
import Testing

@testable import Interchange

/// The file format of rule sets, and the rules that come with the program.
@Suite("Rule files")
struct RuleSetTests {
    private static func file(_ rules: String, _ more: String = "") -> [UInt8] {
        Array(
            """
            {"format": "healthjournal-interactions/1", "name": "n", "version": "1", "licence": "CC0-1.0",\(more)
             "rules": [\(rules)]}
            """
            .utf8
        )
    }

    private static func pair(_ changes: [String: String] = [:]) -> String {
        var members = [
            "id": "\"x\"", "kind": "\"pair\"", "a": "\"a\"", "b": "\"b\"", "severity": "\"high\"",
            "effect": "\"e\"", "advice": "\"v\"", "source": #"{"name": "s", "ref": "r"}"#,
        ]
        for (name, value) in changes { members[name] = value.isEmpty ? nil : value }
        return "{" + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ")
            + "}"
    }

    @Test("A file that is wrong is refused, with the place in it")
    func refusals() throws {
        let cases: [([UInt8], String)] = [
            (Array("[]".utf8), "nothing"), (Array(#"{"format": "other/1"}"#.utf8), "format"),
            (Self.file("", #" "more": 1,"#), "more"), (Self.file("1"), "rules[0]"),
            (Self.file(Self.pair(["severity": "\"fatal\""])), "rules[0].severity"),
            (Self.file(Self.pair(["kind": "\"triple\""])), "rules[0].kind"),
            (Self.file(Self.pair(["b": ""])), "rules[0].b"),
            (Self.file(Self.pair(["a": "\"class:unknown\""])), "rules[0].a"),
            (Self.file(Self.pair(["a": "\"---\""])), "rules[0].a"),
            (Self.file(Self.pair(["id": "\"\""])), "rules[0].id"),
            (Self.file(Self.pair(["other": "1"])), "rules[0].other"),
            (Self.file(Self.pair(["source": "{}"])), "rules[0].source.name"),
            (Self.file(Self.pair(["standing": "true"])), "rules[0].standing"),
            (Self.file(Self.pair(["amount": "\"4\""])), "rules[0].amount"),
            (Self.file(Self.pair(["kind": "\"maximum\"", "b": ""])), "rules[0].amount"),
            (Self.file(Self.pair(["kind": "\"duplicate\"", "b": ""])), "rules[0].a"),
            (
                Self.file(Self.pair(["kind": "\"maximum\"", "b": "", "amount": "\"4\"", "unit": "\"%\""])),
                "rules[0].unit"
            ),
            (Self.file([Self.pair(), Self.pair()].joined(separator: ",")), "rules[1].id"),
            (Self.file("", #" "classes": {"c": ["a", 1]},"#), "classes.c[1]"),
            (Self.file("", #" "synonyms": {"a": "b", "b": "c"},"#), "synonyms.a"),
            (Self.file("", #" "synonyms": {"a": "A"},"#), "synonyms.a"),
        ]
        for (bytes, field) in cases {
            let error = #expect(throws: ModelError.self, "\(field)") { try RuleSetDocument.read(bytes) }
            #expect(error?.field ?? "nothing" == field)
        }
        let reserved = String(decoding: Self.file(""), as: UTF8.self).replacing("\"n\"", with: "\"healthjournal\"")
        #expect(throws: ModelError.self) { try RuleSetDocument.read(Array(reserved.utf8)) }
    }

    @Test(
        "The words of other rule sets have a severity here",
        arguments: [
            ("contraindicated", InteractionSeverity.critical, false), ("major", .high, false),
            ("moderate", .medium, false), ("minor", .low, false), ("unknown", .low, true), ("high", .high, false),
        ]
    )
    func severities(word: String, severity: InteractionSeverity, isUnrated: Bool) throws {
        let set = try RuleSetDocument.read(Self.file(Self.pair(["severity": "\"\(word)\""])))
        #expect(set.rules.first?.severity == severity)
        #expect(set.rules.first?.isUnrated == isUnrated)
    }

    @Test("The starter rules can be read, and each has a source, an effect and advice that names whom to ask")
    func starter() throws {
        let set = try RuleSetDocument.read(RuleSetDocument.starter)
        #expect(set.label == "starter 4")
        #expect(set.licence == "CC0-1.0")
        #expect((95...115).contains(set.rules.count))
        for rule in set.rules {
            #expect(!rule.source.name.isEmpty, "\(rule.id)")
            #expect(!rule.source.reference.isEmpty, "\(rule.id)")
            #expect(!rule.effect.isEmpty, "\(rule.id)")
            #expect(rule.advice.contains("doctor") || rule.advice.contains("pharmacist"), "\(rule.id)")
        }
        let panel = set.rules.filter { $0.source.reference == "doi:10.1136/amiajnl-2011-000612" }
        #expect(panel.count == 15)
        let index = RuleIndex([set])
        for name in ["Paracétamol", "Johanniskraut", "ácido acetilsalicílico", "Warfarine", "ibuprofeno", "Penicillin"]
        {
            #expect(index.isKnown(FoldedName(name)), "\(name)")
        }
    }

    /// Substances with others that they must not be combined with, and the severity of the most serious finding.
    private static let combinations: [(String, [String], InteractionSeverity)] = [
        ("simvastatin", ["ciclosporin", "erythromycin", "gemfibrozil"], .critical),
        ("methotrexate", ["trimethoprim", "cotrimoxazole", "Cotrimoxazol"], .critical),
        ("Methotrexat", ["ibuprofen", "diclofenac"], .high),
        ("candesartan", ["ibuprofen"], .medium), ("phenprocoumon", ["Cotrimoxazol"], .high),
        ("spironolactone", ["trimethoprim"], .high), ("ramipril", ["trimethoprim"], .high),
        ("ergotamine", ["erythromycin", "clarithromycin"], .critical),
        ("phenelzine", ["tranylcypromine", "bupropion", "carbamazepine", "st john's wort"], .critical),
        ("voriconazole", ["rifampicin", "carbamazepine"], .critical),
        ("fluindione", ["metronidazole", "voriconazole", "fluconazole", "ibuprofen", "clopidogrel"], .high),
        ("apixaban", ["rifampicin", "carbamazepine", "phenytoin", "st john's wort", "prasugrel"], .high),
        ("edoxaban", ["rifampicin", "carbamazepine", "phenytoin", "st john's wort"], .high),
        ("tacrolimus", ["fluconazole", "erythromycin", "diltiazem", "verapamil", "clarithromycin"], .high),
        ("ciclosporin", ["fluconazole", "erythromycin", "diltiazem", "verapamil", "clarithromycin"], .high),
        ("colchicine", ["ciclosporin", "verapamil", "clarithromycin", "erythromycin"], .high),
        ("tramadol", ["sertraline", "venlafaxine"], .high), ("pethidine", ["fluoxetine", "duloxetine"], .high),
        ("ramipril", ["spironolactone", "triamterene"], .high), ("losartan", ["amiloride"], .high),
        ("fentanyl", ["ritonavir", "clarithromycin"], .high), ("digoxin", ["amiodarone", "verapamil"], .high),
        ("amiodarone", ["levofloxacin", "moxifloxacin"], .high), ("simvastatin", ["diltiazem"], .high),
        ("ibuprofen", ["lisinopril", "ramipril", "prednisone", "prednisolone"], .medium),
    ]

    @Test("The starter rules know pairs that a pharmacist would stop", arguments: RuleSetTests.combinations)
    func pairs(name: String, others: [String], severity: InteractionSeverity) throws {
        let index = RuleIndex([try RuleSetDocument.read(RuleSetDocument.starter)])
        let zones = ZoneTable(version: "", zones: ["UTC": .utc])
        let clocks = try CareClocks(ZoneHistory(home: "UTC"), rules: [], zones)
        for other in others {
            let plans = [name, other]
                .map { name in
                    let id = UUID()
                    return CheckedPlan(id: id, name: name, plan: Plan(id: id, rules: []), question: .asked)
                }
            let now = Instant(microseconds: 1_772_452_800_000_000)
            let result = checkInteractions(CheckInput(plans: plans), index, at: now, clocks, namespace: UUID())
            #expect(result.matched == 2, "\(name), \(other)")
            let pairs = result.findings.filter { $0.parties.count == 2 }
            #expect(pairs.map(\.severity).max() == severity, "\(name), \(other)")
        }
    }
}
