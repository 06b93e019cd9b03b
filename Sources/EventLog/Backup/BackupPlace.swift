internal import LMDB

/// The folder of a backup, while one process works on it.
struct BackupPlace {
    let path: String
    private let lock: FileLock

    var manifest: String { path + "/" + BackupLayout.manifest }
    var segments: String { path + "/" + BackupLayout.segments }
    var keys: String { path + "/" + BackupLayout.keys }
    var blobs: String { path + "/" + BackupLayout.blobs }

    func contents(_ digest: String) -> String { path + "/" + BackupLayout.contents + digest }

    /// Takes a folder for a backup, making it if need be; refuses one in which something else lies.
    init(_ named: String, of journal: JournalFolder) throws(EventLogError) {
        guard let path = Folder.resolved(named) else {
            throw EventLogError(.placeTaken, "\(named) cannot be made: the folder around it is not there")
        }
        guard let inside = Folder.resolved(journal.path), path != inside, !path.hasPrefix(inside + "/") else {
            throw EventLogError(
                .placeTaken,
                "\(named) is inside the journal's own folder, and would be lost with it; name one elsewhere"
            )
        }
        do {
            try DurableFile.makeFolder(path)
            let names = try DurableFile.names(in: path)
            guard names.contains(BackupLayout.manifest) || names.allSatisfy(BackupPlace.isOurs) else {
                throw EventLogError(
                    .placeTaken,
                    "\(named) holds other files; name an empty folder, or that of a backup"
                )
            }
            Folder.restrict(path)
            let lock = path + "/" + BackupLayout.lock
            try DurableFile.makeIfMissing(lock)
            guard let held = try FileLock(of: lock, .alone) else {
                throw EventLogError(.busy, "another backup into \(named), or a restore from it, is under way")
            }
            self.lock = held
            self.path = path
            try DurableFile.makeFolder(segments)
            try DurableFile.makeFolder(blobs)
        } catch {
            throw EventLogError(error, "\(named) cannot be used")
        }
    }

    /// Whether a run that was cut off may have left that name, or a filesystem its own folder.
    private static func isOurs(_ name: String) -> Bool {
        [BackupLayout.segments, BackupLayout.keys, BackupLayout.blobs, BackupLayout.lock, "lost+found"].contains(name)
            || name.hasPrefix(BackupLayout.contents) || name.hasSuffix(BackupLayout.unfinished)
            || name.hasPrefix(BackupLayout.manifest + ".new-")
    }

    /// Removes what is neither named by the manifest nor of use to the next run.
    func tidy(keeping manifest: BackupManifest, _ contents: BackupContents) throws(EventLogError) {
        do {
            let kept = BackupLayout.contents + manifest.contents
            for name in try DurableFile.names(in: path) where name != kept && name != BackupLayout.lock {
                guard BackupPlace.isOurs(name), FileStatus(of: path + "/" + name)?.isFile == true,
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
            throw EventLogError(error, "what an earlier backup left in \(path) cannot be removed")
        }
    }
}
