import CLMDB
import Foundation
import Platform
import TestSupport
import Testing

@testable import LMDB

@Suite("Environments")
struct EnvironmentTests {
    @Test("A folder can be opened only once in a process, under any path, and again after it is closed")
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
            #expect(storageCode { _ = try Environment(folder: spelling) } == .alreadyOpen)
        }
        // The refused opens have not closed the open environment.
        try database.put(1, [1])
        database.close()
        let second = try Environment(folder: link, options: TestDatabase.options())
        #expect(storageCode { try database.open() } == .alreadyOpen)
        _ = second.size
    }

    @Test("An open that fails leaves the folder free to be opened")
    func failedOpen() throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/data.mdb"
        try FileBytes.write([UInt8](repeating: 0x55, count: 20_000), to: file)
        for _ in 0..<3 {
            #expect(storageCode { _ = try Environment(folder: folder.path) } == .notADatabase)
        }
        try FileManager.default.removeItem(atPath: file)
        _ = try Environment(folder: folder.path, options: TestDatabase.options())
    }

    @Test("Opening a folder that does not exist is an error and does not create a database")
    func noFolder() throws {
        let folder = try TemporaryFolder()
        #expect(storageCode { _ = try Environment(folder: folder.path + "/none") } == .other(ENOENT))
    }

    @Test("The reader slot of a killed process is cleared at the next open")
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
        // Another process keeps the environment open, so that the open below does not simply recreate the lock file.
        let other = try ChildProcess(["hold-read", database.path])
        #expect(other.readLine() == "ready")
        second.kill9()
        try database.open()
        #expect(database.environment.clearStaleReaders() == 0)
        #expect(try database.get(1) == [1])
        other.kill9()
    }

    @Test("After a reader is killed, commits stop growing the file without a reopen")
    func killedReader() throws {
        var options = TestDatabase.options()
        options.clearingInterval = 0
        let database = try TestDatabase(options)
        let value = [UInt8](repeating: 7, count: 40_000)
        for _ in 1...20 { try database.put(1, value) }
        #expect(database.environment.oldestReader == nil)
        let child = try ChildProcess(["hold-read", database.path])
        #expect(child.readLine() == "ready")
        let before = database.environment.size.used
        for _ in 1...20 { try database.put(1, value) }
        // A live reader keeps the pages of its snapshot from being reused, and the age of the snapshot is reported.
        let held = database.environment.size.used
        #expect(held > before + 19 * 40_000)
        #expect(database.environment.oldestReader?.age == 20)
        child.kill9()
        for _ in 1...40 { try database.put(1, value) }
        #expect(database.environment.size.used < held + 5 * 40_000)
        #expect(database.environment.oldestReader == nil)
    }

    @Test("A killed writer leaves no uncommitted data and does not block other writers")
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

    @Test("The write activity is reported without waiting: none, in this process or in another process")
    func writeActivity() throws {
        let database = try TestDatabase()
        let environment = database.environment
        #expect(environment.writeActivity == .none)
        #expect(!environment.isWriting)
        try environment.write { _ in #expect(environment.writeActivity == .here && environment.isWriting) }
        #expect(environment.writeActivity == .none)
        let child = try ChildProcess(["hold-write", database.path])
        #expect(child.readLine() == "ready")
        #expect(environment.writeActivity == .elsewhere)
        #expect(environment.isWriting)
        child.kill9()
        #expect(environment.writeActivity == .none)
        try database.put(1, [1])
        #expect(environment.writeActivity == .none)
    }

    @Test("A reader beyond the limit gets an error until another reader has ended")
    func readersFull() throws {
        let database = try TestDatabase(TestDatabase.options(readers: 3))
        try database.put(1, [1])
        let environment = database.environment
        try environment.read { _ in
            try environment.read { _ in
                try environment.read { _ in
                    #expect(storageCode { _ = try database.get(1) } == .readersFull)
                }
                #expect(try database.get(1) == [1])
            }
        }
    }

    @Test("Readers adopt a map that another process has enlarged while they are reading")
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

    @Test("A second read on a thread whose snapshot predates a map growth fails instead of hanging")
    func mapGrowthUnderSnapshot() throws {
        let database = try TestDatabase(TestDatabase.options(mapSize: 1 << 20))
        try database.put(1, [1])
        let child = try ChildProcess(["fill", database.path, "\(256 << 20)", "400", "50000"])
        #expect(child.readLine() == "ready")
        try database.environment.read { transaction in
            let table = try #require(try transaction.table("numbers"))
            try child.say("go")
            #expect(child.wait() == 0)
            #expect(storageCode { _ = try database.get(1) } == .mapGrown)
            #expect(try transaction.get(Key(1), in: table)?.copy == [1])
        }
        #expect(try database.get(400)?.count == 50_000)
    }

    @Test("A write that fills the map fails, reads still work, and a larger map accepts the write")
    func mapFull() throws {
        let database = try TestDatabase(TestDatabase.options(mapSize: 1 << 20))
        try database.put(1, [1])
        #expect(storageCode { try database.put(2, [UInt8](repeating: 2, count: 2 << 20)) } == .mapFull)
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

    @Test("A read-only environment refuses writes and leaves the file unchanged")
    func readOnly() throws {
        let database = try TestDatabase()
        try database.put(1, [1])
        database.close()
        let before = try FileBytes.read(database.path + "/data.mdb")
        try database.open(TestDatabase.options(isReadOnly: true))
        #expect(try database.get(1) == [1])
        #expect(storageCode { try database.put(1, [2]) } == .permissionDenied)
        #expect(try database.get(1) == [1])
        database.close()
        #expect(try FileBytes.read(database.path + "/data.mdb") == before)
    }

    @Test("A read-only environment sees what another process adds, including a new table")
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

    @Test("Without a sync per commit, data is still there after an explicit sync and a reopen")
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

    @Test("Only the owner can read and write the files")
    func permissions() throws {
        let database = try TestDatabase()
        try database.put(1, [1])
        for name in ["data.mdb", "lock.mdb"] {
            #expect(DurableFile.permissions(of: database.path + "/" + name) == 0o600)
        }
    }

    @Test("Child processes do not inherit the file descriptors")
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

    @Test("Files of an environment that root creates belong to the owner of the folder")
    func ownership() throws {
        guard FileNode.isRoot else { return print("skipped: only root can give files away") }
        let folder = try TemporaryFolder()
        #expect(FileNode.give(folder.path, to: 1_234, group: 1_235))
        do { _ = try Environment(folder: folder.path) }
        for name in ["data.mdb", "lock.mdb"] {
            #expect(FileStatus(of: folder.path + "/" + name)?.owner == 1_234, "\(name)")
        }
    }

    @Test("The space of an environment's lock file is allocated before LMDB maps it, at the size that LMDB expects")
    func reservedLock() throws {
        let folder = try TemporaryFolder()
        let environment = try Environment(folder: folder.path)
        defer { withExtendedLifetime(environment) {} }
        let path = folder.path + "/lock.mdb"
        let size = try #require(FileStatus(of: path)?.size)
        #expect(size == 192 + 2047 * 64)
        #expect(FileNode.allocated(path) >= size)
    }

    @Test("A status of LMDB that has no case of its own is explained by LMDB")
    func unknownStatus() {
        let error = StorageError(status: MDB_INCOMPATIBLE, during: "open a table")
        #expect(error.description.contains("MDB_INCOMPATIBLE"))
        #expect(StorageError.Code(status: ENOSPC) == .diskFull)
    }
}

/// A flag that one task sets and other tasks read.
final class Flag: Sendable {
    private let value = Guarded(false)

    var isSet: Bool { value.withLock { $0 } }

    func set() {
        value.withLock { $0 = true }
    }
}
