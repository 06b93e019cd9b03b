package import HealthModel

/// An action that a caller wants to perform: on a record, on an account, or on the journal itself.
package enum Action: Hashable, Sendable {
    // MARK: On a record

    /// Read entries of some kinds, and the profile.
    ///
    /// If the kinds are `nil`, everything that the caller may see is read.
    case read(Set<Kind>?, AccessAction)
    /// Read earlier state: as of a moment, or including entries retracted since.
    ///
    /// The kinds are as in `read`. The emergency view does not permit this action.
    case readPast(Set<Kind>?, AccessAction)
    /// Add entries of a kind, or change existing ones.
    case contribute(Kind, Contribution)
    /// Change the profile.
    case editProfile
    /// Hand the record over to another owner.
    case transfer
    /// Close the record, and give others access.
    case manage
    /// Take away access to the record that others have.
    case revoke
    /// Erase all data of the record for good.
    case erase
    /// Open the emergency view.
    case emergency
    /// Read who has access, who read the record, and who changed what.
    case audit(AccessAction)

    // MARK: On the journal itself

    /// Create a record, which the caller then owns.
    case createRecord
    /// Import records, which the caller then owns.
    case importRecords
    /// Use the code of an invitation to become a caregiver.
    case acceptInvitation
    /// Append events of other tools to streams of a category.
    ///
    /// Concerns no record.
    case append(category: String)
    /// Follow the events of the log; the gate then decides for each event.
    ///
    /// Concerns no record.
    case follow
    /// Fetch the events of the records that the account may see, to use them offline.
    ///
    /// Concerns no record.
    case sync
    /// Read the events that other tools sent.
    ///
    /// Concerns no record.
    case see
    /// Read the events of the journal itself and of its accounts.
    ///
    /// Concerns no record.
    case oversee
    /// Run the journal: add and list accounts, back it up, rotate its keys.
    ///
    /// The audit trail records a refusal as the given access action.
    case administer(AccessAction)
    /// Continue with a clock or a log that the journal does not trust by itself.
    case acceptState

    // MARK: On an account

    case account(AccountAction, Account)

    /// The account that an action concerns, as seen from the caller's.
    package enum Account: Hashable, Sendable {
        case own
        /// `isNew` is true for a person without credentials and records so far.
        case other(AccountKind, isNew: Bool)
    }

    /// The action under which the audit trail records it.
    package var access: AccessAction {
        switch self {
        case .read(_, let access), .readPast(_, let access), .audit(let access): access
        case .contribute, .append: .contribute
        case .editProfile, .transfer, .manage, .revoke, .createRecord, .importRecords, .acceptState, .account: .manage
        case .acceptInvitation: .invitation
        case .administer(let access): access
        case .erase: .erase
        case .follow, .sync, .see, .oversee: .events
        case .emergency: .emergency
        }
    }

    /// The sections that are requested by name.
    package var sections: [Section] {
        switch self {
        case .read(let kinds, _), .readPast(let kinds, _):
            Set((kinds ?? []).map(\.section)).sorted { $0.rawValue < $1.rawValue }
        case .contribute(let kind, _): [kind.section]
        case .editProfile, .transfer, .manage, .revoke, .erase, .emergency, .audit, .createRecord, .importRecords,
            .acceptInvitation, .append,
            .follow, .sync, .see, .oversee, .administer, .acceptState, .account:
            []
        }
    }

    /// Whether the action reads entries.
    package var isRead: Bool {
        switch self {
        case .read, .readPast: true
        default: false
        }
    }

    /// Whether the action is on a record, so that it is decided with the caller's permission on that record.
    var concernsRecord: Bool {
        switch self {
        case .read, .readPast, .contribute, .editProfile, .transfer, .manage, .revoke, .erase, .emergency, .audit:
            true
        case .createRecord, .importRecords, .acceptInvitation, .append, .follow, .sync, .see, .oversee, .administer,
            .acceptState, .account:
            false
        }
    }
}

extension Action {
    /// Whether an account whose subscription is over may no longer perform the action.
    ///
    /// Such an account still reads, exports and erases its data, takes away access that others have to it, manages its
    /// credentials, and runs the journal.
    var needsSubscription: Bool {
        switch self {
        case .contribute, .editProfile, .transfer, .manage, .createRecord, .importRecords, .acceptInvitation, .append,
            .account(.changeSettings, _), .account(.importData, _):
            true
        case .read, .readPast, .revoke, .erase, .emergency, .audit, .follow, .sync, .see, .oversee, .administer,
            .acceptState, .account:
            false
        }
    }

    /// Returns a read of entries of some kinds, now or in the past.
    package static func reading(_ kinds: Set<Kind>?, _ access: AccessAction, ofPast isPast: Bool) -> Action {
        isPast ? .readPast(kinds, access) : .read(kinds, access)
    }

    /// Returns the change of an entry by a caller, who may have added it.
    package static func changing(_ entry: EntryState, by caller: Caller) -> Action {
        .contribute(entry.kind, entry.added.actor == caller.account ? .changingOwn : .changingOthers)
    }

    /// Returns the read that the options describe.
    package static func reading(_ options: ReadOptions, _ access: AccessAction) -> Action {
        reading(options.kinds.map { Set($0) }, access, ofPast: options.isOfPast)
    }

    /// Returns a read of the history of entries of some kinds, or of a record if `kinds` is nil.
    ///
    /// An auditor reads histories, and nothing else.
    package static func readingHistory(_ kinds: Set<Kind>?, by caller: Caller) -> Action {
        caller.kind == .auditor ? .audit(.history) : .read(kinds, .history)
    }
}

/// What a contribution does to the entries of a record.
package enum Contribution: Hashable, Sendable {
    case adding
    /// The entry is one that the caller added.
    case changingOwn
    case changingOthers
}

/// What an action does with an account.
package enum AccountAction: Hashable, Sendable {
    /// Read its credentials, or end them.
    case manageCredentials
    case setPassword
    case issueToken
    /// Link an identity at a provider, which the caller proved to be theirs or not.
    case linkIdentity(isProven: Bool)
    /// Read its profile and its preferences.
    case readSettings
    /// Change its profile or its preferences.
    case changeSettings
    case setSubscription
    /// Import a document that contains its settings and its record.
    case importData
    /// Register and remove devices that send changes.
    case manageDevices
    /// End all use of the account.
    case remove
}
