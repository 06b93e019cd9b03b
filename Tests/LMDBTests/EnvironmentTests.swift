import Foundation
import LMDB
import TestSupport
import Testing

@Suite("Environments")
struct EnvironmentTests {
    @Test("A folder is opened once in a process, by whatever name, and again when it was let go")
    func doubleOpen() throws {
        let database = try TestDatabase()
        let link = database.path + "-link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: database.path)
        defer { try? FileManager.default.removeItem(atPath: link) }
        let parent = URL(filePath: database.path).deletingLastPathComponent().path
        let name = URL(filePath: database.path).lastPathComponent
        for spelling in [
            database.path, database.path + "/", "\(parent)/./\(name)", "\(database.path)/../\(name)", link,
        ] {
            #expect(code { _ = try Environment(folder: spelling) } == .alreadyOpen)
        }
        // The refusals have not let go of what is open.
        try database.put(1, [1])
        database.close()
        let second = try Environment(folder: link, options: TestDatabase.options())
        #expect(code { try database.open() } == .alreadyOpen)
        _ = second.lastTransactionID
    }

    @Test("An open that fails leaves the folder free to be opened")
    func failedOpen() throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/data.mdb"
        try FileBytes.write([UInt8](repeating: 0x55, count: 20_000), to: file)
        for _ in 0..<3 {
            #expect(code { _ = try Environment(folder: folder.path) } == .notADatabase)
        }
        try FileManager.default.removeItem(atPath: file)
        _ = try Environment(folder: folder.path, options: TestDatabase.options())
    }

    @Test("A folder that is not there is an error, not a new database")
    func noFolder() throws {
        let folder = try TemporaryFolder()
        #expect(code { _ = try Environment(folder: folder.path + "/none") } == .other(ENOENT))
    }

    @Test("The slot of a reader that was killed is cleared at the next open")
    func staleReader() throws {
        let database = try TestDatabase()
        try database.put(1, [1])
        let child = try ChildProcess(["hold-read", database.path])
        #expect(child.readLine() == "ready")
        #expect(database.environment.clearStaleReaders() == 0)
        child.kill9()
        #expect(database.environment.clearStaleReaders() == 1)

        let second = try ChildProcess(["hold-read", database.path])
        #expect(second.readLine() == "ready")
        database.close()
        // Somebody has the environment open, so that the lock file is not simply made anew.
        let other = try ChildProcess(["hold-read", database.path])
        #expect(other.readLine() == "ready")
        second.kill9()
        try database.open()
        #expect(database.environment.clearStaleReaders() == 0)
        #expect(try database.get(1) == [1])
        other.kill9()
    }

    @Test("A writer that was killed leaves nothing behind and holds nobody up")
    func killedWriter() throws {
        let database = try TestDatabase()
        try database.put(1, [1])
        let child = try ChildProcess(["hold-write", database.path])
        #expect(child.readLine() == "ready")
        #expect(try database.get(UInt64.max) == nil)
        child.kill9()
        try database.put(2, [2])
        #expect(try database.get(UInt64.max) == nil)
        #expect(try database.get(1) == [1])
    }

    @Test("Readers beyond the limit get an error; when one has ended there is room again")
    func readersFull() throws {
        let database = try TestDatabase(TestDatabase.options(readers: 3))
        try database.put(1, [1])
        let environment = database.environment
        try environment.read { _ in
            try environment.read { _ in
                try environment.read { _ in
                    #expect(code { _ = try database.get(1) } == .readersFull)
                }
                #expect(try database.get(1) == [1])
            }
        }
    }

    @Test("A map that another process made larger is taken over while readers are at work")
    func mapGrowth() async throws {
        let database = try TestDatabase(TestDatabase.options(mapSize: 1 << 20))
        try database.put(1, [1])
        let environment = database.environment
        let child = try ChildProcess(["fill", database.path, "\(256 << 20)", "400", "50000"])
        #expect(child.readLine() == "ready")
        let isOver = Flag()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var reads = 0
                    var last = 0
                    while !isOver.isSet || last != 400 {
                        last = try environment.read { transaction in
                            guard let table = try transaction.table("numbers") else { return 0 }
                            let cursor = try transaction.cursor(in: table)
                            var count = 0
                            var row = try cursor.first()
                            while let found = row {
                                #expect(
                                    found.value.byteCount == (count == 0 && found.value.byteCount == 1 ? 1 : 50_000)
                                )
                                count += 1
                                row = try cursor.next()
                            }
                            return count
                        }
                        reads += 1
                        #expect(last == 1 || last == 400)
                        await Task.yield()
                    }
                    return reads
                }
            }
            try child.say("go")
            #expect(child.wait() == 0)
            isOver.set()
            for try await reads in group { #expect(reads > 0) }
        }
        #expect(environment.size.map >= 20 << 20)
        try database.put(401, [UInt8](repeating: 1, count: 100_000))
        #expect(try database.get(400)?.count == 50_000)
    }

    @Test("A map that grew under a snapshot makes a second read on that thread an error, not a standstill")
    func mapGrowthUnderSnapshot() throws {
        let database = try TestDatabase(TestDatabase.options(mapSize: 1 << 20))
        try database.put(1, [1])
        let child = try ChildProcess(["fill", database.path, "\(256 << 20)", "400", "50000"])
        #expect(child.readLine() == "ready")
        try database.environment.read { transaction in
            let table = try #require(try transaction.table("numbers"))
            try child.say("go")
            #expect(child.wait() == 0)
            #expect(code { _ = try database.get(1) } == .mapGrown)
            #expect(try transaction.get(Key(1), in: table)?.copy == [1])
        }
        #expect(try database.get(400)?.count == 50_000)
    }

    @Test("A full map fails that write; reading goes on, and a larger map takes more")
    func mapFull() throws {
        let database = try TestDatabase(TestDatabase.options(mapSize: 1 << 20))
        try database.put(1, [1])
        #expect(code { try database.put(2, [UInt8](repeating: 2, count: 2 << 20)) } == .mapFull)
        #expect(try database.get(1) == [1])
        #expect(try database.get(2) == nil)
        try database.put(3, [3])
        #expect(try database.get(3) == [3])
        database.close()
        try database.open(TestDatabase.options(mapSize: 16 << 20))
        try database.put(2, [UInt8](repeating: 2, count: 2 << 20))
        #expect(try database.get(2)?.count == 2 << 20)
        #expect(try database.get(1) == [1])
    }

    @Test("Opened to be read only, nothing is written")
    func readOnly() throws {
        let database = try TestDatabase()
        try database.put(1, [1])
        database.close()
        let before = try FileBytes.read(database.path + "/data.mdb")
        try database.open(TestDatabase.options(isReadOnly: true))
        #expect(try database.get(1) == [1])
        #expect(code { try database.put(1, [2]) } == .permissionDenied)
        #expect(try database.get(1) == [1])
        database.close()
        #expect(try FileBytes.read(database.path + "/data.mdb") == before)
    }

    @Test("A read-only open sees what another process adds, a new table too")
    func readOnlyFollows() throws {
        let database = try TestDatabase()
        database.close()
        try database.open(TestDatabase.options(isReadOnly: true))
        #expect(try database.get(1) == nil)
        let child = try ChildProcess(["fill", database.path, "\(1 << 30)", "3", "10"])
        #expect(child.readLine() == "ready")
        try child.say("go")
        #expect(child.wait() == 0)
        #expect(try database.get(3)?.count == 10)
    }

    @Test("What is unsynced is there after a close and an open")
    func unsynced() throws {
        var options = TestDatabase.options()
        options.isSynced = false
        let database = try TestDatabase(options)
        try database.put(1, [1])
        try database.environment.sync()
        database.close()
        try database.open(options)
        #expect(try database.get(1) == [1])
    }

    @Test("Files are for their owner alone")
    func permissions() throws {
        let database = try TestDatabase()
        try database.put(1, [1])
        for name in ["data.mdb", "lock.mdb"] {
            #expect(DurableFile.permissions(of: database.path + "/" + name) == 0o600)
        }
    }

    @Test("No child inherits the files")
    func notInherited() throws {
        let database = try TestDatabase()
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init)
        let files = descriptors.filter { descriptor in
            let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
            return path?.hasPrefix(database.path) == true
        }
        #expect(files.count >= 2)
        for descriptor in files { #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0) }
        try database.put(1, [1])
    }

    @Test(
        "Filesystems that machines share are refused",
        arguments: [0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42, 0x0102_1997, 0x00C3_6400, 0x6573_5546] as [UInt32]
    )
    func network(kind: UInt32) {
        #expect(Filesystem.isNetwork(kind: kind))
    }

    @Test(
        "Filesystems of one machine are taken: ext4, xfs, btrfs, tmpfs, overlayfs, zfs, f2fs",
        arguments: [0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0x794C_7630, 0x2FC1_2FC1, 0xF2F5_2010] as [UInt32]
    )
    func local(kind: UInt32) {
        #expect(!Filesystem.isNetwork(kind: kind))
    }

    @Test("Every error says what failed and what to do, and nothing else")
    func errors() {
        let codes: [LMDBError.Code] = [
            .mapFull, .diskFull, .readersFull, .keyExists, .notFound, .corrupted, .versionMismatch, .notADatabase,
            .valueTooLarge, .badKeySize, .transactionFull, .tablesFull, .alreadyOpen, .networkFilesystem, .nestedWrite,
            .permissionDenied, .readOnlyFilesystem, .mapGrown, .diskFailed, .tooManyFiles, .halted, .other(5000),
        ]
        let texts = codes.map { LMDBError($0, during: "write").description }
        #expect(Set(texts).count == codes.count)
        #expect(texts.allSatisfy { $0.hasPrefix("write: ") && $0.count > 15 })
    }
}

/// A sign from one task to others.
final class Flag: @unchecked Sendable {
    private let lock = NSLock()
    private var value = false

    var isSet: Bool { lock.withLock { value } }

    func set() {
        lock.withLock { value = true }
    }
}
