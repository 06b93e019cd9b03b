import FoundationEssentials

/// Two people changed the same values of an entry without knowing of each other; the version that is not shown is kept.
package struct EntryDiverged: EventData {
    /// The position of the last change that the writer of the later version had seen; nil if that was none.
    package var base: UInt64?
    /// The writer of the version that is kept here.
    package var writer: ChangeWriter
    /// The names of the fields in which the versions disagree; `retracted` if one of them withdraws the entry.
    package var fields: [String]
    /// The whole content of the version that is not shown.
    package var content: EntryContent
    /// Whether that version withdraws the entry.
    package var isRetracted: Bool
    /// Whether nothing has to be decided, because both versions mean the same.
    package var isSettled: Bool

    package init(
        base: UInt64?,
        writer: ChangeWriter,
        fields: [String],
        content: EntryContent,
        isRetracted: Bool = false,
        isSettled: Bool = false
    ) {
        self.base = base
        self.writer = writer
        self.fields = fields
        self.content = content
        self.isRetracted = isRetracted
        self.isSettled = isSettled
    }

    /// The name in `fields` for a version that withdraws the entry.
    package static let retraction = "retracted"

    package static var type: EventType { EventType(code: 35) }

    package static let definition = EventDefinition(
        "entry.diverged",
        .entry,
        "Another version kept",
        effect: .annotates,
        { base, author, device, madeAt, fields, content, isRetracted, isSettled in
            EntryDiverged(
                base: base,
                writer: ChangeWriter(author: author, origin: ChangeOrigin(madeAt: madeAt, device: device)),
                fields: fields,
                content: content,
                isRetracted: isRetracted,
                isSettled: isSettled
            )
        },
        EventField(1, "base", \.base),
        EventField(2, "author", \.writer.author),
        EventField(3, "device", \.writer.origin.device),
        EventField(4, "madeAt", \.writer.origin.madeAt),
        EventField(5, "fields", \.fields),
        // Its JSON is that of an entry of its kind.
        EventField(6, "values", \.content, .stored),
        EventField(7, "retracted", \.isRetracted),
        EventField(8, "settled", \.isSettled)
    )

    package var summary: EventSummary { "entry of \(.record)" }
}

extension JournalEvent {
    package static func entryDiverged(_ diverged: EntryDiverged) -> JournalEvent { JournalEvent(diverged) }
}

extension EntryContent: EventValue {
    private static let kind = Field(1, "kind", "Kind", .integer(0...Int64(UInt16.max)))
    private static let date = Field(2, "date", "Date", .instant)
    private static let body = Field(3, "values", "Values", .group([]))
    private static let comment = Field(4, "comment", "Comment", String.fieldType)
    private static let voiceEntryUsed = Field(5, "voiceEntryUsed", "Entered by voice", .flag)
    private static let inferred = Field(6, "inferred", "Guessed fields", [String].fieldType)
    private static let extra = Field(7, "extra", "Extra", [Extra].fieldType)

    package static var fieldType: FieldType { .group([kind, date, body, comment, voiceEntryUsed, inferred, extra]) }

    package var fieldValue: FieldValue? {
        var stored = FieldValues()
        stored[EntryContent.kind] = .integer(Int64(kind.code))
        stored[EntryContent.date] = date.map(\.stored)
        stored[EntryContent.body] = .group(body)
        stored[EntryContent.comment] = .text(comment)
        stored[EntryContent.voiceEntryUsed] = voiceEntryUsed.fieldValue
        stored[EntryContent.inferred] = inferred.fieldValue
        stored[EntryContent.extra] = extra.fieldValue
        return .group(stored)
    }

    package init?(fieldValue: FieldValue?) {
        guard case .group(let stored)? = fieldValue, let code = stored.integer(EntryContent.kind),
            let kind = UInt16(exactly: code).flatMap({ Kind.coded($0) }),
            let voiceEntryUsed = Bool(fieldValue: stored[EntryContent.voiceEntryUsed]),
            let inferred = [String](fieldValue: stored[EntryContent.inferred]),
            let extra = [Extra](fieldValue: stored[EntryContent.extra])
        else { return nil }
        var date: OccurredDate?
        if let value = stored[EntryContent.date] {
            guard let read = OccurredDate(stored: value) else { return nil }
            date = read
        }
        self.init(
            kind: kind,
            date: date,
            body: stored.group(EntryContent.body) ?? FieldValues(),
            comment: stored.text(EntryContent.comment) ?? "",
            voiceEntryUsed: voiceEntryUsed,
            inferred: inferred,
            extra: extra
        )
    }
}

extension OccurredDate {
    /// A day, a month or a year is stored as text.
    fileprivate var stored: FieldValue {
        switch self {
        case .instant(let instant): .instant(instant)
        case .date: .text(description)
        }
    }

    fileprivate init?(stored: FieldValue) {
        switch stored {
        case .instant(let instant): self = .instant(instant)
        case .text(let text):
            guard let date = try? PartialDate(parsing: text) else { return nil }
            self = .date(date)
        default: return nil
        }
    }
}
