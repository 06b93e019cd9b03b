internal import Platform

/// The folder of a backup, locked while one process works on it.
///
/// Other users must not be able to put symbolic links there: a backup that root runs would write through them. So the
/// folder must belong to the user who makes the backup and be closed to all others, unless this user chooses to trust
/// its owner.
struct BackupTarget {
    let path: String
    /// Whether the folder may belong to another user, or be on a filesystem without permissions.
    let isTrusted: Bool
    private let lock: FileLock

    var manifest: String { path + "/" + BackupLayout.manifest }
    var segments: String { path + "/" + BackupLayout.segments }
    var keys: String { path + "/" + BackupLayout.keys }
    var blobs: String { path + "/" + BackupLayout.blobs }

    func contents(_ digest: String) -> String { path + "/" + BackupLayout.contents + digest }

    /// Prepares a folder for a backup, and creates it if needed; refuses a folder that contains other files.
    init(_ named: String, of journal: JournalFolder, isTrusted: Bool) throws(EventLogError) {
        guard let path = Folder.resolved(named) else {
            throw EventLogError(.locationUnusable, "\(named) cannot be created: its parent folder is missing")
        }
        guard let inside = Folder.resolved(journal.path), path != inside, !path.hasPrefix(inside + "/") else {
            throw EventLogError(
                .locationUnusable,
                "\(named) is inside the journal's own folder, and would be lost with it; name a folder elsewhere"
            )
        }
        do {
            try DurableFile.makeFolder(path, adoptsOwner: false)
            if !isTrusted { try BackupTarget.requireOwn(path, named) }
            let names = try DurableFile.names(in: path)
            guard names.contains(BackupLayout.manifest) || names.allSatisfy(BackupTarget.isOurs) else {
                throw EventLogError(
                    .locationUnusable,
                    "\(named) contains other files; name an empty folder, or that of a backup"
                )
            }
            if !isTrusted { try BackupTarget.restrict(path, named) }
            let lock = path + "/" + BackupLayout.lock
            try DurableFile.makeIfMissing(lock)
            guard let held = try FileLock(of: lock, .alone) else {
                throw EventLogError(.busy, "another backup into \(named), or a restore from it, is under way")
            }
            self.lock = held
            self.path = path
            self.isTrusted = isTrusted
            for folder in [segments, blobs] { try Folder.makePrivate(folder, trustsOwner: isTrusted) }
        } catch {
            throw EventLogError(error, "\(named) cannot be used")
        }
    }

    private static func requireOwn(_ path: String, _ named: String) throws(EventLogError) {
        guard let owner = FileStatus(of: path)?.owner, owner != User.effective else { return }
        throw EventLogError(
            .locationUnusable,
            "\(named) belongs to another user (id \(owner)), who could redirect what is written there; name a folder of your "
                + "own, or add --trust-target if you trust that user as yourself"
        )
    }

    private static func restrict(_ path: String, _ named: String) throws(EventLogError) {
        do throws(StorageError) {
            try Folder.restrict(path)
        } catch {
            throw EventLogError(
                .locationUnusable,
                "\(named) cannot be made private (\(error)), so nothing was backed up there; name a folder on a "
                    + "filesystem with permissions, or add --trust-target if all users with access may read the backup"
            )
        }
    }

    /// Reports whether a name is that of a part of a backup, even an incomplete one, or of a filesystem's own folder.
    private static func isOurs(_ name: String) -> Bool {
        [BackupLayout.segments, BackupLayout.keys, BackupLayout.blobs, BackupLayout.lock, "lost+found"].contains(name)
            || name.hasPrefix(BackupLayout.contents) || name.hasSuffix(BackupLayout.unfinished)
            || name.hasPrefix(BackupLayout.manifest + ".new-")
    }

    /// Removes files of earlier runs that neither the manifest nor the contents list refers to.
    func tidy(keeping manifest: BackupManifest, _ contents: BackupContents) throws(EventLogError) {
        do {
            let kept = BackupLayout.contents + manifest.contents
            for name in try DurableFile.names(in: path) where name != kept && name != BackupLayout.lock {
                guard BackupTarget.isOurs(name), FileStatus(of: path + "/" + name)?.isFile == true,
                    name != BackupLayout.keys
                else { continue }
                try DurableFile.remove(path + "/" + name)
            }
            let segments = Set(contents.segments.map(\.name))
            for name in try DurableFile.names(in: self.segments) where !segments.contains(name) {
                try Folder.remove(self.segments + "/" + name)
            }
            let blobs = Set(contents.blobs.map(\.path))
            for subject in try DurableFile.names(in: self.blobs) {
                let folder = self.blobs + "/" + subject
                let names = try DurableFile.names(in: folder)
                let strays = names.filter { !blobs.contains(subject + "/" + $0) }
                if strays.count == names.count {
                    try Folder.remove(folder)
                } else {
                    for name in strays { try Folder.remove(folder + "/" + name) }
                }
            }
        } catch {
            throw EventLogError(error, "unused files of an earlier backup in \(path) cannot be removed")
        }
    }
}
