package import FoundationEssentials

extension MasterKeyFile {
    /// Where the second copy of a journal's checkpoint lies: beside its master key, as `<journal id>.checkpoint`.
    ///
    /// Named by the journal and not by the key's file, because one master key may serve several journals.
    package static func witness(of journal: UUID, besideKey path: String) -> String {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        return "\(folder)\(journal.uuidString.lowercased()).checkpoint"
    }
}
