internal import Glibc

/// Whole folders: where they are, and their end.
package enum Folder {
    /// A path without links, dots and relative parts; of one that is not there yet, by the folder it would lie in.
    package static func resolved(_ path: String) -> String? {
        if let found = unsafe realpath(path, nil) {
            defer { unsafe free(found) }
            return unsafe String(cString: found)
        }
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        guard let name = parts.last, name != "..", name != "." else { return nil }
        let outer = (path.hasPrefix("/") ? "/" : "") + parts.dropLast().joined(separator: "/")
        guard let folder = unsafe realpath(outer.isEmpty ? "." : outer, nil) else { return nil }
        defer { unsafe free(folder) }
        let start = unsafe String(cString: folder)
        return (start == "/" ? "" : start) + "/" + name
    }

    /// Lets nobody but its owner enter a folder, where the filesystem knows owners.
    package static func restrict(_ path: String) {
        _ = unsafe chmod(path, 0o700)
    }

    /// Removes a folder with all that is in it, if it is there; links are removed, not followed.
    package static func remove(_ path: String) throws(LMDBError) {
        guard let status = FileStatus(of: path) else { return }
        guard status.isFolder else { return try DurableFile.remove(path) }
        for name in try DurableFile.names(in: path) { try remove(path + "/" + name) }
        guard unsafe rmdir(path) == 0 || errno == ENOENT else {
            throw LMDBError(status: errno, during: "remove \(path)")
        }
    }

    /// Makes the names in a folder durable.
    package static func sync(_ path: String) throws(LMDBError) {
        try DurableFile.syncFolder(of: path + "/.")
    }
}
