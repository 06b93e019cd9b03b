import Foundation
import Glibc
import Platform
import TestSupport
import Testing

@Suite("Files and folders")
struct FileTests {
    @Test("A durable file can be read back, created only once and replaced as a whole, and is private to its owner")
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
        #expect(storageCode { _ = try DurableFile(path: path, mode: .create) } == .other(EEXIST))
        try DurableFile.replace(path, with: [7])
        #expect(try DurableFile.read(path, atMost: 10) == [7])
        #expect(try DurableFile(path: path, mode: .read).identity != file.identity)
        #expect(storageCode { _ = try DurableFile.read(path, atMost: 0) } == .valueTooLarge)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
    }

    @Test("Concurrent replacements of a file all succeed, and the file is one of them, complete")
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
        #expect(bytes.count == 20_000)
        #expect(Set(bytes).count == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
    }

    @Test("The lock of a file has only one holder at a time")
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

    @Test("All mappings of a file see a word that one of them writes, and the word is in the file afterwards")
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
        #expect(storageCode { _ = try MappedFile(path: path) } == .notADatabase)
    }

    @Test("No file is opened, made or locked through a link, and opening a pipe never blocks", .timeLimit(.minutes(10)))
    func links() throws {
        let folder = try TemporaryFolder()
        let (file, link, pipe) = (folder.path + "/file", folder.path + "/link", folder.path + "/pipe")
        try FileBytes.write([7], to: file)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        for mode in [DurableFile.Mode.read, .readWrite] {
            #expect(storageCode { _ = try DurableFile(path: link, mode: mode) } == .symbolicLink)
        }
        #expect(try DurableFile.read(link, atMost: 10, followsLinks: true) == [7])
        #expect(storageCode { try DurableFile.makeIfMissing(link) } == .symbolicLink)
        #expect(storageCode { _ = try FileLock(of: link, .alone) } == .symbolicLink)
        #expect(storageCode { _ = try MappedFile(path: link) } == .other(ELOOP))
        // These replace the link with a new file.
        _ = try MappedFile(path: link, size: 4096)
        #expect(FileStatus(of: link)?.isFile == true)
        try FileManager.default.removeItem(atPath: link)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        try DurableFile(path: link, mode: .scratch).write([1], at: 0)
        #expect(FileStatus(of: link)?.isFile == true)
        #expect(FileStatus(of: link)?.permissions == 0o600)
        #expect(try FileBytes.read(file) == [7])
        #expect(FileNode.makePipe(pipe))
        #expect(storageCode { _ = try DurableFile(path: pipe, mode: .read) } == .notAFile)
    }

    @Test("A folder that is made private is neither a link nor another user's, and others lose access to it")
    func privateFolder() throws {
        let folder = try TemporaryFolder()
        let (inner, link) = (folder.path + "/inner", folder.path + "/link")
        try Folder.makePrivate(inner)
        #expect(FileNode.setMode(inner, 0o755))
        try Folder.makePrivate(inner)
        #expect(FileStatus(of: inner)?.permissions == 0o700)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: inner)
        for trusts in [false, true] {
            #expect(storageCode { try Folder.makePrivate(link, trustsOwner: trusts) } == .symbolicLink)
        }
        #expect(storageCode { try Folder.restrict(link) } == .symbolicLink)
        // Removing a link to a folder does not remove the contents of the folder.
        try FileBytes.write([1], to: inner + "/file")
        try DurableFile.removeFolder(link)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() == ["inner", "inner/file"])
        guard FileNode.isRoot else { return print("skipped: only root can make a folder of another user") }
        #expect(FileNode.give(inner, to: 1_234, group: 1_234))
        #expect(storageCode { try Folder.makePrivate(inner) } == .foreignOwner)
        try Folder.makePrivate(inner, trustsOwner: true)
    }

    @Test("Files that root creates belong to the owner of the file that they replace, or of the folder")
    func ownership() throws {
        guard FileNode.isRoot else { return print("skipped: only root can give files away") }
        let folder = try TemporaryFolder()
        #expect(FileNode.give(folder.path, to: 1_234, group: 1_235))
        func owner(_ name: String) -> UInt32? { FileStatus(of: folder.path + "/" + name)?.owner }
        try DurableFile.replace(folder.path + "/new", with: [1])
        try DurableFile.makeIfMissing(folder.path + "/lock")
        try DurableFile.makeFolder(folder.path + "/folder")
        _ = try MappedFile(path: folder.path + "/map", size: 64)
        for name in ["new", "lock", "folder", "map"] { #expect(owner(name) == 1_234, "\(name)") }
        #expect(FileStatus(of: folder.path + "/new")?.group == 1_235)
        #expect(FileNode.give(folder.path + "/new", to: 4_321, group: 4_321))
        try DurableFile.replace(folder.path + "/new", with: [2])
        #expect(owner("new") == 4_321)
        try DurableFile.makeFolder(folder.path + "/own", adoptsOwner: false)
        #expect(owner("own") == 0)
    }

    @Test("A sparse file, as a copy may leave it, has its space allocated before it is mapped")
    func holes() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/map"
        try FileBytes.write([1], to: path)
        #expect(FileNode.setSize(path, 1 << 20))
        _ = try MappedFile(path: path)
        #expect(FileNode.allocated(path) >= 1 << 20)
    }

    @Test("The current boot of the kernel has an id")
    func boot() {
        #expect(Boot.id.count == 36)
    }

    @Test(
        "Network filesystems are refused",
        arguments: [0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42, 0x0102_1997, 0x00C3_6400, 0x6573_5546] as [UInt32]
    )
    func network(kind: UInt32) {
        #expect(Filesystem.isNetwork(kind: kind))
    }

    @Test(
        "Local filesystems are accepted: ext4, xfs, btrfs, tmpfs, overlayfs, zfs, f2fs",
        arguments: [0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0x794C_7630, 0x2FC1_2FC1, 0xF2F5_2010] as [UInt32]
    )
    func local(kind: UInt32) {
        #expect(!Filesystem.isNetwork(kind: kind))
    }
}
