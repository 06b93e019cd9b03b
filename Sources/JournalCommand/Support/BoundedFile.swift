import Foundation
import HealthJournal
import HealthModel
import Platform

/// Reads files that the user named, up to a limit.
enum BoundedFile {
    /// Returns all bytes of a file or, for `-`, of the standard input.
    ///
    /// A file that is too large is refused before it is read.
    static func read(_ path: String, atMost limit: Int) throws(JournalError) -> [UInt8] {
        let handle = try open(path)
        let size = path == "-" ? 0 : size(of: path)
        guard size <= limit else { throw tooLarge(path, limit) }
        var bytes: [UInt8] = []
        // An array that grows is copied several times.
        bytes.reserveCapacity(size)
        while true {
            let chunk: Data?
            do {
                chunk = try handle.read(upToCount: 1 << 20)
            } catch {
                throw JournalError(.failed, "\(path) cannot be read")
            }
            guard let chunk, !chunk.isEmpty else { return bytes }
            bytes += chunk
            if bytes.count > limit { throw tooLarge(path, limit) }
        }
    }

    /// Returns all bytes of a file that was found in a folder, where no process writes to a named pipe.
    static func read(found path: String, atMost limit: Int) throws(JournalError) -> [UInt8] {
        do {
            return try DurableFile.read(path, atMost: limit, followsLinks: true)
        } catch {
            switch error.code {
            case .valueTooLarge: throw tooLarge(path, limit)
            case .notAFile, .isFolder:
                throw JournalError(.invalid, "\(path) is not a regular file; take it out of the folder, and try again")
            default: throw JournalError(error)
            }
        }
    }

    private static func open(_ path: String) throws(JournalError) -> FileHandle {
        if path == "-" { return .standardInput }
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else {
            throw JournalError(.notFound, "there is no file \(path)")
        }
        guard attributes[.type] as? FileAttributeType != .typeDirectory, let handle = FileHandle(forReadingAtPath: path)
        else {
            throw JournalError(.failed, "\(path) cannot be read")
        }
        return handle
    }

    private static func size(of path: String) -> Int {
        ((try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? NSNumber)?.intValue ?? 0
    }

    private static func tooLarge(_ path: String, _ limit: Int) -> JournalError {
        let name = path == "-" ? "the input" : path
        return JournalError(.invalid, "\(name) is larger than \(limit >> 20) MiB, and none of it was used")
    }
}
