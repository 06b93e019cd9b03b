package import FoundationEssentials
package import HealthModel

/// The content of an imported document for one subject, which the application compares with the journal.
package struct ImportedRecord: Hashable, Sendable {
    package var id: UUID
    package var profile: RecordProfile
    /// In the order of the document.
    package var entries: [ImportedEntry]
    package var shape: ImportShape
    /// Paths of fields that were kept but not understood, each once; never their values.
    package var unrepresented: [String]
    /// Paths of values that contradict others of the document; both were kept.
    package var contradictions: [String] = []
    /// The parts of the document that could not be read, each by its path.
    package var faults: [ImportFault] = []
    /// The parts of the document that contain nothing to import, such as a group of an address book.
    package var skipped: [String] = []
    /// The moment of the export; nil if the document does not contain it.
    package var exported: ExportMoment?
    /// The entries that resources of the document refer to and that it does not contain, by the ids that they would have.
    package var referencesElsewhere: Set<UUID> = []
    /// Whether an entry replaces one for which the journal has a later version of the same source.
    package var takesOlder = false
    /// Whether it is a part of a document that is too large for one append.
    package var isPart = false
    /// Whether the document describes the subject; without, it adds entries to a record that exists.
    package var hasProfile = true
    /// The mapping with which a table was read, as JSON, if a person made it.
    package var mapping: String?

    package init(
        id: UUID,
        profile: RecordProfile,
        entries: [ImportedEntry],
        shape: ImportShape,
        unrepresented: [String],
        contradictions: [String] = [],
        exported: ExportMoment? = nil
    ) {
        self.id = id
        self.profile = profile
        self.entries = entries
        self.shape = shape
        self.unrepresented = unrepresented
        self.contradictions = contradictions
        self.exported = exported
    }

    /// The name of the format, for an event's source.
    package var sourceName: String {
        switch shape {
        case .native: "native"
        case .cloudKit, .webServices, .models: "purus"
        case .mango: "mango"
        case .vetnet: "vetnet"
        case .fhir: "fhir"
        case .csv: "csv"
        case .appleHealth: "apple"
        case .vcard: "vcard"
        }
    }

    /// Whether the document may be a part of what its source knows, so that a change made here prevails over it.
    ///
    /// The documents of other apps are whole: there, what the app contains now prevails, unless it is outdated.
    package var isPartial: Bool { [.fhir, .csv, .appleHealth, .vcard].contains(shape) }
}

/// A part of a document that could not be read.
package struct ImportFault: Hashable, Sendable {
    /// Where it is, and why it cannot be read; never its value.
    package var error: ModelError
    /// Whether it is kept as it came; otherwise it was left out.
    package var isKept: Bool

    package init(_ error: ModelError, isKept: Bool) { (self.error, self.isKept) = (error, isKept) }
}

/// The last event that an exported document includes: its position in the exporting journal, and its recorded time.
package struct ExportMoment: Hashable, Sendable {
    package var position: UInt64
    package var recordedAt: Instant

    package init(position: UInt64, recordedAt: Instant) {
        self.position = position
        self.recordedAt = recordedAt
    }
}

/// One entry of a document.
package struct ImportedEntry: Hashable, Sendable {
    package var id: UUID
    package var content: EntryContent
    /// The bytes of a document, if the source has them; the application stores them and sets the fields of `content`.
    package var attachment: [UInt8]?
    /// The path of the entry in the document, such as `weightEntries[3]`.
    package var path: String
    /// Whether the document says that the entry was made by mistake.
    package var isRetracted = false
    /// Whether the document has nothing of the entry but that it was retracted.
    package var hasContent = true
    /// When the source last changed the entry, if the document says so.
    package var updated: Instant?
    /// The position of the last change of the entry that the document includes, if it comes from this journal and says so.
    package var seen: UInt64?
    /// Entries of other kinds that state what this one states now, because its source has changed, or is understood better.
    package var replaces: [UUID] = []

    package init(id: UUID, content: EntryContent, attachment: [UInt8]? = nil, path: String) {
        self.id = id
        self.content = content
        self.attachment = attachment
        self.path = path
    }

    /// An entry about which the document says only that it was retracted.
    package init(retracting id: UUID, path: String) {
        self.init(id: id, content: EntryContent(kind: Foreign.kind), path: path)
        (isRetracted, hasContent) = (true, false)
    }
}

/// The shape of an imported document.
package enum ImportShape: String, Sendable {
    case native
    /// Flat: each `…Entries` field is a string that contains a JSON array.
    case cloudKit
    /// `recordName`, `recordType` and `fields`, as CloudKit Web Services return them.
    case webServices
    /// The app's own models: `weights`, `drugs`, …
    case models
    /// The tree of users of Mango Health.
    case mango
    /// A practice of VetNet.
    case vetnet
    /// Resources of FHIR R4.
    case fhir
    /// Lines of a CSV file.
    case csv
    /// An export of Apple Health.
    case appleHealth
    /// The cards of an address book.
    case vcard
}
