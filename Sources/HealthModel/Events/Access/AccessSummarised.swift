/// How often the same access was refused again in the minute after an `AccessDenied` event.
package struct AccessSummarised: EventData {
    package var refusals: AccessSummary

    package static var type: EventType { EventType(code: 55) }

    package static let definition = EventDefinition(
        "access.summarised",
        .access,
        "Refused several times",
        { action, sections, count, first, last in
            AccessSummarised(
                refusals: AccessSummary(action: action, sections: sections, count: count, first: first, last: last)
            )
        },
        EventField(1, "action", \.refusals.action, .json),
        EventField(2, "sections", \.refusals.sections, .json),
        EventField(3, "count", \.refusals.count, .json),
        EventField(4, "first", \.refusals.first, .json),
        EventField(5, "last", \.refusals.last, .json)
    )

    package var summary: EventSummary { "\(.record): denied \(refusals.action.rawValue) \(refusals.text)" }
}

extension JournalEvent {
    package static func accessSummarised(_ refusals: AccessSummary) -> JournalEvent {
        JournalEvent(AccessSummarised(refusals: refusals))
    }
}
