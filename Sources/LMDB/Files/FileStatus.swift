internal import Glibc

/// What a filesystem says of a name.
package struct FileStatus: Hashable, Sendable {
    package let isFolder: Bool
    package let isFile: Bool
    package let size: Int
    /// When its content was changed, in nanoseconds since 1970.
    package let modified: Int64

    /// Nil when there is nothing of that name; links are not followed.
    package init?(of path: String) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        isFolder = status.st_mode & S_IFMT == S_IFDIR
        isFile = status.st_mode & S_IFMT == S_IFREG
        size = Int(status.st_size)
        modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
    }
}
