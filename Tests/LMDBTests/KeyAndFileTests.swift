import Foundation
import LMDB
import TestSupport
import Testing

@Suite("Keys and files")
struct KeyAndFileTests {
    @Test("Keys of numbers sort as the numbers do, and are read back")
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
            code {
                try database.environment.write { transaction in
                    try transaction.put(Key(), [1].raw, in: transaction.makeTable("numbers"))
                }
            } == .badKeySize
        )
    }

    @Test("A durable file is read as it was written, made once, replaced whole, and its owner's alone")
    func durableFile() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/file"
        let file = try DurableFile(path: path, mode: .create)
        try file.write([1, 2, 3], at: 0)
        try file.write([9], at: 5)
        #expect(try file.read(at: 0, count: 100) == [1, 2, 3, 0, 0, 9])
        #expect(try file.read(at: 4, count: 1) == [0])
        #expect(file.size == 6)
        #expect(DurableFile.permissions(of: path) == 0o600)
        #expect(code { _ = try DurableFile(path: path, mode: .create) } == .other(EEXIST))
        try DurableFile.replace(path, with: [7])
        #expect(try DurableFile.read(path, atMost: 10) == [7])
        #expect(try DurableFile(path: path, mode: .read).identity != file.identity)
        #expect(code { _ = try DurableFile.read(path, atMost: 0) } == .valueTooLarge)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
    }

    @Test("A file that many replace at once is one of theirs, whole, and no replacement fails")
    func replaceAtOnce() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/file"
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<32 as Range<UInt8> {
                group.addTask { try DurableFile.replace(path, with: [UInt8](repeating: index, count: 20_000)) }
            }
            try await group.waitForAll()
        }
        let bytes = try FileBytes.read(path)
        #expect(bytes.count == 20_000 && Set(bytes).count == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
    }

    @Test("A file of the same lock is held by one at a time")
    func lock() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/counter"
        try FileBytes.write([0], to: path)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let file = try DurableFile(path: path, mode: .readWrite)
                    for _ in 0..<5 {
                        try file.locked { try file.write([try file.read(at: 0, count: 1)[0] + 1], at: 0) }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try FileBytes.read(path) == [40])
    }

    @Test("Words of a mapped file are seen by all who have it open, and are there later")
    func mappedFile() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/words"
        do {
            let one = try MappedFile(path: path, size: 4096)
            let two = try MappedFile(path: path)
            one[word: 3] = 0x0102_0304_0506_0708
            #expect(two[word: 3] == 0x0102_0304_0506_0708)
            try one.sync()
        }
        #expect(try FileBytes.read(path)[24..<32] == [8, 7, 6, 5, 4, 3, 2, 1])
        try FileBytes.write([], to: path)
        #expect(code { _ = try MappedFile(path: path) } == .notADatabase)
    }

    @Test("This run of the kernel has an id")
    func boot() {
        #expect(Boot.id.count == 36)
    }
}
