import Foundation
import Glibc
import Platform
import TestSupport
import Testing

@Suite("Output files that the user names")
struct OutputFileTests {
    fileprivate let bytes = Array("the result\n".utf8)

    private func mode(_ path: String) -> UInt32? { FileStatus(of: path)?.permissions }

    @Test("A new file is accessible to its owner only; an existing file keeps its mode and is replaced as a whole")
    func regular() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/result"
        try OutputFile(path).write(bytes)
        #expect(try FileBytes.read(path) == bytes && mode(path) == 0o600)
        let old = try DurableFile(path: path, mode: .read)
        #expect(FileNode.setMode(path, 0o640))
        try OutputFile(path).write([1])
        #expect(try FileBytes.read(path) == [1] && mode(path) == 0o640)
        #expect(try old.read(at: 0, count: 100) == bytes)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["result"])
    }

    @Test("A file that root overwrites keeps its owner")
    func owner() throws {
        guard FileNode.isRoot else { return print("skipped: only root can give files away") }
        let folder = try TemporaryFolder()
        let path = folder.path + "/result"
        try FileBytes.write([1], to: path)
        #expect(FileNode.give(path, to: 1_234, group: 1_235))
        try OutputFile(path).write(bytes)
        let status = try #require(FileStatus(of: path))
        #expect(status.owner == 1_234)
        #expect(status.group == 1_235)
        #expect(try FileBytes.read(path) == bytes)
    }

    @Test("A file keeps its access control list and inherits none from its folder")
    func accessList() throws {
        let folder = try TemporaryFolder()
        let (listed, plain) = (folder.path + "/listed", folder.path + "/plain")
        for path in [listed, plain] { try FileBytes.write([1], to: path) }
        // u::rw-, u:1234:r--, g::---, m::r--, o::---. The folder's default list for new files is the same.
        let script = """
            import os, struct, sys
            rows = [(1, 6, 2**32 - 1), (2, 4, 1234), (4, 0, 2**32 - 1), (16, 4, 2**32 - 1), (32, 0, 2**32 - 1)]
            value = struct.pack('<I', 2) + b''.join(struct.pack('<HHI', *row) for row in rows)
            name = 'system.posix_acl_access'
            if sys.argv[1] == 'set':
                os.chmod(sys.argv[4], 0o640)
                os.setxattr(sys.argv[3], name, value)
                os.setxattr(sys.argv[2], 'system.posix_acl_default', value)
            else:
                assert os.getxattr(sys.argv[3], name) == value
                assert name not in os.listxattr(sys.argv[4]), 'a list came from the folder'
            """
        func run(_ step: String) throws -> Outcome {
            try Outcome(of: "/usr/bin/python3", ["-c", script, step, folder.path, listed, plain])
        }
        guard try run("set").status == 0 else { return print("skipped: no access lists on this filesystem") }
        for path in [listed, plain] { try OutputFile(path).write(bytes) }
        let outcome = try run("check")
        #expect(outcome.status == 0, "\(outcome.message)")
        #expect(mode(plain) == 0o640)
    }

    @Test("A symbolic link is kept: its target is written, or created if it does not exist")
    func links() throws {
        let folder = try TemporaryFolder()
        let inner = try folder.folder("inner")
        try FileBytes.write([1], to: inner + "/real")
        let links = [
            ("direct", inner + "/real"), ("relative", "inner/real"), ("chain", "relative"), ("dangling", "inner/new"),
        ]
        for (name, target) in links {
            let path = folder.path + "/" + name
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
            try OutputFile(path).write(Array(name.utf8))
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == target)
            let real = inner + (name == "dangling" ? "/new" : "/real")
            #expect(try FileBytes.read(real) == Array(name.utf8))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: inner).sorted() == ["new", "real"])
        let loop = folder.path + "/loop"
        try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: "loop")
        #expect(storageCode { _ = try OutputFile(loop) } == .other(ELOOP))
    }

    @Test("A device stays a device, and a write that it refuses is an error")
    func devices() throws {
        #expect(storageCode { try OutputFile("/dev/full").write(bytes) } == .diskFull)
        guard FileNode.isRoot else { return print("skipped: only root can make a device") }
        let folder = try TemporaryFolder()
        let path = folder.path + "/null"
        guard FileNode.makeNull(path) else {
            return print("skipped: no device can be made here")
        }
        try OutputFile(path).write(bytes)
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: "null")
        try OutputFile(folder.path + "/link").write(bytes)
        #expect(FileNode.kind(path) == .device)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["link", "null"])
    }

    @Test("A pipe is written to and stays a pipe", .timeLimit(.minutes(10)))
    func pipe() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/pipe"
        #expect(FileNode.makePipe(path))
        // The reader is a separate process: a task that blocks could occupy the last thread available for tasks.
        let reader = try ChildProcess(program: "/bin/cat", [path])
        try OutputFile(path).write(bytes)
        #expect(reader.readLine() == "the result")
        #expect(FileNode.kind(path) == .pipe)
    }

    @Test("A socket is written to", .timeLimit(.minutes(10)))
    func socket() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/socket"
        let server = try ChildProcess(
            program: "/usr/bin/python3",
            [
                "-c",
                "import socket,sys; s=socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(); print('ready', flush=True);"
                    + "print(s.accept()[0].makefile().read(), flush=True)", path,
            ]
        )
        #expect(server.readLine() == "ready")
        try OutputFile(path).write(bytes)
        #expect(server.readLine() == "the result")
    }

    @Test("A path that is a folder or cannot hold a file is refused before anything is written")
    func refused() throws {
        let folder = try TemporaryFolder()
        #expect(storageCode { _ = try OutputFile(folder.path) } == .isFolder)
        #expect(storageCode { _ = try OutputFile(folder.path + "/new/") } == .isFolder)
        #expect(storageCode { _ = try OutputFile(folder.path + "/no/such/file") } == .other(ENOENT))
        #expect(storageCode { _ = try OutputFile("") } == .other(ENOENT))
        try FileBytes.write([1], to: folder.path + "/file")
        #expect(storageCode { _ = try OutputFile(folder.path + "/file/inner") } == .other(ENOTDIR))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
    }

    @Test("A file or link of another user in a folder that all may write to is not written through")
    func planted() throws {
        guard FileNode.isRoot else { return print("skipped: only root can make files of another user") }
        let folder = try TemporaryFolder()
        #expect(FileNode.setMode(folder.path, 0o1777))
        let (file, link) = (folder.path + "/file", folder.path + "/link")
        try FileBytes.write([1], to: file)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "elsewhere")
        for path in [file, link] {
            #expect(FileNode.give(path, to: 1_234, group: 1_234))
            #expect(storageCode { _ = try OutputFile(path) } == .foreignOwner)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["file", "link"])
    }
}

extension OutputFileTests {
    @Test("A result written in parts replaces the file when it is finished; otherwise only the old file is left")
    func parts() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/result"
        try OutputFile(path).write(bytes)
        do {
            let writer = try OutputFile(path).writer()
            try writer.write([1, 2])
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["result"])
        #expect(try FileBytes.read(path) == bytes)
        let writer = try OutputFile(path).writer()
        try writer.write([1, 2])
        try writer.write([3])
        #expect(try FileBytes.read(path) == bytes)
        try writer.finish()
        #expect(try FileBytes.read(path) == [1, 2, 3])
    }
}
