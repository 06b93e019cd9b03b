internal import Foundation
internal import Glibc

/// A small filesystem that a test can fill, unmounted when this object is released.
///
/// A test makes space by enlarging the filesystem, or with `empty`, rather than by deleting a file: a deleted file keeps
/// its space for as long as any process has it open.
package final class SmallDisk: Sendable {
    /// What the filesystem is.
    package enum Kind: String, CaseIterable, Sendable {
        /// In memory.
        case tmpfs
        /// On an image in a file, through a loop device.
        case ext4
    }

    package let kind: Kind
    package let path: String
    private let folder: TemporaryFolder

    package struct Failure: Error {
        package let code: Int32
    }

    /// The kinds that this process may mount, which needs root.
    package static let kinds = Kind.allCases.filter { (try? SmallDisk(kibibytes: 1_024, kind: $0)) != nil }

    /// Whether this process may mount filesystems in memory.
    package static let isAvailable = kinds.contains(.tmpfs)

    package init(kibibytes: Int, kind: Kind = .tmpfs) throws {
        self.kind = kind
        folder = try TemporaryFolder()
        switch kind {
        case .tmpfs:
            path = folder.path
            try mount("size=\(kibibytes)k")
        case .ext4:
            let image = folder.path + "/image"
            path = try folder.folder("disk")
            try FileBytes.write([], to: image)
            guard unsafe truncate(image, off_t(kibibytes << 10)) == 0 else { throw Failure(code: errno) }
            // Without blocks that only root may use: tests that may mount run as root.
            try SmallDisk.run("/usr/sbin/mkfs.ext4", "-q", "-m", "0", image)
            try SmallDisk.run("/usr/bin/mount", "-o", "loop", image, path)
        }
    }

    deinit { unsafe umount2(path, Int32(MNT_DETACH)) }

    /// Changes the size of a filesystem in memory, which must not be less than what its files use.
    package func resize(kibibytes: Int) throws {
        try mount("size=\(kibibytes)k", UInt(MS_REMOUNT))
    }

    /// Uses all space that is left, for the file `filler`.
    package func fill() throws {
        let descriptor = unsafe open(filler, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        defer { close(descriptor) }
        // The last bytes are filled in ever smaller steps.
        for size in [1 << 20, 1 << 12, 1] {
            let bytes = [UInt8](repeating: 1, count: size)
            while unsafe bytes.withUnsafeBytes({ unsafe write(descriptor, $0.baseAddress, $0.count) }) > 0 {}
            guard errno == ENOSPC else { throw Failure(code: errno) }
        }
    }

    /// Frees the space that `fill` has used.
    package func empty() throws {
        guard unsafe truncate(filler, 0) == 0 else { throw Failure(code: errno) }
    }

    package func setReadOnly(_ isReadOnly: Bool) throws {
        try mount("", UInt(MS_REMOUNT) | (isReadOnly ? UInt(MS_RDONLY) : 0))
    }

    private var filler: String { path + "/filler" }

    private func mount(_ options: String, _ flags: UInt = 0) throws {
        guard unsafe Glibc.mount("tmpfs", path, "tmpfs", flags, options) == 0 else { throw Failure(code: errno) }
    }

    private static func run(_ program: String, _ arguments: String...) throws {
        let outcome = try Outcome(of: program, arguments)
        guard outcome.status == 0 else { throw Failure(code: outcome.status) }
    }
}
