extension EntryContent {
    /// The labels of changes of values that are not fields of a kind or of a profile.
    package static let changeLabels = ["Date", "Comment", "Entered by voice", "Subject", "Guessed fields"]

    /// Returns the changes from an older content, or all values as changes if there is none.
    package func changes(from before: EntryContent?) -> [FieldChange] {
        FieldChange.between("date", "Date", before?.date?.description, date?.description)
            + body.changes(from: before?.body ?? FieldValues(), as: kind.fields)
            + FieldChange.between("comment", "Comment", before?.comment.ifNotEmpty, comment.ifNotEmpty)
            + FieldChange.between(
                "voiceEntryUsed",
                "Entered by voice",
                before?.voiceEntryUsed.ifTrue,
                voiceEntryUsed.ifTrue
            )
            + inferred.changes(from: before?.inferred ?? [])
            + extra.changes(from: before?.extra ?? [])
    }
}

extension RecordProfile {
    /// Returns the changes from an older profile, or all values as changes if there is none.
    package func changes(from before: RecordProfile?) -> [FieldChange] {
        FieldChange.between("subject", "Subject", before?.subject.name, subject.name)
            + values.changes(from: before?.values ?? FieldValues(), as: fields)
            + inferred.changes(from: before?.inferred ?? [])
            + extra.changes(from: before?.extra ?? [])
    }
}

extension [String] {
    fileprivate func changes(from before: [String]) -> [FieldChange] {
        FieldChange.between("inferred", "Guessed fields", before.listed, listed)
    }

    private var listed: String? { joined(separator: ", ").ifNotEmpty }
}

extension [Extra] {
    fileprivate func changes(from before: [Extra]) -> [FieldChange] {
        let old = Dictionary(before.map { ($0.name, $0.json) }) { _, last in last }
        let new = Dictionary(map { ($0.name, $0.json) }) { _, last in last }
        return Set(old.keys).union(new.keys).sorted()
            .flatMap { name in
                FieldChange.between("extra.\(name)", name, old[name], new[name])
            }
    }
}

extension String {
    fileprivate var ifNotEmpty: String? { isEmpty ? nil : self }
}

extension Bool {
    /// Nil for false, so that a flag which was never set does not appear as a change.
    fileprivate var ifTrue: String? { self ? "true" : nil }
}
