import SwiftProtobuf

extension EntryContent {
    var stored: StoredEntryContent {
        var stored = StoredEntryContent()
        switch date {
        case .instant(let instant): stored.occurredAt = instant.microseconds
        case .date(.day(let day)): stored.occurredOn = day.daysSince1970
        case .date(.month(let year, let month)): stored.occurredInMonth = UInt32(year * 12 + month - 1)
        case .date(.year(let year)): stored.occurredInYear = UInt32(year)
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
        self.init(
            kind: kind,
            date: try OccurredDate?(stored: stored.date),
            body: try FieldValues(stored: stored.body),
            comment: stored.comment,
            voiceEntryUsed: stored.voiceEntryUsed,
            inferred: stored.inferred,
            extra: stored.extra.map(Extra.init(stored:))
        )
    }
}

extension OccurredDate? {
    fileprivate init(stored: StoredEntryContent.OneOf_Date?) throws(ModelError) {
        switch stored {
        case .occurredAt(let microseconds): self = .instant(Instant(microseconds: microseconds))
        case .occurredOn(let days): self = .day(Day(daysSince1970: days))
        case .occurredInMonth(let months): self = .date(try PartialDate(monthsSinceYear0: months).stored())
        case .occurredInYear(let year): self = .date(try PartialDate(year: year).stored())
        case nil: self = nil
        }
    }
}

extension PartialDate? {
    fileprivate func stored() throws(ModelError) -> PartialDate {
        guard let self else { throw ModelError(.invalid, field: "date", "is stored in a form that no program writes") }
        return self
    }
}
