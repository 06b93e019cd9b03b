/// A calendar feed got a secret address, under which programs fetch it with the rights of the account that linked it.
package struct CalendarLinked: EventData {
    package var calendar: CalendarLink

    package static var type: EventType { EventType(code: 45) }

    package static let definition = EventDefinition(
        "calendar.linked",
        .grant,
        "Calendar linked",
        { id, feed, digest, showsNames, times, account, practice in
            CalendarLinked(
                calendar: CalendarLink(
                    id: id,
                    feed: feed,
                    digest: digest,
                    account: account,
                    showsNames: showsNames,
                    times: times,
                    practice: practice
                )
            )
        },
        EventField(1, "calendar", \.calendar.id, .json),
        EventField(2, "feed", \.calendar.feed),
        EventField(3, "digest", \.calendar.digest, .stored),
        EventField(4, "names", \.calendar.showsNames),
        EventField(5, "times", \.calendar.times),
        EventField(6, "account", \.calendar.account, .json),
        EventField(7, "practice", \.calendar.practice, .json)
    )

    package var summary: EventSummary { "\(calendar.feed.name) of \(.record) for \(calendar.account)" }
}

extension JournalEvent {
    package static func calendarLinked(_ calendar: CalendarLink) -> JournalEvent {
        JournalEvent(CalendarLinked(calendar: calendar))
    }
}
