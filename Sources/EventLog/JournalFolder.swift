package import FoundationEssentials

/// The paths of a journal's folder and its parts.
package struct JournalFolder: Hashable, Sendable {
    package let path: String

    package init(_ path: String) {
        self.path = path
    }

    package var log: String { path + "/log" }
    package var index: String { path + "/index" }
    package var views: String { path + "/views" }
    /// The file that reserves disk space for reads and erasures.
    package var reserve: String { path + "/reserve" }
    package var blobs: String { path + "/blobs" }
    /// Returns the folder of one subject's attachments.
    package func blobs(of subject: UUID) -> String { blobs + "/" + subject.uuidString.lowercased() }
    package var keys: String { path + "/keys" }
    /// The file with the sealed data keys.
    package var keyFile: String { keys + "/subjects" }
}

extension JournalFolder {
    /// The newest checkpoint of the log, a signed note.
    package var checkpoint: String { path + "/checkpoint" }
    /// The public key that verifies checkpoints, as text; readable without the master key.
    package var verifierKey: String { keys + "/checkpoint.vkey" }
}
