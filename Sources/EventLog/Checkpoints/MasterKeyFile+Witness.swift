package import FoundationEssentials
internal import Platform

/// The second copy of a journal's newest checkpoint, kept beside its master key.
package struct Witness: Hashable, Sendable {
    /// The path of the copy.
    package let path: String
    /// The place of the journal's folder that this copy belongs to.
    package let place: FolderLocation
    /// Copies of other places that the log must also extend when it is opened.
    ///
    /// They are the copy of the place from which the folder was moved or, if the folder stores no place, all other
    /// known copies.
    package let former: [String]
}

/// A checkpoint that covers more events than a log has.
package struct LaterCheckpoint: Hashable, Sendable {
    package let path: String
    package let size: UInt64
}

extension MasterKeyFile {
    /// Returns the second copy of a journal's checkpoint: `<journal id>-<place>.checkpoint` beside its master key.
    ///
    /// The name contains the journal's id and not the name of the key's file, because one master key may serve several
    /// journals. It contains the place of the folder, because a copy of the folder has a history of its own, which must
    /// not make the original look rolled back. An older copy that replaces the original at its place is checked against
    /// the original's witness.
    ///
    /// For a journal that was restored, the name also contains a part of the id of the event that records the restore.
    package static func witness(
        of journal: UUID,
        in folder: JournalFolder,
        besideKey path: String
    ) throws(EventLogError) -> Witness {
        let restored = try RestoredMark(in: folder)?.event
        let place = FolderLocation(of: folder, journal: journal)
        let own = witness(of: journal, restored: restored, at: place, besideKey: path)
        var former: [String] = []
        if let remembered = FolderLocation(rememberedIn: folder) {
            let isMoved = remembered.path != place.path && place.origin != remembered.path
            if isMoved { former = [witness(of: journal, restored: restored, at: remembered, besideKey: path)] }
        } else {
            let prefix = name(of: journal, restored: restored) + "-"
            former = files(beside: path) { $0.hasPrefix(prefix) && $0.hasSuffix(suffix) }.filter { $0 != own }
        }
        return Witness(path: own, place: place, former: former)
    }

    /// Returns the witness of a journal that is about to be restored to a place.
    static func witness(of journal: UUID, restored: UUID, at place: String, besideKey path: String) -> Witness {
        let place = FolderLocation(path: place, origin: nil)
        return Witness(
            path: witness(of: journal, restored: restored, at: place, besideKey: path),
            place: place,
            former: []
        )
    }

    private static func witness(of journal: UUID, restored: UUID?, at place: FolderLocation, besideKey path: String)
        -> String
    {
        "\(folder(of: path))\(name(of: journal, restored: restored))-\(place.tag)\(suffix)"
    }

    /// Returns the checkpoint beside the master key that covers the most events, if these are more than `head`.
    ///
    /// The checkpoint must be signed by the log's own key. Restored journals have histories of their own: their
    /// checkpoints count only if this log descends from them, as listed in `restores`.
    package static func checkpoint(
        beyond head: UInt64,
        of log: EventLog,
        restores: Set<UUID>,
        besideKey path: String
    ) -> LaterCheckpoint? {
        guard let verifier = log.verifier else { return nil }
        let ways = [nil] + restores.map { Optional($0) }
        let prefixes = ways.map { name(of: log.description.id, restored: $0) + "-" }
        return files(beside: path) { name in name.hasSuffix(suffix) && prefixes.contains { name.hasPrefix($0) } }
            .compactMap { path in
                guard let bytes = try? DurableFile.read(path, atMost: SignedNote.maximumBytes),
                    let signed = try? SignedCheckpoint(parsing: bytes[...], verifiedBy: [verifier]),
                    signed.checkpoint.size > head
                else { return nil }
                return LaterCheckpoint(path: path, size: signed.checkpoint.size)
            }
            .max { $0.size < $1.size }
    }

    private static let suffix = ".checkpoint"

    /// Returns the prefix of the names of a journal's files beside its master key.
    static func name(of journal: UUID, restored: UUID?) -> String {
        let way = restored.map { ".restored-\($0.uuidString.lowercased().suffix(12))" } ?? ""
        return journal.uuidString.lowercased() + way
    }

    /// Returns the folder of a path, with its trailing slash.
    static func folder(of path: String) -> String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "" }

    /// Returns the paths of the files beside a master key whose names satisfy `isWanted`.
    static func files(beside path: String, where isWanted: (String) -> Bool) -> [String] {
        let folder = folder(of: path)
        let names = (try? DurableFile.names(in: folder.isEmpty ? "." : folder)) ?? []
        return names.filter(isWanted).map { folder + $0 }
    }
}
