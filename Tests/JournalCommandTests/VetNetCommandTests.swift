import Foundation
import Interchange
import TestSupport
import Testing

@Suite("Practices of VetNet on the command line")
struct VetNetCommandTests {
    private func exported(_ document: String) throws -> (text: String, report: String) {
        let tool = try CommandLineTool()
        let file = try tool.write(document, to: "practice.json")
        let report = try tool.run("import", "vetnet", file)
        // One appointment of the fixture overlaps another one.
        #expect(report.status == 0 || report.status == 4, "\(report.message)")
        try tool.run("practice", "member", "set", "owner", "--role", "veterinarian", "--role", "manager").succeeded()
        let output = tool.folder.path + "/exported.json"
        try tool.run("practice", "export", "-o", output).succeeded()
        return (try String(contentsOfFile: output, encoding: .utf8), report.text)
    }

    @Test("An exported practice is imported elsewhere, and exported again as the same document")
    func roundTrip() throws {
        let first = try exported(VetNetTexts.whole)
        #expect(first.report.contains("added: specialists 2, clients 1, patients 3,"), "\(first.report)")
        #expect(
            first.report.contains("kept as it came, without a field: ") && first.report.contains("practices[0].theme")
        )
        let second = try exported(first.text)
        let (one, two) = (try JSONReader.read(Array(first.text.utf8)), try JSONReader.read(Array(second.text.utf8)))
        // What the journal has no field for follows what it has one for, so that some members change their places.
        #expect(one.sorted == two.sorted)
        let practice = try #require(one["practices"]?.items.first)
        #expect(practice["patients"]?.items.count == 3)
        #expect(practice["theme"] == .string("green"))
        #expect(practice["triageAssessments"]?.items.first?["vtlUrgencyLevel"] == .integer(2))
        let luna = try #require(practice["patients"]?.items.first)
        #expect(luna["medicalHistory"]?["medications"]?.items.first?["dose"] == .string("50 mg"))
        #expect(luna["caseComplexity"]?["ageModifier"] == .number("0.5"))
    }

    /// Compares each value of a document with the one at the same place of its export; parts are found by their ids.
    private func expect(_ source: JSONValue, in exported: JSONValue?, at path: String) {
        switch source {
        case .object(let members):
            for member in members { expect(member.value, in: exported?[member.name], at: "\(path).\(member.name)") }
        case .array(let items):
            let names = ["practiceID", "specialistID", "ownerID", "patientID", "appointmentID", "assessmentID"]
            for (index, item) in items.enumerated() {
                let id = names.lazy.compactMap { name in item[name].map { (name, $0) } }.first
                let other =
                    if let id, path.hasSuffix("s") {
                        exported?.items.first { $0[id.0].map { "\($0)".lowercased() } == "\(id.1)".lowercased() }
                    } else {
                        index < (exported?.items.count ?? 0) ? exported?.items[index] : nil
                    }
                expect(item, in: other, at: "\(path)[\(index)]")
            }
            #expect(exported?.items.count == items.count, "\(path)")
        default: #expect(exported == source, "\(path)")
        }
    }

    @Test("Each value of a document in which every member has one is exported again, and each without a field is named")
    func complete() throws {
        let first = try exported(VetNetTexts.complete)
        let source = try JSONReader.read(Array(VetNetTexts.complete.utf8))
        expect(source, in: try JSONReader.read(Array(first.text.utf8)), at: "")
        for path in [
            "practices[0].location.altitude", "practices[0].operatingHours.weekdays[0].note",
            "practices[0].specialists[0].caseLoadPreferences", "practices[0].specialists[0].createdAt",
            "practices[0].specialists[0].availabilitySchedule.exceptions[0]",
            "practices[0].specialists[0].availabilitySchedule.preferences[0]", "practices[0].owners[0].updatedAt",
            "practices[0].patients[0].caseComplexity", "practices[0].patients[0].medicalDocuments",
            "practices[0].patients[0].medicalHistory.conditions[1].severity",
            "practices[0].appointments[0].actualDuration", "practices[0].appointments[1].triageAssessmentID",
            "practices[0].appointments[0].specialistMatchResult", "practices[0].appointments[0].estimatedDuration",
            "practices[0].triageAssessments[0].specialistRecommendations",
            "practices[0].triageAssessments[0].isCompleted",
            "practices[0].triageAssessments[0].vitalSigns.bloodPressure",
        ] {
            #expect(first.report.contains(path), "\(path)")
        }
        for path in [
            "appointments[0].triageAssessmentID", "practices[0].name", "triageAssessments[0].symptoms",
            "appointments[0].reason",
        ] {
            #expect(!first.report.contains(path), "\(path)")
        }
        // What is exported is imported and exported as the same document again.
        let second = try exported(first.text)
        let (one, two) = (try JSONReader.read(Array(first.text.utf8)), try JSONReader.read(Array(second.text.utf8)))
        #expect(one == two)
    }
}

extension JSONValue {
    /// The value with the members of each object in the order of their names.
    fileprivate var sorted: JSONValue {
        switch self {
        case .object(let members):
            .object(members.map { .init($0.name, $0.value.sorted) }.sorted { $0.name < $1.name })
        case .array(let items): .array(items.map(\.sorted))
        default: self
        }
    }
}
