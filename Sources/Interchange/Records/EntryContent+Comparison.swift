package import HealthModel

extension EntryContent {
    /// Whether both say the same of the world, so that importing one over the other would change nothing.
    ///
    /// Left aside are when a source's app created and touched its copy, values that one side only guessed, and the bytes
    /// of a document of which one side does not speak.
    package func saysTheSame(as other: EntryContent) -> Bool {
        guard kind == other.kind, date == other.date, comment == other.comment,
            voiceEntryUsed == other.voiceEntryUsed, telling(extra) == other.telling(other.extra)
        else { return false }
        var values = (givenValues, other.givenValues)
        if kind == Document.kind, values.0[Document.content] == nil || values.1[Document.content] == nil {
            for field in [Document.content, Document.missing] {
                values.0[field] = nil
                values.1[field] = nil
            }
        }
        return values.0 == values.1
    }

    /// The values that nobody guessed.
    var givenValues: FieldValues { body.without(inferred, of: kind.fields) }

    private func telling(_ extra: [Extra]) -> [Extra] {
        PurusKind.of(kind).keys.effective(extra, of: PurusForm(self)).told
    }

    /// What ids are derived from: the fields that no shape knows, as they would be read again.
    var toldExtra: [Extra] { telling(extra) }
}

extension RecordProfile {
    /// Whether both say the same of the subject.
    package func saysTheSame(as other: RecordProfile) -> Bool {
        subject == other.subject && givenValues == other.givenValues && telling == other.telling
    }

    var givenValues: FieldValues { values.without(inferred, of: fields) }

    private var telling: [Extra] {
        PurusKeys.profile(of: subject).effective(extra, of: PurusForm(self)).told
    }
}

extension [Extra] {
    /// Without the times of the source's app, in one order.
    fileprivate var told: [Extra] {
        filter { !PurusStamps.names.contains($0.name) }.sorted { ($0.name, $0.json) < ($1.name, $1.json) }
    }
}

extension FieldValues {
    fileprivate func without(_ names: [String], of fields: [Field]) -> FieldValues {
        var values = self
        for name in names {
            if let path = fields.path(named: name) { values[path] = nil }
        }
        return values
    }
}
