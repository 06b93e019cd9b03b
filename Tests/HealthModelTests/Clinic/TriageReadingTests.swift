import Testing

@testable import HealthModel

@Suite("The text of a rule set for triage")
struct TriageReadingTests {
    private static let text = TriageRules.version1.text

    @Test("The text of the built-in set is read as the same set")
    func roundTrip() throws {
        let read = try TriageRules(parsing: Self.text)
        #expect(read.text == Self.text)
        #expect(read.limits == TriageRules.version1.limits)
        #expect(read.complexityWeights.base == TriageRules.version1.complexityWeights.base)
    }

    @Test("Comments and empty lines are ignored, and the order of the signs has no effect")
    func comments() throws {
        var lines = Self.text.split(separator: "\n").map(String.init)
        lines.insert("# ours", at: 1)
        lines.append("")
        let signs = lines.filter { $0.hasPrefix("sign ") }
        lines.removeAll { $0.hasPrefix("sign ") }
        lines += signs.reversed()
        #expect(try TriageRules(parsing: lines.joined(separator: "\n")).text == Self.text)
    }

    @Test(
        "A line that is not understood is named",
        arguments: [
            ("sign arrest 1", "sign arrest 9", "a level is a number from 1 to 5"),
            ("sign nails 5 -", "sign nails 5 elbow", "elbow is no part of the examination"),
            ("not assessed 3", "not assesed 3", "\"assessed\" is missing"),
            ("threshold pain at least 4 2", "threshold pain over 4 2", "\"at least\" is missing"),
            ("complexity illness 50", "complexity illness many", "a weight must be a whole number"),
            ("complexity illness 50", "complexity illness 50 60", "60 is not expected here"),
            ("complexity illness 50", "colour red", "colour is no rule"),
            ("heartRate usual ..220", "heartRate usual 220", "write a range as 60..120"),
        ]
    )
    func faults(_ old: String, _ new: String, _ message: String) throws {
        let changed = Self.text.replacing(old, with: new)
        guard changed != Self.text else {
            Issue.record("the text has no line \(old)")
            return
        }
        let line = changed.split(separator: "\n").firstIndex { $0.contains(new) }.map { $0 + 1 } ?? 0
        let error = refusal { try TriageRules(parsing: changed) }
        #expect(error?.field == "rules", "\(error?.message ?? "")")
        #expect(error?.message == "line \(line): \(message)", "\(error?.message ?? "")")
    }

    @Test("A set without its name, or without the sign of \"Red now\", is refused")
    func incomplete() {
        #expect(refusal { try TriageRules(parsing: "not assessed 3") }?.message.contains("triage rules") == true)
        let text = Self.text.replacing("sign immediate 1 -\n", with: "")
        #expect(refusal { try TriageRules(parsing: text) }?.field == "signs")
    }
}
