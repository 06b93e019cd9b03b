package import FoundationEssentials

/// What an import did, or would do.
package struct ImportReport: Hashable, Sendable {
    package var record: UUID
    /// What the record is called in the document: for whoever holds that.
    package var displayName: String
    package var isNewRecord: Bool
    package var isProfileChanged: Bool
    package var added: Int
    package var corrected: Int
    package var unchanged: Int
    /// Paths of fields that were kept but not understood.
    package var unrepresented: [String]
    /// The last position of the import; nil when nothing was appended.
    package var position: UInt64?
}
