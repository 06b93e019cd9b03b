package import FoundationEssentials
package import HealthModel

/// What a document says of one subject: what the application compares with the journal and appends.
package struct ImportedRecord: Hashable, Sendable {
    package var id: UUID
    package var profile: RecordProfile
    /// In the order of the document.
    package var entries: [ImportedEntry]
    package var shape: ImportShape
    /// Paths of fields that were kept but not understood, each once; never a value.
    package var unrepresented: [String]

    package init(
        id: UUID,
        profile: RecordProfile,
        entries: [ImportedEntry],
        shape: ImportShape,
        unrepresented: [String]
    ) {
        self.id = id
        self.profile = profile
        self.entries = entries
        self.shape = shape
        self.unrepresented = unrepresented
    }

    /// The name of the format, for an event's source.
    package var sourceName: String { shape == .native ? "native" : "purus" }
}

/// One entry of a document.
package struct ImportedEntry: Hashable, Sendable {
    package var id: UUID
    package var content: EntryContent
    /// The bytes of a document, where the source has them; the application stores them and sets what `content` says.
    package var attachment: [UInt8]?
    /// Where the entry stood, as `weightEntries[3]`.
    package var path: String

    package init(id: UUID, content: EntryContent, attachment: [UInt8]? = nil, path: String) {
        self.id = id
        self.content = content
        self.attachment = attachment
        self.path = path
    }
}

/// The shape in which a document came.
package enum ImportShape: String, Sendable {
    case native
    /// Flat, each `…Entries` field a string that holds a JSON array.
    case cloudKit
    /// `recordName`, `recordType` and `fields`, as CloudKit Web Services answer.
    case webServices
    /// The app's own models: `weights`, `drugs`, …
    case models
}
