import Foundation
import LMDB
import TestSupport
import Testing

@testable import EventLog

@Suite("The index")
struct IndexTests {
    @Test("A position table behaves as a dictionary, through several doublings")
    func model() throws {
        var random = SeededGenerator()
        let folder = try TemporaryFolder()
        let journal = UUID()
        var table = try PositionTable(path: folder.path + "/0", journal: journal, roomFor: 0)
        var heads: [UUID: UInt64] = [:]
        var events: [UUID: UInt64] = [:]
        var capacities: [Int] = []
        for step in 1...20_000 as ClosedRange<UInt64> {
            if table.isFull {
                let path = folder.path + "/\(step)"
                let larger = try PositionTable(path: path, journal: journal, roomFor: Int(table.count))
                try table.copy(into: larger)
                capacities.append(try FileBytes.read(path).count)
                #expect(larger.count == table.count)
                table = larger
            }
            let id = TestJournal.id(Int.random(in: 0..<14_000, using: &random))
            // The same id may identify a stream and an event.
            if Bool.random(using: &random) {
                heads[id] = step
                try table.set(id, in: .streamHead, to: step)
            } else {
                events[id] = step
                try table.set(id, in: .eventID, to: step)
            }
            #expect(table.count == UInt64(heads.count + events.count))
        }
        for number in 0..<14_100 {
            let id = TestJournal.id(number)
            #expect(try table.position(of: id, in: .streamHead) == heads[id])
            #expect(try table.position(of: id, in: .eventID) == events[id])
        }
        #expect(capacities.count >= 2)
        for (smaller, larger) in zip(capacities, capacities.dropFirst()) { #expect(larger < smaller * 5 / 2) }
    }

    @Test("A table file of another journal, or a file that is not a table, is not opened")
    func foreign() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/positions"
        let journal = UUID()
        let table = try PositionTable(path: path, journal: journal, roomFor: 0)
        try table.markClean()
        #expect(PositionTable(path: path, journal: journal) != nil)
        #expect(PositionTable(path: path, journal: UUID()) == nil)
        #expect(PositionTable(path: path + "-none", journal: journal) == nil)
        for size in [0, 1, 127, 4_096, 65_536] {
            try FileBytes.write([UInt8](repeating: 0, count: size), to: path + "-\(size)")
            #expect(PositionTable(path: path + "-\(size)", journal: journal) == nil)
        }
        let whole = try FileBytes.read(path)
        for size in [0, 8, 128, 160, 128 + 32 * 2048, whole.count - 1, whole.count - 32, whole.count + 32] {
            try FileBytes.write(Array((whole + whole).prefix(size)), to: path + "-cut")
            #expect(PositionTable(path: path + "-cut", journal: journal) == nil)
        }
    }

