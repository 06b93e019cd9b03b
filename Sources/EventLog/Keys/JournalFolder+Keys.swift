package import Platform

extension JournalFolder {
    /// Overwrites the key file with zeros, unless there is none, or it has another hard link and so belongs to a copy too.
    package func overwriteKeys() throws(StorageError) {
        guard FileStatus(of: keys)?.isFolder == true,
            let file = try? DurableFile(path: keyFile, mode: .readWrite), file.status?.linkCount == 1
        else { return }
        try file.write([UInt8](repeating: 0, count: file.size), at: 0)
    }
}
