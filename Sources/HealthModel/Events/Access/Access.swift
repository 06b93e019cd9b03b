package import FoundationEssentials

/// One access to a record, or a denied attempt, as stored in the audit trail.
package struct Access: Hashable, Sendable {
    package var action: AccessAction
    /// The sections that were shown or, if access was denied, requested.
    package var sections: [Section]
    /// The number of entries that were shown.
    package var entryCount: Int
    /// The log position of the state that was read; nil for the head.
    package var asOf: UInt64?
    package var happenedBy: Day?
    /// The right on which the access was based; nil if there was none.
    package var grantedBy: AccessRight?
    package var purpose: String
    /// The log position of the state that was shown, also for a read at the head.
    ///
    /// Nil in events of older programs, which do not contain the properties below either.
    package var version: UInt64?
    /// The entries that were shown.
    package var shown: [ShownEntries]
    /// Whether `shown` includes retracted entries.
    package var includesRetracted: Bool
    /// The positions of the first and the last event that were shown; nil if no history was shown.
    package var events: ClosedRange<UInt64>?

    package init(
        action: AccessAction,
        sections: [Section] = [],
        entryCount: Int = 0,
        asOf: UInt64? = nil,
        happenedBy: Day? = nil,
        grantedBy: AccessRight? = nil,
        purpose: String = "",
        version: UInt64? = nil,
        shown: [ShownEntries] = [],
        includesRetracted: Bool = false,
        events: ClosedRange<UInt64>? = nil
    ) {
        self.action = action
        self.sections = sections
        self.entryCount = entryCount
        self.asOf = asOf
        self.happenedBy = happenedBy
        self.grantedBy = grantedBy
        self.purpose = purpose
        self.version = version
        self.shown = shown
        self.includesRetracted = includesRetracted
        self.events = events
    }
}

/// The action of an access; the raw values are stored and stable.
package enum AccessAction: String, CaseIterable, Sendable {
    case read
    case list
    case history
    case access
    case costs
    case caregivers
    case document
    case export
    case contribute
    case manage
    case emergency
    case audit
    case erase
    case signIn
    case invitation
    /// Following the feed of the log's events.
    case events
    /// Fetching a calendar feed by its secret address.
    case calendar
    /// Sending a reminder.
    case reminder
    /// Reading or changing the appointments of a patient.
    case appointments
    /// Reading or changing the triage of a patient.
    case triage
    /// Reading or changing the directory of a practice.
    case practice
    /// Searching for words in the profile and the entries.
    case search
}

/// The right on which an access was based.
package enum AccessRight: Hashable, Sendable {
    case owner
    /// A grant, identified by the position of the event that gave it.
    case grant(position: UInt64)
    /// An emergency view, identified by the position of the event that opened it.
    case emergency(position: UInt64)
    /// A right that follows from the kind of the account, such as an auditor's.
    case role(AccountKind)
    /// A membership of a practice.
    case practice(UUID)

    package var isEmergency: Bool {
        if case .emergency = self { true } else { false }
    }
}
