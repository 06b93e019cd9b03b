package import FoundationEssentials

/// Where the parts of a journal lie.
package struct JournalFolder: Hashable, Sendable {
    package let path: String

    package init(_ path: String) {
        self.path = path
    }

    package var log: String { path + "/log" }
    package var index: String { path + "/index" }
    package var views: String { path + "/views" }
    package var blobs: String { path + "/blobs" }
    /// The attachments of one subject.
    package func blobs(of subject: UUID) -> String { blobs + "/" + subject.uuidString.lowercased() }
    package var keys: String { path + "/keys" }
    /// The sealed data keys.
    package var keyFile: String { keys + "/subjects" }
}
