internal import Foundation

/// A new temporary folder that is deleted when this object is released.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        path = FileManager.default.temporaryDirectory.path + "/healthjournal-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Creates a folder inside this one and returns its path.
    package func folder(_ name: String) throws -> String {
        let inner = path + "/" + name
        try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
        return inner
    }
}

/// Reads, writes and changes the bytes of files.
package enum FileBytes {
    package static func read(_ path: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: URL(filePath: path)))
    }

    package static func write(_ bytes: [UInt8], to path: String) throws {
        try Data(bytes).write(to: URL(filePath: path))
    }

    /// Changes bytes in place: the file keeps its inode, as damage on a disk does.
    package static func edit(_ path: String, _ body: (inout [UInt8]) -> Void) throws {
        var bytes = try read(path)
        body(&bytes)
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.truncate(atOffset: UInt64(bytes.count))
        try file.seek(toOffset: 0)
        try file.write(contentsOf: Data(bytes))
        try file.close()
    }
}
