package import FoundationEssentials

/// What gives access to the data of an account independently of its password.
package struct LastingAccess: Hashable, Sendable {
    /// The valid tokens.
    package var tokens: [TokenState]
    package var identities: [IdentityState]
    /// The calendars that the account linked, of all records and specialists.
    package var calendars: [Calendar]
    /// The channels whose messages contain names.
    package var channels: [ReminderChannelState]

    /// A linked calendar, and the record or the specialist whose times it shows.
    package struct Calendar: Hashable, Sendable {
        package var subject: UUID
        package var state: CalendarLinkState

        package init(subject: UUID, state: CalendarLinkState) {
            self.subject = subject
            self.state = state
        }
    }

    package init(
        tokens: [TokenState] = [],
        identities: [IdentityState] = [],
        calendars: [Calendar] = [],
        channels: [ReminderChannelState] = []
    ) {
        self.tokens = tokens
        self.identities = identities
        self.calendars = calendars
        self.channels = channels
    }

    package var isEmpty: Bool { tokens.isEmpty && identities.isEmpty && calendars.isEmpty && channels.isEmpty }
}
