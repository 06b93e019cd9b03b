extension EntryContent {
    /// Throws an error that names the field if the content is invalid.
    package func validate(now: Instant) throws(ModelError) {
        try date?.check(field: "date", now: now)
        try body.validate(as: kind.fields, inferred: inferred, now: now)
        for rule in kind.exclusions where body.flag(rule.flag) == true && body[rule.other] != nil {
            throw ModelError(.invalid, field: rule.flag.name, rule.message)
        }
        if kind.requiresTime, instant == nil {
            throw ModelError(.invalid, field: "date", "is required, as a date and time")
        }
        try kind.check(self, now)
        try TextCheck.check(comment, field: "comment", maximum: Limits.paragraphs)
        try Extra.validate(extra, inferred: inferred)
    }

    /// The field that is missing to tell what the entry is about; nil if the entry says so.
    ///
    /// Imports and devices may bring such entries, because they must not lose what their source contains.
    package var missingField: Field? {
        guard comment.isBlank, extra.isEmpty, let subject = kind.subjectFields.first else { return nil }
        if kind.subjectFields.contains(where: { body[$0].map { !$0.isBlank } ?? false }) { return nil }
        // A field that a newer program defined may say it.
        let known = Set(kind.fields.map(\.number))
        return !Plan.kinds.contains(kind) && body.items.contains { !known.contains($0.number) } ? nil : subject
    }

    /// Throws an error if the content has an original of an import that none of the former contents has.
    ///
    /// Only an import can say what a source wrote; the names of originals begin with `$`.
    package func requireOriginals(of former: [EntryContent] = []) throws(ModelError) {
        for item in extra where item.name.hasPrefix("$") && !former.contains(where: { $0.extra.contains(item) }) {
            throw ModelError(.invalid, field: "extra", "has a name that begins with $, as only imports may")
        }
    }

    /// Throws an error unless the content says what it is about, or replaces content that says no more.
    package func requireSubject(replacing former: EntryContent? = nil) throws(ModelError) {
        guard let missingField, former == nil || former?.missingField == nil else { return }
        throw ModelError(.invalid, field: missingField.name, "is required")
    }
}

extension Kind {
    /// The fields that each say what an entry of the kind is about.
    package var subjectFields: [Field] {
        Plan.kinds.contains(self) ? [Drug.name, Drug.rawText, SharedFields.codes] : fields
    }
}

extension FieldValue {
    /// Whether the value is a text of white space alone.
    fileprivate var isBlank: Bool { if case .text(let text) = self { text.isBlank } else { false } }
}

extension String {
    fileprivate var isBlank: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }
}

extension RecordProfile {
    /// Throws an error that names the field if the profile is invalid.
    package func validate(now: Instant) throws(ModelError) {
        try values.validate(as: fields, inferred: inferred, now: now)
        // A field of the other subject, such as the breed of a human, is refused because an export would lose it.
        let foreign = Self.fields(for: subject == .human ? .animal : .human)
        let own = Set(fields.map(\.number))
        if let field = foreign.first(where: { !own.contains($0.number) && values[$0] != nil }) {
            throw ModelError(
                .invalid,
                field: field.name,
                "is not a field of \(subject == .human ? "a human" : "an animal")"
            )
        }
        try Extra.validate(extra, inferred: inferred)
    }
}

extension Extra {
    fileprivate static func validate(_ extra: [Extra], inferred: [String]) throws(ModelError) {
        if extra.count > Limits.extras {
            throw ModelError(.invalid, field: "extra", "contains more than \(Limits.extras) fields")
        }
        for item in extra {
            try TextCheck.check(item.name, field: "extra", maximum: Limits.line)
            // JSON text escapes the characters that a plain text must not contain, so only its size is checked.
            if item.json.utf8.count > Limits.extraJSON {
                throw ModelError(
                    .invalid,
                    field: "extra.\(item.name.printable)",
                    "is longer than \(Limits.extraJSON) bytes"
                )
            }
        }
        if inferred.count > Limits.inferred {
            throw ModelError(.invalid, field: "inferred", "names more than \(Limits.inferred) fields")
        }
        for name in inferred { try TextCheck.check(name, field: "inferred", maximum: Limits.line) }
    }
}
