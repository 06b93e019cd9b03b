package import FoundationEssentials
package import HealthModel
package import Interchange
internal import JournalCore

/// The result of an import, or of a trial run.
package struct ImportReport: Hashable, Sendable {
    package var record: UUID
    /// The name of the record in the document, for the user who imports that document.
    package var displayName: String
    package var isNewRecord: Bool
    package var isProfileChanged: Bool
    package var added: Int
    package var corrected: Int
    package var unchanged: Int
    /// The number of entries that the document retracts.
    package var retracted = 0
    /// The number of entries that the journal has in a later version from the same source.
    package var older = 0
    /// The number of references to what neither the document nor the journal contains.
    package var unresolved = 0
    /// The added values that are far from those before them.
    package var doubts: [ImportDoubt] = []
    /// The documents whose files neither the imported document nor the journal contains; they cannot be opened.
    package var missingFiles: [UUID] = []
    /// The number of entries whose date is a month or a year.
    package var partialDates = 0
    /// The number of added entries that may state the same as another one; ``changes`` names both.
    package var possibleDuplicates = 0
    /// How many resources of each type no kind of entry fits; they are kept as they came.
    package var foreign: [String: Int] = [:]
    /// The number of entries, and the profile, that keep the journal's state although the document differs.
    ///
    /// They were changed here after the document was exported or last imported.
    package var kept = 0
    /// The changes that were not applied, and those that may duplicate an entry; for a trial run, also each other change.
    package var changes: [ImportChange] = []
    /// The parts of the document that could not be read: kept as they came, or left out.
    package var faults: [ImportFault] = []
    /// The parts of the document that contain nothing to import, such as a group of an address book.
    package var skipped: [String] = []
    /// Paths of fields that were stored but not understood.
    package var unrepresented: [String]
    /// Paths of values that contradict others of the document; both were stored.
    package var contradictions: [String] = []
    /// The account that owns the record, if the document names its users.
    package var account: UUID?
    /// The last position of the import; nil if nothing was appended.
    package var position: UInt64?

    init(_ document: ImportedRecordSummary, isNewRecord: Bool) {
        record = document.id
        displayName = document.displayName
        unrepresented = document.unrepresented
        contradictions = document.contradictions
        faults = document.faults
        skipped = document.skipped
        self.isNewRecord = isNewRecord
        isProfileChanged = false
        (added, corrected, unchanged) = (0, 0, 0)
    }
}

/// A doubt about an added entry, and where the document has it.
package struct ImportDoubt: Hashable, Sendable {
    package let entry: UUID
    package let path: String
    package let doubt: EntryDoubt
}

/// The parts of a document that an import report names.
struct ImportedRecordSummary {
    let id: UUID
    let displayName: String
    let unrepresented: [String]
    let contradictions: [String]
    let faults: [ImportFault]
    let skipped: [String]
}

/// One change that an import makes or leaves out.
package struct ImportChange: Hashable, Sendable {
    package enum Kind: String, Sendable {
        case added
        case corrected
        case retracted
        /// The journal's own later change stays; `fields` contains the document's values.
        case kept
    }

    package var what: Kind
    /// Nil for the profile.
    package var entry: UUID?
    /// The kind of the entry; nil for the profile.
    package var kind: HealthModel.Kind?
    /// The fields that differ: `before` is the journal's value, `after` the document's.
    package var fields: [FieldChange]
    /// The entry of the journal that may state the same; nil if there is none.
    package var sameAs: UUID?
}
