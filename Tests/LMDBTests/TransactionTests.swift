import LMDB
import Platform
import TestSupport
import Testing

@Suite("Transactions")
struct TransactionTests {
    @Test("Random puts, inserts, deletes and cursor moves match a sorted dictionary")
    func model() throws {
        var random = SeededGenerator()
        let database = try TestDatabase()
        var model: [UInt64: [UInt8]] = [:]
        for _ in 0..<40 {
            try database.environment.write { transaction in
                let table = try transaction.makeTable("numbers")
                for _ in 0..<25 {
                    let key = UInt64.random(in: 0..<200, using: &random) << UInt64.random(in: 0..<50, using: &random)
                    let value = random.bytes(Int.random(in: 0..<300, using: &random))
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0:
                        #expect(try transaction.delete(Key(key), in: table) == (model.removeValue(forKey: key) != nil))
                    case 1:
                        let failed = storageCode { try transaction.insert(Key(key), value.raw, in: table) }
                        #expect(failed == (model[key] == nil ? nil : .keyExists))
                        if model[key] == nil { model[key] = value }
                    default:
                        try transaction.put(Key(key), value.raw, in: table)
                        model[key] = value
                    }
                    #expect(try transaction.reading.get(Key(key), in: table)?.copy == model[key])
                }
            }
            try compare(database, model, &random)
        }
    }

    private func compare(_ database: TestDatabase, _ model: [UInt64: [UInt8]], _ random: inout SeededGenerator) throws {
        let keys = model.keys.sorted()
        try database.environment.read { transaction in
            let table = try #require(try transaction.table("numbers"))
            #expect(try transaction.count(of: table) == model.count)
            let cursor = try transaction.cursor(in: table)
            func number(_ row: Cursor.Row?) -> UInt64? {
                guard let row else { return nil }
                let key = row.key.bigEndian(at: 0, as: UInt64.self)
                #expect(row.value.copy == model[key])
                return key
            }
            var found: [UInt64] = []
            var next = number(try cursor.first())
            while let key = next {
                found.append(key)
                next = number(try cursor.next())
            }
            #expect(found == keys)
            found = []
            next = number(try cursor.last())
            while let key = next {
                found.append(key)
                next = number(try cursor.previous())
            }
            #expect(found == keys.reversed())
            for _ in 0..<30 {
                let wanted = Bool.random(using: &random) ? keys.randomElement(using: &random) ?? 0 : random.next() >> 14
                #expect(number(try cursor.seek(Key(wanted))) == keys.first { $0 >= wanted })
                #expect(number(try cursor.seekBack(Key(wanted))) == keys.last { $0 <= wanted })
            }
        }
    }

    @Test("A cursor in an empty table finds nothing, wherever it is moved")
    func emptyTable() throws {
        let database = try TestDatabase()
        try database.environment.write { transaction in
            let table = try transaction.makeTable("empty")
            let cursor = try transaction.reading.cursor(in: table)
            #expect(try cursor.first() == nil)
            #expect(try cursor.last() == nil)
            #expect(try cursor.next() == nil)
            #expect(try cursor.seek(Key(0)) == nil)
            #expect(try cursor.seekBack(Key(9)) == nil)
        }
    }

    @Test("Rows can be appended only in ascending order of their keys")
    func append() throws {
        let database = try TestDatabase()
        try database.environment.write { transaction in
            let table = try transaction.makeTable("numbers")
            for key in 1...1_000 as ClosedRange<UInt64> { try transaction.append(Key(key), [1].raw, to: table) }
            #expect(storageCode { try transaction.append(Key(1_000), [2].raw, to: table) } == .keyExists)
            #expect(storageCode { try transaction.append(Key(5), [2].raw, to: table) } == .keyExists)
        }
        #expect(try database.get(1_000) == [1])
        #expect(try database.get(5) == [1])
    }

    @Test("A value of any size is read back as written", arguments: [0, 1, 2_000, 4_096, 4_097, 70_000, 9 << 20])
    func valueSizes(size: Int) throws {
        var random = SeededGenerator()
        let database = try TestDatabase()
        let value = random.bytes(size)
        try database.put(1, value)
        database.close()
        try database.open()
        #expect(try database.get(1) == value)
    }

    @Test("A write that throws is rolled back completely, including a table that it created")
    func rollback() throws {
        struct Stop: Error {}
        let database = try TestDatabase()
        try database.put(1, [1])
        #expect(throws: Stop.self) {
            try database.environment.write { transaction in
                let numbers = try transaction.makeTable("numbers")
                try transaction.put(Key(1), [2].raw, in: numbers)
                try transaction.put(Key(2), [2].raw, in: transaction.makeTable("new"))
                throw Stop()
            }
        }
        #expect(try database.get(1) == [1])
        #expect(try database.environment.read { try $0.table("new") == nil })
        try database.put(2, [3], in: "new")
        #expect(try database.get(2, in: "new") == [3])
    }

    @Test("A nested write is refused instead of deadlocking, and the outer write continues")
    func nestedWrite() throws {
        let database = try TestDatabase()
        try database.environment.write { transaction in
            #expect(storageCode { try database.put(1, [9]) } == .nestedWrite)
            try transaction.put(Key(1), [1].raw, in: transaction.makeTable("numbers"))
        }
        #expect(try database.get(1) == [1])
        try database.put(1, [2])
        #expect(try database.get(1) == [2])
    }

    @Test("A read inside a write sees the committed state, and the write sees its own changes")
    func readInsideWrite() throws {
        let database = try TestDatabase()
        try database.put(1, [1])
        try database.environment.write { transaction in
            let table = try transaction.makeTable("numbers")
            try transaction.put(Key(1), [2].raw, in: table)
            #expect(try database.get(1) == [1])
            #expect(try transaction.reading.get(Key(1), in: table)?.copy == [2])
        }
        #expect(try database.get(1) == [2])
    }

    @Test("A snapshot does not change while others write")
    func snapshot() throws {
        let database = try TestDatabase()
        try database.put(1, [1])
        try database.environment.read { transaction in
            let table = try #require(try transaction.table("numbers"))
            try database.put(1, [2])
            #expect(try transaction.get(Key(1), in: table)?.copy == [1])
        }
        #expect(try database.get(1) == [2])
    }

    @Test("Tables keep their rows apart, and dropping a table empties or removes it")
    func tables() throws {
        let database = try TestDatabase()
        for index in 0..<20 as Range<UInt64> { try database.put(1, [UInt8(index)], in: "table \(index)") }
        for index in 0..<20 as Range<UInt64> { #expect(try database.get(1, in: "table \(index)") == [UInt8(index)]) }
        try database.environment.write { transaction in
            try transaction.drop(transaction.makeTable("table 3"), forGood: false)
            try transaction.drop(transaction.makeTable("table 4"), forGood: true)
        }
        #expect(try database.get(1, in: "table 3") == nil)
        #expect(try database.environment.read { try $0.table("table 3") != nil })
        #expect(try database.environment.read { try $0.table("table 4") == nil })
        #expect(try database.get(1, in: "table 5") == [5])
        try database.put(1, [44], in: "table 4")
        #expect(try database.get(1, in: "table 4") == [44])
        #expect(try database.get(1, in: "table 5") == [5])
    }

    @Test("Tables opened by many threads concurrently are not confused with each other")
    func tablesAtOnce() async throws {
        for _ in 0..<20 {
            let database = try TestDatabase()
            for index in 0..<12 as Range<UInt64> { try database.put(1, [UInt8(index)], in: "table \(index)") }
            database.close()
            try database.open()
            let environment = database.environment
            let found = try await withThrowingTaskGroup(of: (Int, [UInt8]?).self) { group in
                for index in 0..<48 {
                    group.addTask {
                        let bytes = try environment.read { transaction in
                            guard let table = try transaction.table("table \(index % 12)") else {
                                return nil as [UInt8]?
                            }
                            return try transaction.get(Key(1), in: table)?.copy
                        }
                        return (index % 12, bytes)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            for (index, bytes) in found { #expect(bytes == [UInt8(index)]) }
        }
    }

    @Test("A table opened while an older snapshot is alive is not confused with another")
    func tableOpenedDuringSnapshot() throws {
        let database = try TestDatabase()
        for name in ["a", "b", "c"] { try database.put(1, Array(name.utf8), in: name) }
        database.close()
        try database.open()
        try database.environment.read { transaction in
            #expect(try database.get(1, in: "a") == Array("a".utf8))
            let table = try #require(try transaction.table("b"))
            #expect(try transaction.get(Key(1), in: table)?.copy == Array("b".utf8))
            #expect(try database.get(1, in: "a") == Array("a".utf8))
            #expect(try database.get(1, in: "c") == Array("c".utf8))
            #expect(try transaction.get(Key(1), in: table)?.copy == Array("b".utf8))
        }
        for name in ["a", "b", "c"] { #expect(try database.get(1, in: name) == Array(name.utf8)) }
    }

    @Test("Tables beyond the limit are refused, and the open tables still work")
    func tablesFull() throws {
        var options = TestDatabase.options()
        options.maximumTables = 2
        let database = try TestDatabase(options)
        try database.put(1, [1], in: "a")
        try database.put(1, [2], in: "b")
        #expect(storageCode { try database.put(1, [3], in: "c") } == .tablesFull)
        #expect(try database.get(1, in: "a") == [1])
        #expect(try database.get(1, in: "b") == [2])
    }
}
