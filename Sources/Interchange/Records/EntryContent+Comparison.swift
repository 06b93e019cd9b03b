package import HealthModel

extension EntryContent {
    /// Whether both have the same content, so that importing one over the other would change nothing.
    ///
    /// Ignored are the times at which a source's app created and changed its copy, inferred values, and the bytes of a
    /// document if one side does not have them.
    package func hasSameContent(as other: EntryContent) -> Bool {
        guard kind == other.kind, date == other.date, comment == other.comment,
            voiceEntryUsed == other.voiceEntryUsed, effectiveExtra(extra) == other.effectiveExtra(other.extra)
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

    /// The values that were not inferred.
    var givenValues: FieldValues { body.without(inferred, of: kind.fields) }

    private func effectiveExtra(_ extra: [Extra]) -> [Extra] {
        PurusKind.of(kind).keys.effective(extra, of: PurusForm(self)).withoutTimestamps.filter { !FHIRKept.isMark($0) }
    }

    /// The extra fields from which ids are derived: those that are still valid, as an import would read them.
    var identifyingExtra: [Extra] { effectiveExtra(extra) }
}

extension RecordProfile {
    /// Whether both have the same content, without inferred values.
    package func hasSameContent(as other: RecordProfile) -> Bool {
        subject == other.subject && givenValues == other.givenValues && effectiveExtra == other.effectiveExtra
    }

    var givenValues: FieldValues { values.without(inferred, of: fields) }

    private var effectiveExtra: [Extra] {
        PurusKeys.profile(of: subject).effective(extra, of: PurusForm(self)).withoutTimestamps
    }
}

extension [Extra] {
    /// The extra fields without the times of the source's app, sorted.
    fileprivate var withoutTimestamps: [Extra] {
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
