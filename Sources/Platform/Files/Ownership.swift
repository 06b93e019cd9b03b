internal import Glibc

/// Preserves the ownership of files when this process runs as root.
///
/// Without this, one command run as root would leave files that the service's own user can neither read nor replace.
/// Only root can give files away, so that for every other user these functions do nothing. A filesystem without owners
/// refuses the change, which is ignored: there the file belongs to the same user anyway.
package enum Ownership {
    /// Gives a new file to the owner of the file that it will replace or, where there is none, to the owner of its
    /// folder.
    package static func adopt(_ descriptor: Int32, at path: String, replacing old: String? = nil) {
        guard geteuid() == 0, let model = model(path, old), let status = FileStatus(of: descriptor),
            model.owner != status.owner
        else { return }
        _ = fchown(descriptor, model.owner, model.group)
    }

    /// Gives a new folder to the owner of its parent folder.
    static func adopt(folder path: String) {
        guard geteuid() == 0, let model = model(path, nil), model.owner != 0 else { return }
        _ = unsafe lchown(path, model.owner, model.group)
    }

    private static func model(_ path: String, _ old: String?) -> FileStatus? {
        if let old, let status = FileStatus(of: old), status.isFile { return status }
        return FileStatus(following: DurableFile.folder(of: path))
    }
}