    @Test("A table that another boot left dirty is not opened; one of this boot or a clean one is")
    func boot() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/positions"
        let journal = UUID()
        let table = try PositionTable(path: path, journal: journal, roomFor: 0)
        try table.set(UUID(), in: .streamHead, to: 1)
        #expect(PositionTable(path: path, journal: journal) != nil)
        try FileBytes.edit(path) { $0[3 * 8] ^= 1 }
        #expect(PositionTable(path: path, journal: journal) == nil)
        try FileBytes.edit(path) { $0[3 * 8] ^= 1 }
        try table.markClean()
        try FileBytes.edit(path) { $0[3 * 8] ^= 1 }
        #expect(PositionTable(path: path, journal: journal) != nil)
    }

    @Test("No changed byte of the file makes a lookup return a wrong result")
    func flippedBytes() throws {
        var random = SeededGenerator()
        let folder = try TemporaryFolder()
        let path = folder.path + "/positions"
        let journal = UUID()
        do {
            let table = try PositionTable(path: path, journal: journal, roomFor: 0)
            for number in 1...500 { try table.set(TestJournal.id(number), in: .streamHead, to: UInt64(number)) }
            try table.markClean()
        }
        let whole = try FileBytes.read(path)
        let offsets = Array(0..<128) + (0..<400).map { _ in Int.random(in: 128..<whole.count, using: &random) }
        // Changes of the checkpoint and of the boot id need not be detected here: the checkpoint is compared with the
        // log, and the boot id does not matter for a clean table.
        for offset in offsets {
            let mask = UInt8.random(in: 1...255, using: &random)
            try FileBytes.edit(path) { $0[offset] ^= mask }
            if let table = PositionTable(path: path, journal: journal) {
                for number in 0...520 {
                    let expected: UInt64? = (1...500).contains(number) ? UInt64(number) : nil
                    if let found = try? table.position(of: TestJournal.id(number), in: .streamHead) as UInt64?? {
                        #expect(found == expected, "byte \(offset) ^ \(mask)")
                    }
                }
            }
            try FileBytes.edit(path) { $0[offset] ^= mask }
        }
        #expect(try FileBytes.read(path) == whole)
    }

    @Test("Zeroed slots are detected, so that no stream appears empty that is not")
    func zeroedSlots() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/positions"
        let journal = UUID()
        do {
            let table = try PositionTable(path: path, journal: journal, roomFor: 0)
            for number in 1...500 { try table.set(TestJournal.id(number), in: .streamHead, to: UInt64(number)) }
            try table.markClean()
        }
        try FileBytes.edit(path) { for index in 4_096..<69_632 { $0[index] = 0 } }
        let table = try #require(PositionTable(path: path, journal: journal))
        for number in 1...500 {
            if let found = try? table.position(of: TestJournal.id(number), in: .streamHead) as UInt64?? {
                #expect(found == UInt64(number))
            }
        }
    }

    // MARK: An index with its log

    private func filled(_ journal: TestJournal, _ count: Int = 60) async throws {
        for number in 0..<count {
            let id: UUID? = number % 3 == 0 ? TestJournal.id(number, version: 5) : nil
            try await journal.log.append([TestJournal.event(TestJournal.id(number % 7), id: id, payload: "\(number)")])
        }
    }

    /// Appends to old and new streams, repeats old keys, and checks that all results are as with an undamaged index.
    private func goesOn(_ journal: TestJournal, _ comment: Comment, from count: Int = 60) async throws {
        let before = try journal.log.head()
        #expect(try journal.log.version(of: TestJournal.id(3)) > 0, comment)
        for number in stride(from: 0, to: count, by: 3) {
            let again = try await journal.log.append([
                TestJournal.event(
                    TestJournal.id(number % 7),
                    id: TestJournal.id(number, version: 5),
                    payload: "\(number)"
                )
            ])
            #expect(again.isRepeated && again.first == UInt64(number + 1), comment)
        }
        #expect(try journal.log.head() == before, comment)
        for number in 0..<9 {
            try await journal.log.append([TestJournal.event(TestJournal.id(number), payload: "more")])
        }
        #expect(try journal.log.head() == before + 9, comment)
        #expect(try journal.log.verify().faults == [], comment)
    }

    @Test("After the index is deleted, stream heads and idempotency keys are still found")
    func deleted() async throws {
        let journal = try TestJournal()
        try await filled(journal)
        try journal.reopen { try FileManager.default.removeItem(atPath: journal.folder.index) }
        try await goesOn(journal, "deleted")
    }

    @Test("Deleting the index of an open log loses nothing")
    func deletedUnderneath() async throws {
        let journal = try TestJournal()
        try await filled(journal)
        try FileManager.default.removeItem(atPath: journal.folder.index)
        try await goesOn(journal, "deleted underneath")
        try journal.reopen()
        try await goesOn(journal, "and opened again")
    }

    @Test("The index of another journal is not trusted")
    func foreignIndex() async throws {
        let journal = try TestJournal()
        let other = try TestJournal()
        try await filled(journal)
        try await filled(other, 40)
        other.close()
        let file = "/positions"
        try journal.reopen {
            try FileBytes.write(FileBytes.read(other.folder.index + file), to: journal.folder.index + file)
        }
        try await goesOn(journal, "another journal's")
    }

    @Test("An index that is ahead of its log, which was restored, is not trusted", arguments: [0, 1, 3, 40, 45, 60])
    func rolledBack(newer: Int) async throws {
        let journal = try TestJournal()
        try await filled(journal)
        journal.close()
        let log = try FileBytes.read(journal.folder.log + "/data.mdb")
        try journal.open()
        for _ in 0..<40 { try await journal.log.append([TestJournal.event(TestJournal.id(1), payload: "lost")]) }
        try journal.reopen {
            try FileBytes.write(log, to: journal.folder.log + "/data.mdb")
            journal.forgetCheckpoint()
        }
        #expect(try journal.log.head() == 60)
        // Appends events that the saved index does not contain. The log then ends before, at or after the last position
        // of that index.
        let index = try FileBytes.read(journal.folder.index + "/positions")
        try FileManager.default.removeItem(atPath: journal.folder.index)
        let (own, others) = (newer * 3 / 4, newer - newer * 3 / 4)
        for number in 0..<newer {
            let stream = TestJournal.id(number < own ? 5 : 20)
            try await journal.log.append([TestJournal.event(stream, payload: "new")])
        }
        try journal.reopen {
            try FileManager.default.createDirectory(atPath: journal.folder.index, withIntermediateDirectories: true)
            try FileBytes.write(index, to: journal.folder.index + "/positions")
        }
        #expect(try journal.log.version(of: TestJournal.id(5)) == 8 + UInt64(own))
        #expect(try journal.log.version(of: TestJournal.id(20)) == UInt64(others))
        try await goesOn(journal, "rolled back, then \(newer)")
    }

    @Test("Changed bytes in the index are detected or harmless: no stream position is assigned twice")
    func damaged() async throws {
        var random = SeededGenerator()
        let journal = try TestJournal()
        try await filled(journal)
        let path = journal.folder.index + "/positions"
        for round in 0..<60 {
            var offsets: [Int] = []
            try journal.reopen {
                try FileBytes.edit(path) { bytes in
                    // In the header, in one used slot, or anywhere in the file.
                    switch round % 3 {
                    case 0: offsets = [Int.random(in: 0..<128, using: &random)]
                    case 1:
                        let used = (0..<((bytes.count - 128) / 32))
                            .filter { slot in
                                (0..<8).contains { bytes[128 + slot * 32 + $0] != 0 }
                            }
                        offsets =
                            (used.randomElement(using: &random))
                            .map { slot in
                                [128 + slot * 32 + Int.random(in: 0..<32, using: &random)]
                            } ?? []
                    default: offsets = (0..<2_000).map { _ in Int.random(in: 0..<bytes.count, using: &random) }
                    }
                    for offset in offsets { bytes[offset] ^= UInt8.random(in: 1...255, using: &random) }
                }
            }
            try await goesOn(journal, "round \(round), bytes \(offsets.prefix(3))")
        }
    }

    @Test("A truncated or zeroed index is detected")
    func cut() async throws {
        let journal = try TestJournal()
        try await filled(journal)
        let path = journal.folder.index + "/positions"
        for size in [0, 100, 160, 4_096, 128 + 32 * 2_048] {
            try journal.reopen { try FileBytes.edit(path) { $0.removeLast(max(0, $0.count - size)) } }
            try await goesOn(journal, "cut to \(size)")
            try journal.reopen { try FileBytes.edit(path) { for index in size..<$0.count { $0[index] = 0 } } }
            try await goesOn(journal, "zeros from \(size)")
        }
    }

    @Test("An index with wrong positions but valid checksums is rebuilt, and the append succeeds")
    func misled() async throws {
        let journal = try TestJournal()
        try await filled(journal)
        for position in [2, 59, 60, 5_000] as [UInt64] {
            let path = journal.folder.index + "/positions"
            let table = try #require(PositionTable(path: path, journal: journal.log.description.id))
            // An event of another stream, or no event at all; the checksum of the slot is valid.
            try table.set(TestJournal.id(0), in: .streamHead, to: position)
            try table.set(TestJournal.id(0, version: 5), in: .eventID, to: position)
            let version = try journal.log.version(of: TestJournal.id(1))
            try await journal.log.append([TestJournal.event(TestJournal.id(1))])
            try await journal.log.append([TestJournal.event(TestJournal.id(0))])
            #expect(try journal.log.version(of: TestJournal.id(1)) == version + 1)
            let again = try await journal.log.append([
                TestJournal.event(TestJournal.id(0), id: TestJournal.id(0, version: 5), payload: "0")
            ])
            #expect(again.first == 1)
            #expect(again.isRepeated)
            #expect(try journal.log.verify().faults == [])
        }
    }

    @Test("An index that another boot left dirty is rebuilt")
    func otherBoot() async throws {
        let journal = try TestJournal()
        try await filled(journal)
        let path = journal.folder.index + "/positions"
        try journal.reopen {
            try FileBytes.edit(path) { bytes in
                #expect(bytes[5 * 8] == 1)
                bytes[5 * 8] = 2
                bytes[3 * 8] ^= 1
                // A power cut may leave half of the file unwritten.
                for index in (bytes.count / 2)..<bytes.count { bytes[index] = 0 }
            }
        }
        try await goesOn(journal, "another boot")
    }

    @Test("The index grows through several doublings, and the stream heads stay correct")
    func growth() async throws {
        let journal = try TestJournal()
        let subject = UUID()
        for batch in 0..<12 {
            try await journal.log.append(
                (0..<1_000).map { TestJournal.event(TestJournal.id(batch * 1_000 + $0), subject: subject) }
            )
        }
        for number in [0, 1, 2_559, 2_560, 2_561, 6_000, 11_999] {
            #expect(try journal.log.newest(of: TestJournal.id(number))?.position == UInt64(number + 1))
        }
        try await journal.log.append((0..<12_000).map { TestJournal.event(TestJournal.id($0), subject: subject) })
        #expect(try journal.log.verify().isSound)
    }

    @Test("A read-only log finds streams and keys with a stale index and without one")
    func readOnly() async throws {
        let journal = try TestJournal()
        try await filled(journal, 1_400)
        journal.options.isReadOnly = true
        try journal.reopen()
        func check() throws {
            #expect(try journal.log.version(of: TestJournal.id(3)) == 200)
            #expect(try journal.log.version(of: TestJournal.id(77)) == 0)
            #expect(try journal.log.events(of: TestJournal.id(3), from: 199).map(\.streamPosition) == [199, 200])
            #expect(try journal.log.event(withKey: TestJournal.id(1_200, version: 5))?.position == 1_201)
            #expect(try journal.log.event(withKey: TestJournal.id(1_201, version: 5)) == nil)
        }
        try check()
        let index = try FileBytes.read(journal.folder.index + "/positions")
        try journal.reopen { try FileManager.default.removeItem(atPath: journal.folder.index) }
        try check()
        #expect(!FileManager.default.fileExists(atPath: journal.folder.index))
        journal.options.isReadOnly = false
        try journal.reopen {
            try FileManager.default.createDirectory(atPath: journal.folder.index, withIntermediateDirectories: false)
        }
        try await filled(journal, 10)
        try journal.reopen { try FileBytes.write(index, to: journal.folder.index + "/positions") }
        #expect(try journal.log.version(of: TestJournal.id(1)) == 202)
    }
}
