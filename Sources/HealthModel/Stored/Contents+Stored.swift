import SwiftProtobuf

extension EntryContent {
    var stored: StoredEntryContent {
        var stored = StoredEntryContent()
        switch date {
        case .instant(let instant): stored.occurredAt = instant.microseconds
        case .day(let day): stored.occurredOn = day.daysSince1970
        case nil: break
        }
        stored.body = body.stored
        stored.comment = comment
        stored.voiceEntryUsed = voiceEntryUsed
        stored.inferred = inferred
        stored.extra = extra.map(\.stored)
        return stored
    }

    init(stored: StoredEntryContent, kind code: UInt16) throws(ModelError) {
        guard let kind = Kind.coded(code) else {
            throw ModelError(
                .invalid,
                field: "kind",
                "this program does not know kind \(code); a newer one may have written it"
            )
        }
        let date: OccurredDate? =
            switch stored.date {
            case .occurredAt(let microseconds): .instant(Instant(microseconds: microseconds))
            case .occurredOn(let days): .day(Day(daysSince1970: days))
            case nil: nil
            }
        self.init(
            kind: kind,
            date: date,
            body: try FieldValues(stored: stored.body),
            comment: stored.comment,
            voiceEntryUsed: stored.voiceEntryUsed,
            inferred: stored.inferred,
            extra: stored.extra.map(Extra.init(stored:))
        )
    }
}
