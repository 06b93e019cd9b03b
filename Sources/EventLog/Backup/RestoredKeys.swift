internal import Crypto
internal import FoundationEssentials
internal import LMDB
internal import Platform

/// The keys of a backup, each checked with the master key before it is restored.
struct RestoredKeys {
    /// The content of the restored key file.
    private(set) var bytes: [UInt8]
    private(set) var live: Set<UUID> = []
    private(set) var erased: Set<UUID> = []
    /// Subjects whose slot neither opens nor is erased, or is marked erased although its key still opens.
    private(set) var damaged: Set<UUID> = []

    private let journal: UUID
    private let master: MasterKey

    /// Reads the key file of a backup; throws if it is not sealed under the given master key.
    ///
    /// The error names the master key that fits, if that is in the same folder as `masterKeyFile`.
    init(
        in path: String,
        manifest: BackupManifest,
        master: MasterKey,
        masterKeyFile: String?
    ) throws(EventLogError) {
        let all: [UInt8]
        do throws(StorageError) {
            let file = try DurableFile(path: path + "/" + BackupLayout.keys, mode: .read)
            // The bytes after that were left by an interrupted run.
            guard file.size >= manifest.keyBytes else {
                throw StorageError(.corrupted, during: "read \(file.path)")
            }
            all = try file.read(at: 0, count: manifest.keyBytes)
        } catch {
            throw EventLogError(error)
        }
        guard all.count >= KeyFile.slotLength, all.count % KeyFile.slotLength == 0, all.starts(with: KeyFile.magic),
            KeyFile.uuid(in: all, at: 8) == manifest.journal
        else { throw EventLogError(.damaged, "the backup's key file is damaged") }
        guard Array(all[24..<40]) == master.fingerprint else {
            let match = masterKeyFile.flatMap {
                MasterKeyFile.matching(Array(all[24..<40]), beside: $0, journal: manifest.journal)
            }
            throw EventLogError(
                .masterKeyWrong,
                "this master key is not the one under which the backup's keys are sealed; "
                    + (match.map { "the matching one is \($0): name it with --master-key-file" }
                        ?? "name the one that was in use when the backup was made with --master-key-file")
            )
        }
        journal = manifest.journal
        self.master = master
        bytes = KeyFile.header(journal: journal, master: master)
        for start in stride(from: KeyFile.slotLength, to: all.count, by: KeyFile.slotLength) {
            take(Array(all[start..<(start + KeyFile.slotLength)]))
        }
    }

    private mutating func take(_ slot: [UInt8]) {
        switch KeyFile.read(slot[...], journal: journal, master: master) {
        case .live(let subject, _), .unfinished(let subject, _): live.insert(subject)
        case .markedForErasure(let subject, _):
            // Whether the erasure is final is decided when the log is opened; until then the key must open.
            if opens(slot) { live.insert(subject) } else { damaged.insert(subject) }
        case .erased(let subject, let isClean):
            // A key that still opens was not erased: only its state byte is wrong.
            if !isClean, opens(slot) { damaged.insert(subject) } else { erased.insert(subject) }
        case .retired(let root, let isClean):
            if !isClean, opens(slot) { damaged.insert(root) }
        case .damaged(let subject): damaged.insert(subject)
        case .empty: break
        }
        bytes += slot
    }

    private func opens(_ slot: [UInt8]) -> Bool {
        var slot = slot
        slot[0] = KeyFile.State.live
        if case .live = KeyFile.read(slot[...], journal: journal, master: master) { return true }
        return false
    }

    /// Erases the keys of subjects before any key is written to the disk.
    mutating func erase(_ subjects: Set<UUID>) {
        for start in stride(from: KeyFile.slotLength, to: bytes.count, by: KeyFile.slotLength) {
            let range = start..<(start + KeyFile.slotLength)
            let subject = KeyFile.subject(of: bytes[range])
            guard subjects.contains(subject), bytes[start] != 0 else { continue }
            bytes.replaceSubrange(range, with: KeyFile.erasedSlot(subject: subject))
            live.remove(subject)
            damaged.remove(subject)
            erased.insert(subject)
        }
    }

    /// Returns the bytes of a subject's key; nil if it has no live key.
    func seed(of subject: UUID) -> [UInt8]? {
        for start in stride(from: KeyFile.slotLength, to: bytes.count, by: KeyFile.slotLength) {
            let slot = bytes[start..<(start + KeyFile.slotLength)]
            if case .live(subject, let key) = KeyFile.read(slot, journal: journal, master: master) {
                return unsafe key.withUnsafeBytes { unsafe [UInt8]($0) }
            }
        }
        return nil
    }
}
