import Foundation
import LMDB
import Platform
import TestSupport
import Testing

@Suite("Keys")
struct KeyTests {
    @Test("Keys built from numbers sort in numeric order and can be read back")
    func keys() throws {
        var random = SeededGenerator()
        let database = try TestDatabase()
        let numbers = Set((0..<300).map { _ in random.next() >> UInt64.random(in: 0..<64, using: &random) })
        let id = UUID()
        try database.environment.write { transaction in
            let table = try transaction.makeTable("keys")
            for number in numbers {
                let nothing: [UInt8] = []
                try transaction.put(Key(id).appending(number).appending(UInt16(7)), nothing.raw, in: table)
            }
        }
        try database.environment.read { transaction in
            let table = try #require(try transaction.table("keys"))
            let cursor = try transaction.cursor(in: table)
            var found: [UInt64] = []
            var row = try cursor.first()
            while let next = row {
                #expect(next.key.byteCount == 26)
                let isPrefixed = next.key.starts(with: Key(id))
                #expect(isPrefixed)
                let first = next.key.uuid(at: 0)
                #expect(first == id)
                let last = next.key.bigEndian(at: 24, as: UInt16.self)
                #expect(last == 7)
                found.append(next.key.bigEndian(at: 16))
                row = try cursor.next()
            }
            #expect(found == numbers.sorted())
        }
    }

    @Test("An empty key is refused")
    func emptyKey() throws {
        let database = try TestDatabase()
        #expect(
            storageCode {
                try database.environment.write { transaction in
                    try transaction.put(Key(), [1].raw, in: transaction.makeTable("numbers"))
                }
            } == .badKeySize
        )
    }
}
