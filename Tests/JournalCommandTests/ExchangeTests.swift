import Foundation
import Interchange
import TestSupport
import Testing

@Suite("Import and export of documents")
struct ExchangeTests {
    @Test("All weights are imported in order; importing the same document or its export again appends nothing")
    func roundTrip() throws {
        let tool = try CommandLineTool()
        let documents = try [
            ("person.json", PurusFixtures.cloudKit(), ["--epoch", "unix"]),
            ("dog.json", PurusFixtures.webServices, []),
            ("models.json", PurusFixtures.models, ["--epoch", "reference"]),
        ]
        .map { name, text, options in (try tool.write(text, to: name), options) }
        var records: [String] = []
        for (file, options) in documents {
            let import0 = ["import", "purus", file, "--format", "json"] + options
            let before = try tool.position
            let trial = try tool.run(import0 + ["--dry-run"]).succeeded().json
            #expect(trial["dryRun"] == .bool(true))
            #expect(trial["position"] == nil)
            #expect(try tool.position == before)
            let report = try tool.run(import0).succeeded().json
            records.append(try report.string("record"))
            #expect(try trial.integer("added") == report.integer("added"))
            let head = try tool.position
            let again = try tool.run(import0).succeeded().json
            #expect(try again.integer("added") == 0 && again.integer("corrected") == 0)
            #expect(try tool.position == head)
        }
        let weights = try tool.json("entry", "list", records[0], "weight").items
        #expect(try weights.map { try $0.string("value") } == PurusFixtures.weights(334))

        for (index, record) in records.enumerated() {
            let path = tool.folder.path + "/export-\(index).json"
            try tool.run("export", record, "--as", "purus", "-o", path).succeeded()
            let head = try tool.position
            let report = try tool.run("import", "purus", path, "--format", "json", "--zone", "Asia/Tokyo").succeeded()
                .json
            #expect(try report.integer("added") == 0 && report.integer("corrected") == 0)
            #expect(report["profileChanged"] == .bool(false))
            #expect(try tool.position == head)

            // Purus Health and Mango Health both have names for the times of an entry, which are written once.
            let mango = "\(tool.folder.path)/mango-\(index).json"
            try tool.run("export", record, "--as", "mango", "-o", mango).succeeded()
            try tool.run("import", "mango", mango, "--own", "--dry-run").succeeded()

            let native = try tool.run("export", record, "--as", "native").succeeded().text
            let file = try tool.write(native, to: "native-\(index).json")
            let after = try tool.position
            #expect(try tool.json("import", "native", file)["position"] == nil)
            #expect(try tool.position == after)
        }
        let csv = try tool.run("export", records[0], "--as", "csv").succeeded().text
        #expect(csv.contains("93.3"))
        #expect(csv.contains("Candesartan"))
    }

    @Test("A native export transfers a whole record to another journal")
    func moving() throws {
        let (old, new) = (try CommandLineTool(), try CommandLineTool())
        let record = try old.json("import", "purus", old.write(PurusFixtures.cloudKit(), to: "p.json")).string("record")
        let first = try old.run("export", record, "--as", "native").succeeded()
        try new.json("import", "native", "-", input: first.output)
        let second = try new.run("export", record, "--as", "native").succeeded()
        func told(_ text: String) throws -> [JSONValue] {
            let value = try JSONReader.read(Array(text.utf8))
            return try PurusFixtures.weights(334).indices
                .map { try #require(value["entries"]?["weight"]?.items[$0]["value"]) }
        }
        #expect(try told(first.text) == told(second.text))
    }

    @Test("The wrong epoch is refused with a hint at the other one, and nothing is appended")
    func epoch() throws {
        let tool = try CommandLineTool()
        let before = try tool.position
        let file = try tool.write(PurusFixtures.models, to: "models.json")
        for options in [[], ["--epoch", "unix"]] {
            let outcome = try tool.run(["import", "purus", file] + options)
            #expect(outcome.status == 1)
            #expect(outcome.message.contains("--epoch reference") || outcome.message.contains("epoch reference"))
            #expect(!outcome.message.contains("178.8"))
        }
        let far = try tool.write(PurusFixtures.cloudKit(), to: "far.json")
        let outcome = try tool.run("import", "purus", far, "--epoch", "reference")
        #expect(outcome.status == 1)
        #expect(outcome.message.contains("unix"))
        #expect(try tool.position == before)
    }
}
