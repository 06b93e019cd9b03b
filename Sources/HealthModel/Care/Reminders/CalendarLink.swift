package import FoundationEssentials

/// A calendar feed with a secret address, which is shown once and never stored.
package struct CalendarLink: Hashable, Sendable {
    package var id: UUID
    package var feed: Feed
    /// The SHA-256 of the secret.
    package var digest: [UInt8]
    /// The account that linked it, with whose rights it is fetched.
    package var account: UUID
    /// Whether events contain the names and amounts of medication, or the names of patients.
    package var showsNames: Bool
    package var times: Times
    /// The practice whose appointments it contains; nil for planned doses.
    package var practice: UUID?

    /// What a feed contains.
    package enum Feed: String, EventChoice, Sendable {
        /// The planned doses of a record.
        case doses
        /// The appointments of a specialist at a practice.
        case appointments

        package var name: String { rawValue }
    }

    /// How times are written.
    package enum Times: String, EventChoice, Sendable {
        case utc
        /// By the person's clock, without a zone: a calendar shows them as they are, wherever it is.
        case floating

        package var name: String { rawValue }
    }

    package init(
        id: UUID,
        feed: Feed = .doses,
        digest: [UInt8],
        account: UUID,
        showsNames: Bool = false,
        times: Times = .utc,
        practice: UUID? = nil
    ) {
        self.id = id
        self.feed = feed
        self.digest = digest
        self.account = account
        self.showsNames = showsNames
        self.times = times
        self.practice = practice
    }
}

/// The state of a linked calendar as of a position of the log.
package struct CalendarLinkState: Hashable, Sendable {
    package var calendar: CalendarLink
    package var linked: Stamp
    package var unlinked: Stamp?

    package var id: UUID { calendar.id }
    package var isLinked: Bool { unlinked == nil }

    package init(calendar: CalendarLink, linked: Stamp, unlinked: Stamp? = nil) {
        self.calendar = calendar
        self.linked = linked
        self.unlinked = unlinked
    }
}

/// The calendar feeds of a record or a specialist, in the order in which they were linked.
package struct CalendarLinksState: Hashable, Sendable {
    package var calendars: [CalendarLinkState] = []

    package init() {}

    package subscript(id: UUID) -> CalendarLinkState? { calendars.first { $0.id == id } }

    /// The feeds whose addresses work.
    package var linked: [CalendarLinkState] { calendars.filter(\.isLinked) }
}

/// A command on the calendar feeds of a record or a specialist.
package enum CalendarCommand: Hashable, Sendable {
    case link(CalendarLink)
    case unlink(UUID)
}

/// Returns the events that a command on calendar feeds produces; throws if the command is refused.
package func decide(
    _ command: CalendarCommand,
    _ state: CalendarLinksState,
    isClosed: Bool = false
) throws(ModelError) -> [JournalEvent] {
    switch command {
    case .link(let calendar):
        if isClosed { throw .recordIsClosed }
        if calendar.digest.count != 32 { throw ModelError(.invalid, field: "digest", "must be a SHA-256") }
        guard state.linked.count < Limits.calendars else {
            throw ModelError(
                .conflict,
                "\(Limits.calendars) calendars are linked, which is the maximum: unlink one"
            )
        }
        return [.calendarLinked(calendar)]
    case .unlink(let id):
        guard let found = state[id] else {
            throw ModelError(.notFound, field: "calendar", "there is no such calendar")
        }
        return found.isLinked ? [.calendarUnlinked(id)] : []
    }
}

/// Folds one event into the calendar feeds of a record or a specialist.
package func evolve(_ state: inout CalendarLinksState, _ event: RecordedEvent) {
    switch event.event.data {
    case let linked as CalendarLinked:
        state.calendars.append(CalendarLinkState(calendar: linked.calendar, linked: event.stamp))
    case let unlinked as CalendarUnlinked:
        guard let index = state.calendars.firstIndex(where: { $0.id == unlinked.calendar }) else { return }
        state.calendars[index].unlinked = event.stamp
    default:
        break
    }
}
