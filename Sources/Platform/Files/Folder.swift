internal import Glibc

/// Functions that resolve, create, restrict, hand over, sync and remove whole folders.
package enum Folder {
    /// Returns a path without links, dots and relative parts; of a path that does not exist, resolves only the parent
    /// folder.
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

    /// Restricts a folder to its owner; throws if other users keep any access, and for a link.
    package static func restrict(_ path: String) throws(StorageError) {
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            // The system also reports ENOTDIR for a link to a folder.
            let isLink = FileStatus(of: path)?.isLink == true
            throw isLink
                ? StorageError(.symbolicLink, during: "open \(path)")
                : StorageError(errno: errno, during: "open \(path)")
        }
        defer { close(descriptor) }
        let isRestricted = fchmod(descriptor, 0o700) == 0
        let code = errno
        guard let status = FileStatus(of: descriptor), status.isOpenToOthers else { return }
        throw StorageError(errno: isRestricted ? EPERM : code, during: "make \(path) private")
    }

    /// Creates a folder inside one that a user named for output, or accepts an existing one.
    ///
    /// Throws for a link: the user did not name what it points to.
    package static func makeInside(_ path: String, isPublic: Bool = false) throws(StorageError) {
        try DurableFile.makeFolder(path, isPublic: isPublic)
        try requireFolder(path)
    }

    @discardableResult
    private static func requireFolder(_ path: String) throws(StorageError) -> FileStatus {
        guard let status = FileStatus(of: path) else { throw StorageError(.notFound, during: "open \(path)") }
        guard !status.isLink else { throw StorageError(.symbolicLink, during: "open \(path)") }
        guard status.isFolder else { throw StorageError(errno: ENOTDIR, during: "open \(path)") }
        return status
    }

    /// Creates a folder that only its owner may enter, or accepts an existing one.
    ///
    /// An existing folder must not be a link, must belong to the user of this process or to the owner of the parent
    /// folder, and is restricted to its owner; so no other user can have put links into it. With `trustsOwner` it only
    /// has to be a folder and not a link.
    package static func makePrivate(_ path: String, trustsOwner: Bool = false) throws(StorageError) {
        try DurableFile.makeFolder(path)
        let status = try requireFolder(path)
        if trustsOwner { return }
        let around = FileStatus(following: DurableFile.folder(of: path))?.owner
        guard status.owner == User.effective || status.owner == around else {
            throw StorageError(.foreignOwner, during: "open \(path)")
        }
        if status.permissions & 0o777 != 0o700 { try restrict(path) }
    }

    /// Gives a folder and everything in it to another user; links are not followed.
    package static func give(_ path: String, to user: UInt32, group: UInt32) throws(StorageError) {
        guard unsafe lchown(path, user, group) == 0 else {
            throw StorageError(errno: errno, during: "change the owner of \(path)")
        }
        guard FileStatus(of: path)?.isFolder == true else { return }
        for name in try DurableFile.names(in: path) { try give(path + "/" + name, to: user, group: group) }
    }

    /// Removes a folder and everything in it, if it exists; links are removed, not followed.
    package static func remove(_ path: String) throws(StorageError) {
        guard let status = FileStatus(of: path) else { return }
        guard status.isFolder else { return try DurableFile.remove(path) }
        for name in try DurableFile.names(in: path) { try remove(path + "/" + name) }
        guard unsafe rmdir(path) == 0 || errno == ENOENT else {
            throw StorageError(errno: errno, during: "remove \(path)")
        }
    }

    /// Syncs a folder, so that the names in it are durable.
    package static func sync(_ path: String) throws(StorageError) {
        try DurableFile.syncFolder(of: path + "/.")
    }
}
