import Dispatch
import Foundation
import LMDB
import Platform
import TestSupport
import Testing

@testable import EventLog

/// A changed bit anywhere in the log's file must be detected, or change nothing that can be read.
@Suite("Flipped bits", .serialized)
struct BitFlipTests {
    private static let isLong = FaultScale.isLong

    /// Returns the file of a journal with branch pages, a free list, and a frame that has overflow pages.
    private func makeFile() async throws -> [UInt8] {
        let journal = try TestJournal()
        for round in 0..<12 {
            let size = round == 6 ? 6_000 : 40
            try await journal.log.append(
                (0..<6)
                    .map { number in
                        TestJournal.event(
                            TestJournal.id(number),
                            payload: String(repeating: "x", count: number == 3 ? size : 40)
                        )
                    }
            )
        }
        journal.close()
        return try FileBytes.read(journal.folder.log + "/data.mdb")
    }

    private func verify(_ bytes: [UInt8]) -> Verification {
        do {
            let verification = try LogVerifier(snapshot: Snapshot(PageSource(bytes: bytes)), keys: nil).run { _, _ in }
            return verification
        } catch {
            var verification = Verification()
            verification.report("\(error)", at: 0)
            return verification
        }
    }

    @Test("A flipped bit is detected, or everything that can be read is unchanged")
    func everyBit() async throws {
        var random = SeededGenerator()
        let bytes = try await makeFile()
        #expect(verify(bytes).isSound)
        let fixture = try Fixture()
        let whole = try fixture.read(bytes)
        #expect(whole.count > 150)
        let bits =
            BitFlipTests.isLong
            ? Array(0..<(bytes.count * 8))
            : Array(Set(FilePlaces(bytes).bits.shuffled(using: &random).prefix(1_500)))
                + (0..<1_000).map { _ in Int.random(in: 0..<(bytes.count * 8), using: &random) }
        let tally = Guarded(Tally())
        let started = ContinuousClock.now
        let workers = 2
        let grounds = try (0..<workers).map { _ in try Fixture() }
        DispatchQueue.concurrentPerform(iterations: workers) { worker in
            var flipped = bytes
            for index in stride(from: worker, to: bits.count, by: workers) {
                let bit = bits[index]
                flipped[bit / 8] ^= 1 << UInt8(bit % 8)
                let verification = verify(flipped)
                if verification.isSound {
                    // LMDB reads the file in this process: a file that passes the verification must not crash it.
                    let same = (try? grounds[worker].read(flipped)) == whole
                    tally.withLock { $0.without(bit, isLie: !same) }
                } else {
                    let isNamed = verification.faults.allSatisfy { $0.position <= 72 }
                    tally.withLock {
                        $0.found += 1
                        if !isNamed { $0.unnamed.append(bit) }
                    }
                }
                flipped[bit / 8] = bytes[bit / 8]
            }
        }
        let result = tally.withLock { $0 }
        print(
            "bit flips: \(bits.count) of \(bytes.count * 8); found \(result.found), without effect \(result.harmless), "
                + "lies \(result.lies.count), in \(ContinuousClock.now - started)"
        )
        var row = FaultRow("a bit of log/data.mdb flipped")
        (row.tried, row.refused, row.survived, row.lies) = (
            bits.count, result.found, result.harmless, result.lies.count
        )
        FaultTable.append(row, seconds: (ContinuousClock.now - started) / .seconds(1))
        #expect(result.found + result.harmless == bits.count)
        #expect(result.lies.isEmpty, "bits \(result.lies.prefix(20))")
        #expect(result.unnamed.isEmpty, "bits \(result.unnamed.prefix(20))")
        // More than a third of such a file is read, so at least a quarter of the flips must be found.
        #expect(result.found > bits.count / 4)
    }

    private struct Tally: Sendable {
        var found = 0
        var harmless = 0
        var lies: [Int] = []
        var unnamed: [Int] = []

        mutating func without(_ bit: Int, isLie: Bool) {
            if isLie { lies.append(bit) } else { harmless += 1 }
        }
    }

    @Test("Every flipped bit of a meta page is found, also in the older page, which could then pass for the newest")
    func metaPages() async throws {
        let bytes = try await makeFile()
        var flipped = bytes
        var missed: [Int] = []
        let places = FilePlaces(bytes)
        for bit in places.metas {
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            if verify(flipped).isSound { missed.append(bit) }
            flipped[bit / 8] = bytes[bit / 8]
        }
        #expect(places.metas.count > 500)
        #expect(missed.isEmpty)
    }

