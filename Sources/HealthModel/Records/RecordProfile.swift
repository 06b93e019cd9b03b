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

    /// Returns the profile with what an earlier one of the same subject has in addition.
    package func completed(by earlier: RecordProfile) -> RecordProfile {
        guard subject == earlier.subject else { return self }
        var profile = self
        let missing = fields.filter { values[$0] == nil && earlier.values[$0] != nil }
        for field in missing { profile.values[field] = earlier.values[field] }
        let names = Set(missing.map(\.name))
        profile.inferred = inferred.filter { !names.contains($0) } + earlier.inferred.filter(names.contains)
        let (said, known) = (Set(extra.map(\.name)), Set(earlier.extra.map(\.name)))
        profile.extra =
            earlier.extra.flatMap { item in said.contains(item.name) ? extra.filter { $0.name == item.name } : [item] }
            + extra.filter { !known.contains($0.name) }
        return profile
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
