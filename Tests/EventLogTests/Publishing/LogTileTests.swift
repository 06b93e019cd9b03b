import Foundation
import TestSupport
import Testing

@testable import EventLog

@Suite("Tiles of the log")
struct LogTileTests {
    @Test(
        "A path names one tile, and a tile has one path",
        arguments: [
            ("tile/0/000", LogTile(level: 0, number: 0)),
            ("tile/0/001.p/112", LogTile(level: 0, number: 1, width: 112)),
            ("tile/2/x001/x234/067", LogTile(level: 2, number: 1_234_067)),
            ("tile/7/999.p/1", LogTile(level: 7, number: 999, width: 1)),
            ("tile/0/x001/000", LogTile(level: 0, number: 1_000)),
        ]
    )
    func paths(_ path: String, _ tile: LogTile) {
        #expect(LogTile(path: path) == tile)
        #expect(tile.path == path)
    }

    @Test(
        "Other spellings, partial tiles without or with all hashes, and entries name no tile",
        arguments: [
            "tile/0/0", "tile/00/000", "tile/8/000", "tile/-1/000", "tile/0/000.p/0", "tile/0/000.p/256",
            "tile/0/000.p/01",
            "tile/0/x000/001", "tile/0/001/000", "tile/0/x001/0000", "tile/entries/000", "tile/0", "tile/0/", "",
            "tile/0/x999/x999/x999/x999/x999/x999/x999/999", "tile/0/000.p", "tile/0/xx01/000", "tile/0/x001/000/",
        ]
    )
    func refused(_ path: String) {
        #expect(LogTile(path: path) == nil)
    }

    @Test("A log of 70,000 events has the tiles that the specification names")
    func specified() {
        let tiles = LogTile.all(ofSize: 70_000)
        #expect(tiles.count { $0.level == 0 && $0.width == 256 } == 273)
        let others = tiles.filter { $0.level > 0 || $0.width < 256 }.map(\.path)
        #expect(others == ["tile/0/273.p/112", "tile/1/000", "tile/1/001.p/17", "tile/2/000.p/1"])
        #expect(LogTile.all(ofSize: 256).map(\.path) == ["tile/0/000", "tile/1/000.p/1"])
        #expect(LogTile.all(ofSize: 0).isEmpty)
        #expect(
            LogTile.all(ofSize: 600, since: 300).map(\.path) == ["tile/0/001", "tile/0/002.p/88", "tile/1/000.p/2"]
        )
        #expect(LogTile(level: 7, number: .max / 2).minimumSize == nil)
    }

    @Test("A tile has the hashes of its level, and one that the log does not have yet is not found")
    func hashes() async throws {
        let journal = try TestJournal()
        for _ in 0..<3 { try await journal.log.append((0..<100).map { _ in TestJournal.event() }) }
        let leaves = try journal.log.events(after: 0, limit: 300).map { MerkleHash.leaf($0.bytes) }
        #expect(leaves.count == 300)
        let first = try journal.log.tile(LogTile(level: 0, number: 0))
        #expect(first == leaves[..<256].flatMap(\.bytes))
        let partial = try journal.log.tile(LogTile(level: 0, number: 1, width: 44))
        #expect(partial == leaves[256...].flatMap(\.bytes))
        let above = try journal.log.tile(LogTile(level: 1, number: 0, width: 1))
        #expect(try above == journal.log.root(ofSize: 256).bytes)
        for missing in [LogTile(level: 0, number: 1, width: 45), LogTile(level: 1, number: 0, width: 2)] {
            let error = #expect(throws: EventLogError.self) { try journal.log.tile(missing) }
            #expect(error?.code == .notFound)
        }
    }

    @Test("What was published is remembered, and a log that lacks it says so")
    func published() async throws {
        let journal = try TestJournal()
        #expect(try journal.log.publishedCheckpoint == nil)
        try await journal.log.append([TestJournal.event()])
        journal.close()
        let copy = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: journal.path, toPath: copy.path + "/older")
        try journal.open()
        try await journal.log.append([TestJournal.event()])
        #expect(try journal.log.publish().checkpoint.size == 2)
        try await journal.log.append([TestJournal.event()])
        #expect(try journal.log.publishedCheckpoint?.checkpoint.size == 2)
        journal.close()
        // The older copy of the log, beside what was published since.
        let older = copy.path + "/older"
        try FileManager.default.copyItem(atPath: journal.path + "/published", toPath: older + "/published")
        let log = try EventLog(folder: JournalFolder(older), masterKey: journal.master, options: journal.options)
        defer { log.close() }
        let error = #expect(throws: EventLogError.self) { try log.publishedCheckpoint }
        #expect(error?.code == .damaged)
        #expect(error?.message.contains("2 events that were published") == true)
        #expect(throws: EventLogError.self) { try log.publish() }
    }

    @Test("A folder of tiles grows with its log, keeps its full tiles, and refuses another log")
    func folder() async throws {
        let journal = try TestJournal()
        let folder = try TemporaryFolder()
        try await journal.log.append((0..<300).map { _ in TestJournal.event() })
        #expect(try journal.log.write(journal.log.publish(), to: folder.path) == 4)
        let full = folder.path + "/tile/0/000"
        let bytes = try FileBytes.read(full)
        #expect(bytes.count == 8_192)
        #expect(try FileManager.default.attributesOfItem(atPath: full)[.posixPermissions] as? Int == 0o644)
        let modified = try FileManager.default.attributesOfItem(atPath: full)[.modificationDate] as? Date
        try await journal.log.append([TestJournal.event()])
        #expect(try journal.log.write(journal.log.publish(), to: folder.path) == 2)
        #expect(try FileManager.default.attributesOfItem(atPath: full)[.modificationDate] as? Date == modified)
        let other = try TestJournal()
        try await other.log.append([TestJournal.event()])
        let error = #expect(throws: EventLogError.self) { try other.log.write(other.log.publish(), to: folder.path) }
        #expect(error?.code == .versionConflict)
    }

    @Test(
        "Nothing is written through a link inside the folder",
        arguments: ["tile", "tile/0", "tile/0/001.p", "checkpoint"]
    )
    func links(name: String) async throws {
        let journal = try TestJournal()
        // More than 256 events, so that there are full tiles and parts of tiles.
        for _ in 0..<3 { try await journal.log.append((0..<100).map { _ in TestJournal.event() }) }
        let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
        let path = folder.path + "/" + name
        _ = try folder.folder((name as NSString).deletingLastPathComponent)
        let target = name == "checkpoint" ? other.path + "/note" : other.path
        if name == "checkpoint" { try FileBytes.write([1], to: target) }
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        let before = try FileManager.default.contentsOfDirectory(atPath: other.path)
        let error = #expect(throws: EventLogError.self) {
            try journal.log.write(journal.log.publish(), to: folder.path)
        }
        #expect(error?.message.contains("symbolic link") == true, "\(error?.message ?? "")")
        #expect(try FileManager.default.contentsOfDirectory(atPath: other.path) == before)
    }
}
