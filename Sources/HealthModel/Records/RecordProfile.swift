/// What a record says of its subject itself.
package struct RecordProfile: Hashable, Sendable {
    package var subject: Subject
    package var values: FieldValues
    /// Names of fields whose value was guessed, not given.
    package var inferred: [String]
    package var extra: [Extra]

    package init(subject: Subject, values: FieldValues = FieldValues(), inferred: [String] = [], extra: [Extra] = []) {
        self.subject = subject
        self.values = values
        self.inferred = inferred
        self.extra = extra
    }
}
