/// The complete content of an entry, as contained in each event that sets it.
package struct EntryContent: Hashable, Sendable {
    package var kind: Kind
    package var date: OccurredDate?
    /// The values of the kind's own fields.
    package var body: FieldValues
    package var comment: String
    package var voiceEntryUsed: Bool
    /// The names of fields whose value the source did not give: it was guessed, or it is absent.
    package var inferred: [String]
    package var extra: [Extra]

    package init(
        kind: Kind,
        date: OccurredDate? = nil,
        body: FieldValues = FieldValues(),
        comment: String = "",
        voiceEntryUsed: Bool = false,
        inferred: [String] = [],
        extra: [Extra] = []
    ) {
        self.kind = kind
        self.date = date
        self.body = body
        self.comment = comment
        self.voiceEntryUsed = voiceEntryUsed
        self.inferred = inferred
        self.extra = extra
    }

    /// The date, if it has a time of day.
    package var instant: Instant? { if case .instant(let instant)? = date { instant } else { nil } }
}

/// A field of a source document that the model does not define, stored so that an export contains it again.
package struct Extra: Hashable, Sendable {
    package var name: String
    /// The value as JSON text, as received.
    package var json: String

    package init(name: String, json: String) {
        self.name = name
        self.json = json
    }
}
