package import FoundationEssentials

extension MasterKeyFile {
    /// Where the second copy of a journal's checkpoint lies: beside its master key, as `<journal id>.checkpoint`.
    ///
    /// Named by the journal and not by the key's file, because one master key may serve several journals.
    ///
    /// A journal that was restored has one of its own, for it goes another way than the one it was a copy of.
    package static func witness(
        of journal: UUID,
        in folder: JournalFolder,
        besideKey path: String
    ) throws(EventLogError) -> String {
        witness(of: journal, restored: try RestoredMark(in: folder)?.event, besideKey: path)
    }

    package static func witness(of journal: UUID, restored: UUID? = nil, besideKey path: String) -> String {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let way = restored.map { ".restored-\($0.uuidString.lowercased().suffix(12))" } ?? ""
        return "\(folder)\(journal.uuidString.lowercased())\(way).checkpoint"
    }
}