    @Test("A file that is truncated, garbled or not a database is refused or reported as damaged, without a crash")
    func mangled() async throws {
        var random = SeededGenerator()
        let bytes = try await makeFile()
        let pages = bytes.count / 4096
        var files: [[UInt8]] = [
            [], [0], Array(bytes.prefix(100)), random.bytes(20_000), Array(repeating: 0, count: 65_536),
        ]
        for page in 0..<pages {
            files.append(Array(bytes.prefix(page * 4096)))
            var zeroed = bytes
            zeroed.replaceSubrange((page * 4096)..<(page * 4096 + 4096), with: repeatElement(0, count: 4096))
            files.append(zeroed)
            var garbled = bytes
            garbled.replaceSubrange((page * 4096)..<(page * 4096 + 4096), with: random.bytes(4096))
            files.append(garbled)
            var body = bytes
            body.replaceSubrange((page * 4096 + 16)..<(page * 4096 + 4096), with: random.bytes(4080))
            files.append(body)
            let other = Int.random(in: 0..<pages, using: &random)
            var swapped = bytes
            swapped.replaceSubrange(
                (page * 4096)..<(page * 4096 + 4096),
                with: bytes[(other * 4096)..<(other * 4096 + 4096)]
            )
            swapped.replaceSubrange(
                (other * 4096)..<(other * 4096 + 4096),
                with: bytes[(page * 4096)..<(page * 4096 + 4096)]
            )
            files.append(swapped)
        }
        for _ in 0..<100 {
            files.append(Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &random))))
            // Many flipped bits.
            var many = bytes
            for _ in 0..<Int.random(in: 2...400, using: &random) {
                many[Int.random(in: 0..<many.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            files.append(many)
        }
        let fixture = try Fixture()
        let whole = try fixture.read(bytes)
        for (number, file) in files.enumerated() where verify(file).isSound {
            #expect(try fixture.read(file) == whole, "file \(number)")
        }
        #expect(!verify([]).isSound)
        #expect(!verify(random.bytes(8_192)).isSound)
    }

    @Test("A log whose file is damaged is opened or refused with an error, and never crashes the process")
    func opened() async throws {
        var random = SeededGenerator()
        let journal = try TestJournal()
        for number in 0..<20 { try await journal.log.append([TestJournal.event(payload: "\(number)")]) }
        journal.close()
        let path = journal.folder.log + "/data.mdb"
        let bytes = try FileBytes.read(path)
        var options = EventLog.Options()
        options.mapSize = 1 << 30
        options.isReadOnly = true
        let places = FilePlaces(bytes).bits.shuffled(using: &random).prefix(400)
        for bit in places {
            try FileBytes.edit(path) { $0[bit / 8] ^= 1 << UInt8(bit % 8) }
            let found = try EventLog.verify(journal.folder, masterKey: journal.master, options: options)
            if let log = try? EventLog(folder: journal.folder, masterKey: journal.master, options: options) {
                #expect(try log.verify().isSound == found.isSound, "bit \(bit)")
            } else {
                #expect(!found.isSound, "bit \(bit)")
            }
            try FileBytes.edit(path) { $0[bit / 8] ^= 1 << UInt8(bit % 8) }
        }
        for file in [[], Array(bytes.prefix(5_000)), random.bytes(9_000)] {
            try FileBytes.edit(path) { $0 = file }
            #expect(throws: EventLogError.self) {
                _ = try EventLog(folder: journal.folder, masterKey: journal.master, options: options)
            }
            #expect(try !EventLog.verify(journal.folder, masterKey: journal.master, options: options).isSound)
        }
        try FileBytes.edit(path) { $0 = bytes }
        #expect(try EventLog.verify(journal.folder, masterKey: journal.master, options: options).sealsOpened == 20)
    }
}

/// A temporary folder in which LMDB reads a given file.
private final class Fixture: Sendable {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Returns every row of every table, read in key order and again by its key.
    func read(_ bytes: [UInt8]) throws -> [String] {
        try FileBytes.write(bytes, to: folder.path + "/data.mdb")
        var options = Environment.Options()
        options.mapSize = 1 << 26
        options.maximumReaders = 8
        options.isReadOnly = true
        let environment = try Environment(folder: folder.path, options: options)
        return try environment.read { transaction in
            var rows: [String] = []
            for name in ["events", "tree", "meta"] {
                guard let table = try transaction.table(name) else { continue }
                rows.append("\(name) \(try transaction.count(of: table))")
                let cursor = try transaction.cursor(in: table)
                var row = try cursor.first()
                while let found = row {
                    let (key, value) = (found.key.copy, found.value.copy)
                    let byKey = try transaction.get(Key(key), in: table)?.copy
                    rows.append("\(key) \(value.hashValue) \(byKey == value)")
                    row = try cursor.next()
                }
                if let last = try cursor.last() { rows.append("last \(last.key.copy)") }
            }
            return rows
        }
    }
}

/// The bits of those parts of a file on which the rest depends.
private struct FilePlaces {
    /// The bits of the meta pages, of all page headers, and of the node pointers and node headers of branch and leaf
    /// pages.
    private(set) var bits: [Int] = []
    /// The bits of the meta pages that a reader uses, that is, all but the map size.
    private(set) var metas: [Int] = []

    init(_ bytes: [UInt8]) {
        let pageSize = 4096
        func add(_ range: Range<Int>) { bits += (range.lowerBound * 8)..<(range.upperBound * 8) }
        for page in 0..<(bytes.count / pageSize) {
            let start = page * pageSize
            if page < 2 {
                add(start..<(start + 152))
                metas += (start * 8)..<((start + 32) * 8)
                metas += ((start + 40) * 8)..<((start + 152) * 8)
                continue
            }
            add(start..<(start + 16))
            let raw = bytes.raw
            let flags = raw.integer(at: start + 10, as: UInt16.self)
            guard flags == 1 || flags == 2 else { continue }
            let lower = min(pageSize, Int(raw.integer(at: start + 12, as: UInt16.self)))
            for pointer in stride(from: 16, to: lower, by: 2) {
                add((start + pointer)..<(start + pointer + 2))
                let node = Int(raw.integer(at: start + pointer, as: UInt16.self))
                if node + 16 <= pageSize { add((start + node)..<(start + node + 16)) }
            }
        }
    }
}
