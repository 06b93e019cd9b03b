internal import Glibc

/// File operations that Foundation lacks, for tests with prepared files.
package enum FileNode {
    package enum Kind: Sendable {
        case file, folder, link, pipe, device, other
    }

    /// Whether this process may change the owner of files and create devices.
    package static var isRoot: Bool { geteuid() == 0 }

    package static func kind(_ path: String) -> Kind? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        return switch status.st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .folder
        case S_IFLNK: .link
        case S_IFIFO: .pipe
        case S_IFCHR: .device
        default: .other
        }
    }

    /// Returns the number of bytes that a file occupies on the disk.
    package static func allocated(_ path: String) -> Int {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? Int(status.st_blocks) * 512 : 0
    }

    @discardableResult
    package static func setMode(_ path: String, _ mode: UInt32) -> Bool { unsafe chmod(path, mode) == 0 }

    /// Changes the owner of a file; of a link, that of the link itself.
    @discardableResult
    package static func give(_ path: String, to user: UInt32, group: UInt32) -> Bool {
        unsafe lchown(path, user, group) == 0
    }

    @discardableResult
    package static func makePipe(_ path: String) -> Bool { unsafe mkfifo(path, 0o600) == 0 }

    /// Creates a device like /dev/null.
    package static func makeNull(_ path: String) -> Bool { unsafe mknod(path, S_IFCHR | 0o600, 1 << 8 | 3) == 0 }

    /// Gives a file a second name, as a hard link.
    @discardableResult
    package static func name(_ path: String, also name: String) -> Bool { unsafe link(path, name) == 0 }

    @discardableResult
    package static func setSize(_ path: String, _ size: Int) -> Bool { unsafe truncate(path, size) == 0 }
}
