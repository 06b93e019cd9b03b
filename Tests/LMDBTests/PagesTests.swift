import LMDB
import Platform
import TestSupport
import Testing

/// Compares the project's own reading of the database file with LMDB's.
@Suite("Pages")
struct PagesTests {
    private func open(_ folder: TemporaryFolder) throws -> Environment {
        var options = Environment.Options()
        options.mapSize = 1 << 30
        options.isSynced = false
        return try Environment(folder: folder.path, options: options)
    }

    /// Returns all rows of a table as its pages contain them, and marks each of these pages in `map`.
    private func rows(
        _ name: String,
        _ snapshot: Snapshot,
        _ map: inout PageMap
    ) throws -> [(key: [UInt8], value: [UInt8])] {
        guard let record = snapshot.tables[name] else { return [] }
        var walk = TableWalk(snapshot.pages, record)
        var rows: [(key: [UInt8], value: [UInt8])] = []
        while true {
            switch walk.next(&map) {
            case .end:
                #expect(walk.problem == nil)
                #expect(UInt64(rows.count) == record.entries)
                return rows
            case .damage(let fault):
                Issue.record("\(fault)")
                return rows
            case .leaf:
                for index in 0..<walk.count {
                    switch walk.value(index) {
                    case .inside(let range): rows.append((walk.key(index), Array(walk.bytes[range])))
                    case .overflow(let page, let size):
                        rows.append((walk.key(index), try snapshot.pages.overflow(page, size: size)))
                    case .table, .bad: Issue.record("a row that is none")
                    }
                }
            }
        }
    }

    @Test("After any puts and deletes the pages hold the rows that LMDB reads, and each page is used or free once")
    func model() throws {
        var random = SeededGenerator()
        let folder = try TemporaryFolder()
        let environment = try open(folder)
        let names = ["appended", "mixed"]
        for round in 0..<60 {
            try environment.write { transaction in
                let appended = try transaction.makeTable(names[0])
                let mixed = try transaction.makeTable(names[1])
                for number in 0..<Int.random(in: 1...40, using: &random) {
                    let value = random.bytes(Int.random(in: 0...9, using: &random) == 0 ? 9_000 : 120)
                    try transaction.append(Key(UInt64(round * 100 + number)), value.raw, to: appended)
                }
                for _ in 0..<Int.random(in: 0...60, using: &random) {
                    let length = Int.random(in: 1...60, using: &random)
                    let key = Key(Array(random.bytes(length).map { $0 & 3 }.prefix(length)))
                    if Bool.random(using: &random) {
                        let value = random.bytes(Int.random(in: 0...5_000, using: &random))
                        // When a shorter value replaces a longer one of the same transaction, LMDB keeps all pages of
                        // the longer one. No row of a log is ever replaced, so the reader treats such a row as damaged.
                        try transaction.delete(key, in: mixed)
                        try transaction.put(key, value.raw, in: mixed)
                    } else {
                        let cursor = try transaction.reading.cursor(in: mixed)
                        guard let found = try cursor.seek(key) else { continue }
                        let name = Key(found.key.copy)
                        try transaction.delete(name, in: mixed)
                    }
                }
            }
            let snapshot = try environment.snapshot()
            #expect(snapshot.faults.isEmpty)
            var map = snapshot.map
            for name in names {
                let found = try rows(name, snapshot, &map)
                try environment.read { transaction in
                    guard let table = try transaction.table(name) else { return }
                    var count = 0
                    let cursor = try transaction.cursor(in: table)
                    var row = try cursor.first()
                    while let there = row {
                        let (key, value) = (there.key.copy, there.value.copy)
                        #expect(count < found.count)
                        #expect(found[count].key == key)
                        #expect(found[count].value == value)
                        if let record = snapshot.tables[name], count % 7 == 0 {
                            #expect(try snapshot.pages.value(of: key, in: record) == value)
                        }
                        count += 1
                        row = try cursor.next()
                    }
                    #expect(count == found.count)
                }
                if let record = snapshot.tables[name], record.entries > 0 {
                    #expect(snapshot.lastKey(of: record) == found.last?.key)
                    #expect(try snapshot.pages.value(of: [255, 255, 255], in: record) == nil)
                }
            }
            #expect(Snapshot.lost(map) == nil, "round \(round)")
        }
    }

