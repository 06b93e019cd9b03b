package import FoundationEssentials
package import HealthModel

/// A calendar feed with a secret address; never contains the secret.
package struct CalendarDocument: APIDocument, Hashable {
    package var id: UUID
    package var feed: CalendarLink.Feed
    /// The account that linked it.
    package var account: UUID
    package var name: String?
    package var detail: ReminderDetail
    package var times: CalendarLink.Times
    /// The practice whose appointments it contains.
    package var practice: UUID?
    package var linkedAt: Instant
    package var unlinkedAt: Instant?

    package init(_ state: CalendarLinkState, name: String? = nil) {
        let link = state.calendar
        id = link.id
        feed = link.feed
        account = link.account
        self.name = name
        detail = ReminderDetail(showsNames: link.showsNames)
        times = link.times
        practice = link.practice
        linkedAt = state.linked.recordedAt
        unlinkedAt = state.unlinked?.recordedAt
    }
}

/// How much reminders and calendars contain.
package enum ReminderDetail: String, CaseIterable, Sendable {
    case neutral
    /// The names and amounts of medications; in calendars also those of practices and services, or of patients.
    case names

    package init(showsNames: Bool) { self = showsNames ? .names : .neutral }

    package var showsNames: Bool { self == .names }
}

extension CalendarDocument {
    package static let schema = JSONSchema.object(
        [
            "id": JSONSchema.identifier, "feed": JSONSchema.word(of: CalendarLink.Feed.self),
            "account": JSONSchema.identifier, "detail": JSONSchema.word(of: ReminderDetail.self),
            "times": JSONSchema.word(of: CalendarLink.Times.self), "linkedAt": JSONSchema.time,
        ],
        optional: [
            "name": ["type": "string"], "practice": JSONSchema.identifier, "unlinkedAt": JSONSchema.time,
        ]
    )

    package var json: JSONValue {
        .present([
            "id": .string(id.text), "feed": .string(feed.name), "account": .string(account.text),
            "name": name.map { .string($0) }, "detail": .string(detail.rawValue), "times": .string(times.name),
            "practice": practice.map { .string($0.text) }, "linkedAt": .time(linkedAt),
            "unlinkedAt": unlinkedAt.map { .time($0) },
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        id = try object.id("id")
        feed = try object.choice("feed", CalendarLink.Feed.self)
        account = try object.id("account")
        name = try object.text("name")
        detail = try object.choice("detail", ReminderDetail.self)
        times = try object.choice("times", CalendarLink.Times.self)
        practice = try object.optionalID("practice")
        linkedAt = try object.instant("linkedAt")
        unlinkedAt = try object.optionalInstant("unlinkedAt")
    }
}
