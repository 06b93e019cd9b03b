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

    /// The values that identify the entry in a list, in one line.
    package var title: String {
        kind.summary.compactMap { body[$0]?.shownText.replacing("\n", with: " ") }.joined(separator: " ")
    }

    /// The other values that people read, each with its name, in one line.
    package var details: String {
        kind.fields.leaves
            .filter { path in !kind.summary.contains(path.fields[0]) && path.fields[0] != Document.content }
            .compactMap { path in
                guard let value = body[path] else { return nil }
                if case .id = value { return nil }
                let text = value.shownText.replacing("\n", with: " ")
                return text.isEmpty ? nil : "\(path.label.lowercased()): \(text)"
            }
            .joined(separator: "; ")
    }

    /// The days within which it happened: of its date or, if a cost has none, of its year; nil if that is unknown.
    package var happened: ClosedRange<Day>? {
        switch date {
        case .date(let date): date.firstDay...date.lastDay
        case .instant(let instant): Day(of: instant)...Day(of: instant)
        case nil:
            body.integer(Cost.year).flatMap { kind == Cost.kind ? PartialDate.year(Int($0)) : nil }
                .map { $0.firstDay...$0.lastDay }
        }
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
