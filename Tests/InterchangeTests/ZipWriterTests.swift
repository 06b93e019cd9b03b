import Foundation
import HealthModel
import TestSupport
import Testing

@testable import Interchange

@Suite("Zip archives that are written")
struct ZipWriterTests {
    private static let instant = Instant(microseconds: 1_771_050_615_000_000)

    private static func members(_ count: Int) -> [(name: String, bytes: [UInt8])] {
        var generator = SeededGenerator(seed: 7)
        return (0..<count)
            .map { index in
                let length = index == 1 ? 300_000 : Int.random(in: 0...2_000, using: &generator)
                return ("Müller.\(index)", (0..<length).map { _ in UInt8.random(in: 0...15, using: &generator) })
            }
    }

    private static func archive(_ members: [(name: String, bytes: [UInt8])], start: UInt64 = 0) -> [UInt8] {
        var zip = ZipWriter(at: instant, start: start)
        var bytes: [UInt8] = []
        for member in members {
            let content = DeflatedBytes()
            for from in stride(from: 0, to: member.bytes.count, by: 1_000) {
                content.add(Array(member.bytes[from..<min(from + 1_000, member.bytes.count)]))
            }
            bytes += zip.add(member.name, content)
        }
        return bytes + zip.end()
    }

    private static func read(_ file: ReadableFile) throws -> [(name: String, bytes: [UInt8])] {
        let zip = try ZipFile(file)
        return try zip.members.map { member in
            var source = try zip.open(member)
            var bytes: [UInt8] = []
            while case let part = try source.next(), !part.isEmpty { bytes += part }
            return (member.name, bytes)
        }
    }

    @Test("They are read by Python and by this program, also without a member", arguments: [0, 1, 40])
    func whole(_ count: Int) throws {
        let (folder, members) = (try TemporaryFolder(), Self.members(count))
        let path = folder.path + "/a.zip"
        try FileBytes.write(Self.archive(members), to: path)
        let script = """
            import sys, zipfile
            z = zipfile.ZipFile(sys.argv[1])
            assert z.testzip() is None
            for i in z.infolist(): print(i.filename, i.file_size, i.date_time)
            """
        let listed = try Outcome(of: "/usr/bin/python3", ["-c", script, path])
        #expect(listed.status == 0, "\(listed.message)")
        let lines = members.map { "\($0.name) \($0.bytes.count) (2026, 2, 14, 6, 30, 14)\n" }
        #expect(listed.text == lines.joined())
        let read = try Self.read(ReadableFile(path))
        #expect(read.map(\.name) == members.map(\.name))
        #expect(read.map(\.bytes) == members.map(\.bytes))
    }

    @Test("One whose members begin beyond 4 GiB is read by Python and by this program")
    func far() throws {
        let (folder, members) = (try TemporaryFolder(), Self.members(3))
        let path = folder.path + "/far.zip"
        let start: UInt64 = 5 << 30
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        // A hole takes no space on the disk.
        try file.seek(toOffset: start)
        try file.write(contentsOf: Self.archive(members, start: start))
        try file.close()
        let tested = try Outcome(of: "/usr/bin/python3", ["-m", "zipfile", "-t", path])
        #expect(tested.status == 0, "\(tested.message)")
        #expect(tested.text.contains("Done testing"), "\(tested.message)")
        let read = try Self.read(ReadableFile(path))
        #expect(read.map(\.name) == members.map(\.name))
        #expect(read.map(\.bytes) == members.map(\.bytes))
    }

    @Test(
        "A document of FHIR in an archive is read as it is alone; an archive in an archive, and two documents, are not"
    )
    func documents() throws {
        let document = JSONWriter.bytes(FHIRTexts.bundle([FHIRTexts.weight("75.50"), FHIRTexts.carePlan]))
        let (record, secret) = (UUID(), UUID())
        let namespaces = PurusNamespaces(records: secret) { _ in secret }
        let options = FHIROptions(record: record, now: Self.instant, namespaces: namespaces)
        func read(_ files: [(name: String, bytes: [UInt8])]) throws -> [UUID] {
            try FHIRDocument.read(Self.archive(files), options: options).flatMap { $0.entries.map(\.id) }
        }
        let alone = try FHIRDocument.read(document, options: options).flatMap { $0.entries.map(\.id) }
        let extra: [UInt8] = Array("x".utf8)
        #expect(try read([("a/b.json", document), ("__MACOSX/b.json", extra), ("read.me", extra)]) == alone)
        let refused: [[(name: String, bytes: [UInt8])]] = [
            [], [("a.json", document), ("b.json", document)], [("a.json", Self.archive([("a.json", document)]))],
            [("a.xml", document)],
        ]
        for files in refused { #expect(throws: ModelError.self) { try read(files) } }
    }

    @Test("An archive with a line that no resource is as long as is refused, whatever the line contains")
    func longLine() throws {
        let namespaces = PurusNamespaces(records: UUID()) { _ in UUID() }
        let options = FHIROptions(record: UUID(), now: Self.instant, namespaces: namespaces)
        let line = [UInt8](repeating: UInt8(ascii: "["), count: FHIRDocument.maximumResourceBytes + 1)
        let archive = Self.archive([("a.ndjson", Array("{}\n".utf8) + line)])
        let error = #expect(throws: ModelError.self) {
            try FHIRDocument.read(archive, options: options)
        }
        #expect(error?.message == "contains a line of more than 64 MiB")
    }

    @Test("A part of a document with too many bytes or values is refused")
    func values() throws {
        let text = Array("[[1, 2], {\"a\": 3}]".utf8)
        _ = try JSONReader.read(text.indices, of: text, maximumBytes: text.count, mostValues: 6)
        #expect(throws: ModelError.self) { try JSONReader.read(text.indices, of: text, mostValues: 5) }
        #expect(throws: ModelError.self) { try JSONReader.read(text.indices, of: text, maximumBytes: text.count - 1) }
    }
}
