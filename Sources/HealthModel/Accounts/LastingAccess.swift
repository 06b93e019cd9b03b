package import FoundationEssentials

/// What gives access to the data of an account independently of its password.
package struct LastingAccess: Hashable, Sendable {
    /// The valid tokens.
    package var tokens: [TokenState]
    package var identities: [IdentityState]
    /// The calendars that the account linked, of all records.
    package var calendars: [Calendar]
    /// The channels whose messages contain names.
    package var channels: [ReminderChannelState]

    /// A linked calendar, and the record whose planned doses it shows.
    package struct Calendar: Hashable, Sendable {
        package var record: UUID
        package var state: CalendarLinkState

        package init(record: UUID, state: CalendarLinkState) {
            self.record = record
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
