package import FoundationEssentials
package import HealthModel

/// A calendar feed with a secret address; never contains the secret.
package struct CalendarDocument: DefinedDocument, Hashable {
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

    package static let definition = DocumentDefinition(
        CalendarDocument.init,
        DocumentMember("id", \.id),
        DocumentMember("feed", \.feed),
        DocumentMember("account", \.account),
        DocumentMember("name", \.name),
        DocumentMember("detail", \.detail),
        DocumentMember("times", \.times),
        DocumentMember("practice", \.practice),
        DocumentMember("linkedAt", \.linkedAt),
        DocumentMember("unlinkedAt", \.unlinkedAt)
    )
}

extension CalendarDocument {
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
