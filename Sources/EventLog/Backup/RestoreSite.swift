internal import Platform

/// The temporary folder, beside the target, in which a journal is restored.
struct RestoreSite {
    let folder: JournalFolder
    /// The path of the restored journal, without symbolic links.
    let target: String
    /// The status of the empty folder that the journal replaces and whose owner it gets; nil if there is none.
    private let owner: FileStatus?
    private let lock: FileLock

    /// Prepares to restore into a folder that does not exist yet or is empty.
    init(for journal: JournalFolder) throws(EventLogError) {
        guard let target = Folder.resolved(journal.path) else {
            throw EventLogError(.locationUnusable, "\(journal.path) cannot be created: its parent folder is missing")
        }
        self.target = target
        folder = JournalFolder(target + ".restoring")
        owner = FileStatus(of: target)
        do {
            if let status = owner {
                guard status.isFolder, try DurableFile.names(in: target).isEmpty else {
                    throw EventLogError(.locationUnusable, "\(target) is not empty; restore into a new folder")
                }
            }
            // A link is refused: otherwise the folder that it points to would be emptied.
            if let left = FileStatus(of: folder.path), !left.isFolder || left.owner != User.effective {
                throw EventLogError(
                    .locationUnusable,
                    "\(folder.path) is in the way: it is a link or a file, or belongs to another user; remove it"
                )
            }
            // What an interrupted restore left is removed; a folder of this name with other content is not touched.
            guard try DurableFile.names(in: folder.path).allSatisfy(RestoreSite.isOurs) else {
                throw EventLogError(.locationUnusable, "\(folder.path) is in the way and contains other files; move it")
            }
            try DurableFile.makeFolder(folder.path, adoptsOwner: false)
            for path in [folder.path, folder.views] { try Folder.makePrivate(path) }
            // Locks `views/` instead of the folder itself, which the log locks to keep its checkpoints.
            guard let held = try FileLock(of: folder.views, .alone) else {
                throw EventLogError(.busy, "another restore into \(target) is under way")
            }
            lock = held
            try RestoreSite.empty(folder)
            for path in [folder.log, folder.index, folder.blobs, folder.keys] {
                try Folder.makePrivate(path)
            }
        } catch {
            throw EventLogError(error, "\(target) cannot be restored to")
        }
    }

    private static func isOurs(_ name: String) -> Bool {
        ["log", "index", "views", "blobs", "keys", "place"].contains(name) || name.hasPrefix("checkpoint")
            || name.hasPrefix("restored")
    }

    /// Renames the folder to its target, durably.
    func putInPlace() throws(EventLogError) {
        do {
            for path in [folder.log, folder.index, folder.blobs, folder.keys, folder.path] { try Folder.sync(path) }
            if let owner, owner.owner != User.effective {
                try Folder.give(folder.path, to: owner.owner, group: owner.group)
            }
            try DurableFile.rename(folder.path, to: target)
            try DurableFile.syncFolder(of: target)
        } catch {
            throw EventLogError(error, "the restored journal cannot be moved to its folder")
        }
    }

    /// Removes everything that a failed restore left.
    func discard() {
        // The error of the restore is reported; a folder that could not be removed is not empty, so that the next restore
        // refuses it by name.
        try? RestoreSite.empty(folder)
        try? Folder.remove(folder.path)
    }

    /// Overwrites the keys with zeros, and removes everything except the locked folder `views/` itself.
    private static func empty(_ folder: JournalFolder) throws(StorageError) {
        try folder.overwriteKeys()
        for name in try DurableFile.names(in: folder.path) where folder.path + "/" + name != folder.views {
            try Folder.remove(folder.path + "/" + name)
        }
        for name in try DurableFile.names(in: folder.views) { try Folder.remove(folder.views + "/" + name) }
    }
}
