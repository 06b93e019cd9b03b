/// The data of a record about its subject, apart from the entries.
package struct RecordProfile: Hashable, Sendable {
    package var subject: Subject
    package var values: FieldValues
    /// The names of fields whose value the source did not give: it was guessed, or it is absent.
    package var inferred: [String]
    package var extra: [Extra]

    package init(subject: Subject, values: FieldValues = FieldValues(), inferred: [String] = [], extra: [Extra] = []) {
        self.subject = subject
        self.values = values
        self.inferred = inferred
        self.extra = extra
    }
}

/// The kind of subject that a record is about.
package enum Subject: UInt8, NamedCode, Sendable {
    case human = 1
    case animal = 2

    package static let field = "subject"

    package var name: String {
        switch self {
        case .human: "human"
        case .animal: "animal"
        }
    }
}
