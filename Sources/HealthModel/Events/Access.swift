/// One look at a record, or an attempt at one, as the trail keeps it.
package struct Access: Hashable, Sendable {
    package var action: AccessAction
    /// The sections that were shown, or asked for where access was denied.
    package var sections: [Section]
    /// How many entries were shown.
    package var entryCount: Int
    /// The position as of which the record was read; nil for the head.
    package var asOf: UInt64?
    package var happenedBy: Day?
    /// By what right; nil where there was none.
    package var grantedBy: AccessRight?
    package var purpose: String

    package init(
        action: AccessAction,
        sections: [Section] = [],
        entryCount: Int = 0,
        asOf: UInt64? = nil,
        happenedBy: Day? = nil,
        grantedBy: AccessRight? = nil,
        purpose: String = ""
    ) {
        self.action = action
        self.sections = sections
        self.entryCount = entryCount
        self.asOf = asOf
        self.happenedBy = happenedBy
        self.grantedBy = grantedBy
        self.purpose = purpose
    }
}

/// What was done with a record; the raw values are stored and stable.
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
    /// Following the events of the log as they come.
    case events
}

/// By what right somebody was let in.
package enum AccessRight: Hashable, Sendable {
    case owner
    /// A grant, named by the position of the event that gave it.
    case grant(position: UInt64)
    /// An emergency, named by the position of the event that opened it.
    case emergency(position: UInt64)
    /// What an account is, as an auditor is.
    case role(AccountKind)
}
