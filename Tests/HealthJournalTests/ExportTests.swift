import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange
import JournalEvents
import TestSupport
import Testing

@testable import JournalCore

@Suite("Export of a whole record")
struct ExportTests {
    /// Collects the parts of a document in the order in which they were written.
    private final class Parts {
        var parts: [[UInt8]] = []
        var text: String { String(decoding: parts.joined(), as: UTF8.self) }
        var longest: Int { parts.map(\.count).max() ?? 0 }
    }

    private func filled(_ home: TestHousehold, entries: Int) async throws -> UUID {
        let record = try await home.person("Ida")
        for number in 0..<entries {
            let (kind, values) =
                number.isMultiple(of: 3)
                ? ("weight", ["value": "\(50 + number % 40).5"]) : ("drug", ["name": "Aspirin \"\(number)\""])
            var content = try entry(kind, values)
            content.comment = String(repeating: "zoë\n", count: number % 50)
            _ = try await home.journal.entries.addEntry(content, to: record, home.owner)
        }
        return record
    }

    @Test("A document that is written in parts has the same bytes as one written at once")
    func sameBytes() async throws {
        let home = try await TestHousehold()
        let record = try await filled(home, entries: 700)
        let entries = try await home.state(record).entries
        _ = try await home.journal.entries.retractEntry(entries[5].id, home.owner)
        _ = try await home.journal.entries.correctEntry(entries[6].id, home.owner) { content throws(ModelError) in
            content.comment = "corrected"
        }
        let head = try home.head
        for position in [head, head - 300] {
            let options = ReadOptions(asOf: .position(position))
            let answer = try await home.journal.records.read(record, options, home.owner)
            let exported = try await home.journal.exports.export(record, options, by: home.owner)
            #expect(exported.answer.asOf == answer.asOf)
            #expect(exported.answer.state.entries.isEmpty)
            #expect(exported.count == answer.state.entries.count)
            let (native, table, purus) = (Parts(), Parts(), Parts())
            try await exported.writeNative { native.parts.append($0) }
            try await exported.writeTable { table.parts.append($0) }
            try await exported.writePurus { purus.parts.append($0) }
            let whole = NativeDocument.write(answer.state, asOf: answer.asOf, scope: answer.scope)
            #expect(native.text == JSONWriter.text(whole, .pretty) + "\n")
            #expect(table.text == CSVTable.write(answer.state, scope: answer.scope))
            let namespace = try home.journal.log.opaqueID(of: "purus", subject: record)
            let document = PurusDocument.write(answer.state, namespace: namespace, scope: answer.scope)
            #expect(purus.text == JSONWriter.text(document, .pretty) + "\n")
            for parts in [native, table, purus] { #expect(parts.longest < 200_000) }
            #expect(native.parts.count > 1)
        }
    }

    @Test("Pages are in descending order of the key, and of the time of addition where keys are equal")
    func descending() async throws {
        let home = try await TestHousehold()
        let record = try await filled(home, entries: 450)
        let entries = try await home.state(record).entries.filter { $0.kind.name == "drug" }
        let exported = try await home.journal.exports.export(record, by: home.owner)
        let key = { (entry: EntryState) in Int64(entry.added.position % 7) }
        var found: [UUID] = []
        try await exported.forEachPage(of: entries[0].kind, descendingBy: key) { page in
            #expect(page.count <= 128)
            found += page.map(\.id)
        }
        let expected = entries.sorted { (key($0), $0.added.position) > (key($1), $1.added.position) }.map(\.id)
        #expect(found == expected)
    }

    @Test("Entries that are added during an export are not in the document; an erasure ends the export with an error")
    func meanwhile() async throws {
        let home = try await TestHousehold()
        let record = try await filled(home, entries: 400)
        let exported = try await home.journal.exports.export(record, by: home.owner)
        let before = Parts()
        try await exported.writeNative { before.parts.append($0) }
        _ = try await home.add("weight", ["value": "70"], to: record)
        let after = Parts()
        try await exported.writeNative { after.parts.append($0) }
        #expect(after.text == before.text)
        var owner = home.owner
        owner.reason = "asked for"
        var parts = 0
        let error = await #expect(throws: JournalError.self) {
            try await exported.forEachPage(of: exported.kinds) { _, _ in
                parts += 1
                if parts == 1 { _ = try await home.journal.erasure.eraseRecord(record, owner) }
            }
        }
        // Of five pages, the second may have been read before the erasure.
        #expect((1...2).contains(parts))
        #expect(error?.code == .erased)
    }

    @Test("The audit log contains the export, its kinds and its number of entries before anything is written")
    func recorded() async throws {
        let home = try await TestHousehold()
        let record = try await filled(home, entries: 9)
        let head = try home.head
        _ = try await home.journal.exports.export(record, by: home.owner)
        let events = try home.events(after: head)
        #expect(events.map(\.type) == [RecordRead.type])
    }
}
