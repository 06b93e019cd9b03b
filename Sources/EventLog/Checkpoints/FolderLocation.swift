internal import Crypto
internal import FoundationEssentials
internal import LMDB
internal import Platform

/// The path of a journal's folder, as the folder itself stores it in its file `place`.
///
/// A copy of the folder contains this file too. A folder that is opened at another path was either moved (the stored
/// path no longer holds the journal) or is a copy (the stored path still holds the journal). A copy has a history of
/// its own.
package struct FolderLocation: Hashable, Sendable {
    /// The path without symbolic links.
    package let path: String
    /// The path of the journal that this folder is a copy of; nil if it is no copy.
    package let origin: String?

    init(path: String, origin: String?) {
        (self.path, self.origin) = (path, origin)
    }

    /// Reads the place that a folder stores; nil if it stores none that can be read.
    init?(rememberedIn folder: JournalFolder) {
        guard let bytes = try? DurableFile.read(FolderLocation.file(in: folder), atMost: FolderLocation.maximumBytes),
            let text = String(validating: bytes, as: UTF8.self)
        else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard (2...3).contains(lines.count), lines.last == "", lines.dropLast().allSatisfy({ $0.hasPrefix("/") }) else {
            return nil
        }
        self.init(path: String(lines[0]), origin: lines.count == 3 ? String(lines[1]) : nil)
    }

    /// Determines the current place of a folder.
    init(of folder: JournalFolder, journal: UUID) {
        let path = Folder.resolved(folder.path) ?? folder.path
        let remembered = FolderLocation(rememberedIn: folder)
        guard let remembered, remembered.path != path else {
            self.init(path: path, origin: remembered?.origin)
            return
        }
        // One folder may have two paths, for example in a container.
        let isCopy =
            FolderLocation.holds(journal, at: remembered.path)
            && FileStatus(following: remembered.path)?.identity != FileStatus(following: path)?.identity
        self.init(path: path, origin: isCopy ? remembered.path : remembered.origin)
    }

    /// Reports whether a folder contains the keys of a journal, and so the journal itself.
    private static func holds(_ journal: UUID, at path: String) -> Bool {
        guard let file = try? DurableFile(path: JournalFolder(path).keyFile, mode: .read),
            let header = try? file.read(at: 0, count: KeyFile.slotLength), header.count == KeyFile.slotLength
        else { return false }
        return header.starts(with: KeyFile.magic) && KeyFile.uuid(in: header, at: 8) == journal
    }

    /// Stores the place in the folder.
    func remember(in folder: JournalFolder) throws(StorageError) {
        guard FolderLocation(rememberedIn: folder) != self, !(path + (origin ?? "")).contains("\n") else { return }
        let text = path + "\n" + (origin.map { $0 + "\n" } ?? "")
        try DurableFile.replace(FolderLocation.file(in: folder), with: Array(text.utf8))
    }

    /// A short name that is derived from the path, for use in file names.
    var tag: String {
        SHA256.hash(data: Array(path.utf8)).prefix(6)
            .map { byte in
                let digits = String(byte, radix: 16)
                return digits.count == 1 ? "0" + digits : digits
            }
            .joined()
    }

    private static let maximumBytes = 3 * 4_096
    private static func file(in folder: JournalFolder) -> String { folder.path + "/place" }
}
