internal import LMDB

/// The folder beside its place in which a journal is restored.
struct RestoreSite {
    let folder: JournalFolder
    private let target: String
    private let lock: FileLock

    /// Prepares to restore into a folder that is not there yet, or empty.
    init(for journal: JournalFolder) throws(EventLogError) {
        guard let target = Folder.resolved(journal.path) else {
            throw EventLogError(.placeTaken, "\(journal.path) cannot be made: the folder around it is not there")
        }
        self.target = target
        folder = JournalFolder(target + ".restoring")
        do {
            if let status = FileStatus(of: target) {
                guard status.isFolder, try DurableFile.names(in: target).isEmpty else {
                    throw EventLogError(.placeTaken, "\(target) is not empty; restore into a new folder")
                }
            }
            // What a restore that was cut off has left is emptied; a folder of that name with anything else in it is not ours.
            guard try DurableFile.names(in: folder.path).allSatisfy(RestoreSite.isOurs) else {
                throw EventLogError(.placeTaken, "\(folder.path) is in the way, and holds other files; move it")
            }
            try DurableFile.makeFolder(folder.path)
            try DurableFile.makeFolder(folder.views)
            // Of a part of it: the log locks the folder itself to keep its checkpoints.
            guard let held = try FileLock(of: folder.views, .alone) else {
                throw EventLogError(.busy, "another restore into \(target) is under way")
            }
            lock = held
            try RestoreSite.empty(folder)
            for path in [folder.log, folder.index, folder.blobs, folder.keys] {
                try DurableFile.makeFolder(path)
            }
        } catch {
            throw EventLogError(error, "\(target) cannot be restored to")
        }
    }

    private static func isOurs(_ name: String) -> Bool {
        ["log", "index", "views", "blobs", "keys"].contains(name) || name.hasPrefix("checkpoint")
            || name.hasPrefix("restored")
    }

    /// Gives the journal its name, durably.
    func putInPlace() throws(EventLogError) {
        do {
            for path in [folder.log, folder.index, folder.blobs, folder.keys, folder.path] { try Folder.sync(path) }
            try DurableFile.rename(folder.path, to: target)
            try DurableFile.syncFolder(of: target)
        } catch {
            throw EventLogError(error, "the restored journal cannot be put in its place")
        }
    }

    /// Leaves nothing of a restore that failed.
    func discard() {
        try? RestoreSite.empty(folder)
        try? Folder.remove(folder.path)
    }

    /// Removes all, and what there is of keys beyond recovery.
    private static func empty(_ folder: JournalFolder) throws(LMDBError) {
        if let keys = try? DurableFile(path: folder.keyFile, mode: .readWrite) {
            try keys.write([UInt8](repeating: 0, count: keys.size), at: 0)
        }
        for name in try DurableFile.names(in: folder.path) where folder.path + "/" + name != folder.views {
            try Folder.remove(folder.path + "/" + name)
        }
        for name in try DurableFile.names(in: folder.views) { try Folder.remove(folder.views + "/" + name) }
    }
}
