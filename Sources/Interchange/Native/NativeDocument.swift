/// The journal's own JSON: everything that a record says, driven by the descriptions of its fields.
package enum NativeDocument {
    package static let format = "healthjournal/1"

    /// The names of an entry that are no fields of its kind.
    static let entryNames: Set<String> = [
        "id", "date", "comment", "voiceEntryUsed", "inferred", "extra", "addedAt", "addedBy", "position",
        "correctedAt", "correctedBy", "retractedAt",
    ]
}
