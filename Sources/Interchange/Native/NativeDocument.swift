/// The journal's own JSON: everything that a record says, driven by the descriptions of its fields.
package enum NativeDocument {
    package static let format = "healthjournal/1"

    /// What every entry says besides the fields of its kind.
    static let contentNames: Set<String> = ["date", "comment", "voiceEntryUsed", "inferred", "extra"]

    /// The names of an entry that are no fields of its kind: what the journal says of it among them.
    static let entryNames = contentNames.union([
        "id", "addedAt", "addedBy", "position", "correctedAt", "correctedBy", "retractedAt",
    ])
}
