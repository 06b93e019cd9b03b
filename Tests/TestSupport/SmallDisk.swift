internal import Foundation
internal import Glibc

/// A filesystem in memory that a test can fill, unmounted when this object is released.
///
/// A test makes space by enlarging the filesystem rather than by deleting a file: a deleted file keeps its space for as
/// long as any process has it open.
package final class SmallDisk: Sendable {
    private let folder: TemporaryFolder

    package struct Failure: Error {
        package let code: Int32
    }

    /// Whether this process may mount filesystems, which needs root.
    package static let isAvailable = (try? SmallDisk(kibibytes: 64)) != nil

    package init(kibibytes: Int) throws {
        folder = try TemporaryFolder()
        try mount("size=\(kibibytes)k")
    }

    deinit { unsafe umount2(path, Int32(MNT_DETACH)) }

    package var path: String { folder.path }

    /// Changes the size of the filesystem, which must not be less than what its files use.
    package func resize(kibibytes: Int) throws {
        try mount("size=\(kibibytes)k", UInt(MS_REMOUNT))
    }

    package func setReadOnly(_ isReadOnly: Bool) throws {
        try mount("", UInt(MS_REMOUNT) | (isReadOnly ? UInt(MS_RDONLY) : 0))
    }

    private func mount(_ options: String, _ flags: UInt = 0) throws {
        guard unsafe Glibc.mount("tmpfs", path, "tmpfs", flags, options) == 0 else { throw Failure(code: errno) }
    }
}
