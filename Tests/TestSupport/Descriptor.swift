internal import CSpawn
internal import Foundation
internal import Glibc
internal import Platform

/// An open file descriptor, closed when the last reference to it is released.
final class Descriptor: @unchecked Sendable {
    let number: Int32
    private var isOpen = true

    struct Failure: Error {
        let code = errno
    }

    init(_ number: Int32) throws {
        guard number >= 0 else { throw Failure() }
        self.number = number
    }

    deinit { close() }

    func close() {
        if isOpen { Glibc.close(number) }
        isOpen = false
    }

    /// Creates a temporary file that has no name in any folder.
    static func unnamedFile() throws -> Descriptor {
        let place = FileManager.default.temporaryDirectory.path + "/healthjournal-\(UUID().uuidString)"
        let file = try unsafe Descriptor(open(place, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
        unsafe unlink(place)
        return file
    }

    func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Failure() }
            rest = rest.dropFirst(count)
        }
    }

    func rewind() {
        lseek(number, 0, SEEK_SET)
    }

    /// Returns at least one available byte, or nothing at the end of the input.
    func read() -> [UInt8] {
        while true {
            var isInterrupted = false
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
                let read = unsafe Glibc.read(number, buffer.baseAddress, buffer.count)
                isInterrupted = read < 0 && errno == EINTR
                count = max(read, 0)
            }
            if !isInterrupted { return bytes }
        }
    }

    func readToEnd() -> [UInt8] {
        var bytes: [UInt8] = []
        while case let more = read(), !more.isEmpty { bytes += more }
        return bytes
    }
}

/// A pipe whose ends a program inherits only if it is given them.
struct Pipe {
    let reading: Descriptor
    let writing: Descriptor

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe2(&ends, O_CLOEXEC) == 0 else { throw Descriptor.Failure() }
        (reading, writing) = (try Descriptor(ends[0]), try Descriptor(ends[1]))
    }
}
