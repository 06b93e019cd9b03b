import Foundation
import Glibc
import Interchange
import TestSupport
import Testing

@Suite("Importing exports of Apple Health")
struct ImportAppleTests {
    @Test("An interrupted import of Apple Health is finished by the same command, and undone as one")
    func appleHealth() throws {
        let tool = try CommandLineTool()
        let record = try tool.person()
        var lines = ""
        for day in 0..<6_000 {
            let date = "\(2005 + day / 360)-\(pad(day / 30 % 12 + 1))-\(pad(day % 28 + 1)) 07:\(pad(day % 60)):00 +0100"
            lines +=
                " <Record type=\"HKQuantityTypeIdentifierBodyMass\" sourceName=\"S\" unit=\"kg\" startDate=\"\(date)\" "
                + "endDate=\"\(date)\" value=\"7\(day % 10).\(day % 7)\"/>\n"
        }
        let file = try tool.write("<HealthData>\n\(lines)</HealthData>\n", to: "export.xml")
        let process = try tool.start("import", "apple", file, "--record", record)
        // After the first of six appends.
        var looks = 0
        while try tool.position < 1_000, looks < 200 { looks += 1 }
        process.kill9()
        let again = try tool.run("import", "apple", file, "--record", record).succeeded().text
        #expect(again.contains("added"), "\(again)")
        #expect(!again.contains("added 6000"), "\(again)")
        let whole = try tool.run("import", "apple", file, "--record", record).succeeded().text
        #expect(whole.contains("added 0"), "\(whole)")
        #expect(whole.contains("nothing to append"), "\(whole)")
        let undone = try tool.run("import", "undo", record).succeeded().text
        let count = try tool.json("entry", "list", record).items.count
        #expect(count == 0, "\(undone)")
    }

    @Test("An older export changes no summary of a day, and a later one corrects it")
    func older() throws {
        let tool = try CommandLineTool()
        let record = try tool.person()
        func take(_ steps: [Int]) throws -> String {
            let lines = steps.enumerated()
                .map { hour, count in
                    let time = "2026-02-01 0\(hour + 7):00:00 +0100"
                    return " <Record type=\"HKQuantityTypeIdentifierStepCount\" sourceName=\"S\" unit=\"count\" "
                        + "startDate=\"\(time)\" endDate=\"\(time)\" value=\"\(count)\"/>\n"
                }
            let file = try tool.write("<HealthData>\n\(lines.joined())</HealthData>\n", to: "export.xml")
            return try tool.run("import", "apple", file, "--record", record).succeeded().text
        }
        #expect(try take([9_000, 3_000]).contains("added 1"))
        #expect(try take([9_000]).contains("older than known 1"))
        #expect(try take([9_000, 3_000, 500]).contains("corrected 1"))
        let values = try tool.json("entry", "list", record).items.map { try $0.string("value") }
        #expect(values == ["12500"])
    }

    @Test("Clinical records of FHIR R4 are imported for each hospital; other releases and invalid files are counted")
    func clinicalRecords() throws {
        let tool = try CommandLineTool()
        let record = try tool.person()
        let script = """
            import json, sys, zipfile
            allergy = {"resourceType": "AllergyIntolerance", "id": "1", "patient": {"reference": "Patient/7"},
                       "code": {"text": "Penicillin"}, "clinicalStatus": {"coding": [{"system":
                       "http://terminology.hl7.org/CodeSystem/allergyintolerance-clinical", "code": "active"}]}}
            files = [("A.json", "4.0.1", "Inselspital", json.dumps(dict(allergy, meta={"lastUpdated": "2024-01-01T00:00:00Z"}), indent=2)),
                     ("B.json", "4.0.1", "Praxis & Söhne", json.dumps(dict(allergy, code={"text": "Latex"}))),
                     ("F.json", "4.0.1", "Inselspital", json.dumps(dict(allergy, code={"text": "Old"}, meta={"lastUpdated": "2020-01-01T00:00:00Z"}))),
                     ("G.json", "4.0.1", "Inselspital", json.dumps({"resourceType": "Patient", "name": [{"family": "Other"}]})),
                     ("C.json", "1.0.2", "Inselspital", json.dumps({"resourceType": "Condition"})),
                     ("D.json", "4.0.1", "Inselspital", '{"resourceType": 7}'), ("E.json", "4.0.1", "Inselspital", None)]
            lines = ['<ClinicalRecord type="AllergyRecord" sourceName="%s" fhirVersion="%s" resourceFilePath="/clinical-records/%s"/>'
                     % (source.replace("&", "&amp;"), release, name) for name, release, source, _ in files + files[:1]]
            with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as z:
                z.writestr("apple_health_export/export.xml", "<HealthData>" + "".join(lines) + "</HealthData>")
                for name, _, _, text in files:
                    if text: z.writestr("apple_health_export/clinical-records/" + name, text)
            """
        let file = tool.folder.path + "/export.zip"
        let made = try Outcome(of: "/usr/bin/python3", ["-c", script, file])
        #expect(made.status == 0, "\(made.message)")
        let trial = try tool.run("import", "apple", file, "--record", record, "--dry-run").succeeded().text
        #expect(trial.contains("ClinicalRecord of FHIR 1.0.2 1"))
        #expect(trial.contains("ClinicalRecord without its file 1"))
        #expect(trial.contains("or a value: 1"), "\(trial)")
        try tool.run("import", "apple", file, "--record", record).succeeded()
        let names = try tool.json("entry", "list", record, "allergy").items.map { try $0.string("name") }
        #expect(names.sorted() == ["Latex", "Penicillin"])
        #expect(try tool.json("record", "show", record)["profile"]?["familyName"] != "Other")
        let again = try tool.run("import", "apple", file, "--record", record).succeeded().text
        #expect(again.contains("nothing to append"), "\(again)")
        let exported = try tool.run("export", record, "--as", "fhir").succeeded().text
        #expect(exported.contains("Penicillin"))
        #expect(exported.contains(#""reference": "Patient/7""#))
    }

    private func pad(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
