import EventLog
import Foundation
import Interchange
import TestSupport
import Testing

@Suite("Files through a service")
struct RemoteDocumentTests {
    @Test("A file is attached and saved byte for byte, with the same results as from the folder")
    func both() throws {
        var random = SeededGenerator()
        let service = try LiveService()
        let bytes = Array("\r\n--\r\n".utf8) + random.bytes(200_000) + [0x0D]
        let file = service.elsewhere.folder.path + "/Überweisung; \"Ida\".pdf"
        try Data(bytes).write(to: URL(filePath: file))
        let record = try service.json("record", "create", "--given-name", "Nora").string("record")
        let options = ["--media-type", "application/pdf", "--date", "2025-03-06", "--comment", "grüezi\n\"zweimal\""]
        var entries: [String] = []
        for run in [{ try service.local.run($0) }, { try service.run($0) }] as [([String]) throws -> Outcome] {
            let outcome = try run(["document", "attach", record, file, "--reason", "scanned"] + options)
            #expect(outcome.status == 0 && outcome.text.hasPrefix("attached the file as entry "), "\(outcome.message)")
            let json = try run(["document", "attach", record, file, "--format", "json"] + options).succeeded().json
            entries.append(try json.string("entry"))
        }
        let told = try service.json("entry", "list", record, "document").items
            .map { entry in
                ["name", "mediaType", "date", "comment"]
                    .map { name in
                        if case .string(let text)? = entry[name] { text } else { "" }
                    } + [(try? entry["content"]?.string("digest")) ?? ""]
            }
        #expect(told.count == 4, "\(told)")
        #expect(Set(told).count == 1, "\(told)")
        let history = try service.json("entry", "history", try #require(service.listed(record).dropFirst(2).first))
        #expect(try history.items.first?.string("reason") == "scanned")

        for (number, entry) in entries.enumerated() {
            let copy = service.elsewhere.folder.path + "/copy-\(number)"
            let saved = try service.run("document", "save", entry, copy)
            #expect(saved.status == 0, "\(saved.message)")
            #expect(saved.message == "wrote \(bytes.count) bytes to \(copy)\n", "\(saved.message)")
            #expect(try Array(Data(contentsOf: URL(filePath: copy))) == bytes)
            try service.expectAlike("document", "save", entry, "-")
        }
    }

    @Test("Refusals have the same messages and status as from the folder")
    func refused() throws {
        let service = try LiveService()
        let file = try service.elsewhere.write("a letter", to: "letter.txt")
        let record = try service.json("record", "create", "--given-name", "Nora").string("record")
        let entry = try service.json("document", "attach", record, file).string("entry")
        let weight = try service.json("weight", "log", record, "72kg").string("entry")
        let nobody = "018f2c3a-0000-7000-8000-000000000000"
        try service.expectAlike("document", "attach", record, file, "--name", String(repeating: "n", count: 3_000))
        try service.expectAlike("document", "attach", record, file, "--date", "2999-01-01")
        try service.expectAlike("document", "attach", record, "/nowhere")
        try service.expectAlike("document", "attach", nobody, file)
        try service.expectAlike("document", "save", weight, "-")
        try service.expectAlike("document", "save", nobody, "-")
        try service.run(["erase", record, "--yes", "--reason", "asked for"]).succeeded()
        try service.expectAlike("document", "attach", record, file)
        try service.expectAlike("document", "save", entry, "-")
    }

    @Test("A file that exceeds the service's limit is refused with the limit")
    func tooLarge() throws {
        let service = try LiveService()
        let file = service.elsewhere.folder.path + "/large"
        try Data(count: 33 << 20).write(to: URL(filePath: file))
        let record = try service.json("record", "create", "--given-name", "Nora").string("record")
        let outcome = try service.run("document", "attach", record, file)
        #expect(outcome.status == 1, "\(outcome.message)")
        #expect(outcome.message.contains("larger than 33554432 bytes"), "\(outcome.message)")
        #expect(try service.listed(record).isEmpty)
    }
}

extension LiveService {
    /// Returns the ids of the documents of a record.
    fileprivate func listed(_ record: String) throws -> [String] {
        try json("entry", "list", record, "document").items.map { try $0.string("id") }
    }
}
