internal import FoundationEssentials
internal import LMDB
internal import Platform

/// The attachments of a backup, without those of erased subjects.
struct BackupBlobs {
    private(set) var blobs: [BackupContents.Blob] = []
    private(set) var copied = 0
    private(set) var byteCount = 0
    /// How many attachments are damaged in the journal, and how many of these the backup keeps an earlier copy of.
    private(set) var (damaged, kept) = (0, 0)
    private let isTrusted: Bool
    private let isIntact: AttachmentCheck

    /// Copies attachments that are new or changed from the journal's folder.
    ///
    /// A copy of an earlier backup is not replaced by an attachment that has been damaged since.
    init(
        from source: String,
        into folder: String,
        held: [BackupContents.Blob],
        erased: Set<UUID>,
        isTrusted: Bool,
        isIntact: @escaping AttachmentCheck,
        _ step: (BackupStep) throws(EventLogError) -> Void
    ) throws(EventLogError) {
        self.isTrusted = isTrusted
        self.isIntact = isIntact
        // The backup keeps attachments that the journal has lost without an erasure.
        var known: [String: BackupContents.Blob] = [:]
        for blob in held where !(blob.subject.map(erased.contains) ?? false) { known[blob.path] = blob }
        do {
            for subject in try DurableFile.names(in: source) {
                guard let id = UUID(uuidString: subject), !erased.contains(id) else { continue }
                try copy(subject, id, from: source, into: folder, &known, step)
            }
            for id in erased { try Folder.remove(folder + "/" + id.uuidString.lowercased()) }
            try Folder.sync(folder)
        } catch {
            throw EventLogError(error, "an attachment cannot be copied")
        }
        blobs = known.values.sorted { $0.path < $1.path }
    }

    private mutating func copy(
        _ subject: String,
        _ id: UUID,
        from source: String,
        into folder: String,
        _ known: inout [String: BackupContents.Blob],
        _ step: (BackupStep) throws(EventLogError) -> Void
    ) throws {
        var isChanged = false
        for name in try DurableFile.names(in: source + "/" + subject) {
            let path = subject + "/" + name
            guard BackupContents.isPath(path), let status = FileStatus(of: source + "/" + path), status.isFile else {
                continue
            }
            let copy = known[path]
                .flatMap { held in
                    FileStatus(of: folder + "/" + path)?.size == held.byteCount ? held : nil
                }
            if let copy, copy.byteCount == status.size, copy.modified == status.modified { continue }
            if !isIntact(id, name) {
                damaged += 1
                if copy != nil {
                    kept += 1
                    continue
                }
            }
            if !isChanged { try Folder.makePrivate(folder + "/" + subject, trustsOwner: isTrusted) }
            isChanged = true
            let result: (byteCount: Int, digest: String)
            do {
                result = try BackupFiles.copy(source + "/" + path, to: folder + "/" + path)
            } catch {
                // Its subject was erased in the meantime.
                if FileStatus(of: source + "/" + path) == nil { continue }
                throw error
            }
            known[path] = BackupContents.Blob(
                path: path,
                byteCount: result.byteCount,
                modified: status.modified,
                digest: result.digest
            )
            copied += 1
            byteCount += result.byteCount
            try step(.blobCopied)
        }
        if isChanged { try Folder.sync(folder + "/" + subject) }
    }
}