    @Test("An empty database and a database with empty tables have no faults")
    func empty() throws {
        let folder = try TemporaryFolder()
        let environment = try open(folder)
        let fresh = try environment.snapshot()
        #expect(fresh.faults.isEmpty)
        #expect(fresh.tables.isEmpty)
        #expect(Snapshot.lost(fresh.map) == nil)
        try environment.write { transaction in
            let table = try transaction.makeTable("t")
            try transaction.put(Key(1), [1].raw, in: table)
        }
        try environment.write { transaction in
            let table = try transaction.makeTable("t")
            try transaction.delete(Key(1), in: table)
        }
        let emptied = try environment.snapshot()
        #expect(emptied.faults.isEmpty)
        #expect(emptied.tables["t"]?.entries == 0)
        #expect(Snapshot.lost(emptied.map) == nil)
    }

    @Test("A file whose free list is damaged is refused for writing, and can be read")
    func freeList() throws {
        let folder = try TemporaryFolder()
        do {
            let environment = try open(folder)
            for round in 0..<40 {
                try environment.write { transaction in
                    let table = try transaction.makeTable("t")
                    for number in 0..<100 {
                        let key = Key(UInt64(round % 2 * 100 + number))
                        try transaction.delete(key, in: table)
                        try transaction.put(key, [UInt8](repeating: 7, count: 100).raw, in: table)
                    }
                }
            }
        }
        let path = folder.path + "/data.mdb"
        let whole = try FileBytes.read(path)
        func integer(_ offset: Int) -> Int { Int(whole.raw.integer(at: offset, as: UInt64.self)) }
        // The transaction and the root of the free list in each meta page.
        let newest = integer(144) > integer(4_096 + 144) ? 0 : 4_096
        let start = integer(newest + 80) * 4_096
        var readOnly = Environment.Options()
        readOnly.isReadOnly = true
        var refused = 0
        // Each integer of the leaf page, and the end of the page as after a file that was cut.
        for zeros in stride(from: 16, to: 4_096, by: 8).map({ $0..<$0 + 8 }) + [3_986..<4_096] {
            try FileBytes.edit(path) { bytes in for index in zeros { bytes[start + index] = 0 } }
            do {
                let environment = try open(folder)
                for number in 0..<5 {
                    try environment.write { transaction in
                        let table = try transaction.makeTable("t")
                        try transaction.put(Key(UInt64(number)), [1].raw, in: table)
                    }
                }
            } catch let error as StorageError {
                refused += 1
                #expect(error.code == .corrupted)
                let environment = try Environment(folder: folder.path, options: readOnly)
                try environment.read { transaction in
                    let table = try #require(try transaction.table("t"))
                    #expect(try transaction.get(Key(3), in: table)?.byteCount == 100)
                }
            }
            try FileBytes.edit(path) { $0 = whole }
        }
        #expect(refused > 10)
    }

    @Test("A file whose meta pages are damaged is refused before LMDB reads it")
    func opening() throws {
        let folder = try TemporaryFolder()
        do {
            let environment = try open(folder)
            for round in 0..<5 {
                try environment.write { transaction in
                    let table = try transaction.makeTable("t")
                    for number in 0..<100 {
                        try transaction.append(Key(UInt64(round * 100 + number)), [7, 7].raw, to: table)
                    }
                }
            }
        }
        let path = folder.path + "/data.mdb"
        let bytes = try FileBytes.read(path)
        var refused = 0
        // Every bit of both meta pages.
        for bit in Array(0..<(152 * 8)) + Array((4_096 * 8)..<((4_096 + 152) * 8)) {
            try FileBytes.edit(path) { $0[bit / 8] ^= 1 << UInt8(bit % 8) }
            do {
                _ = try open(folder)
            } catch let error as StorageError {
                refused += 1
                #expect(error.description.contains("data.mdb"))
            }
            try FileBytes.edit(path) { $0 = bytes }
        }
        // Opening does not check the counts of rows and pages.
        #expect(refused > 900)
        try FileBytes.edit(path) { $0 = [] }
        var options = Environment.Options()
        options.mustExist = true
        #expect(throws: StorageError.self) { _ = try Environment(folder: folder.path, options: options) }
    }
}
