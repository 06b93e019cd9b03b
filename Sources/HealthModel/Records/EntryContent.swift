/// Everything that an entry says; what an event that sets an entry carries whole.
package struct EntryContent: Hashable, Sendable {
    package var kind: Kind
    package var date: OccurredDate?
    /// The values of the kind's own fields.
    package var body: FieldValues
    package var comment: String
    package var voiceEntryUsed: Bool
    /// Names of fields whose value was guessed, not given.
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
}
