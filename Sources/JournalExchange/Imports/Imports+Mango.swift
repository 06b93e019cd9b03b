internal import CaregiverPermissions
internal import EventLog
package import JournalCore

// The time zones are in Foundation, not in FoundationEssentials.
internal import Foundation
internal import HealthModel
package import Interchange
internal import MedicalRecords

extension Journal.Imports {
    /// Returns what a document of Mango Health does not contain.
    package func mangoOptions(isTrial: Bool) throws(JournalError) -> MangoOptions {
        MangoOptions(
            now: journal.now,
            zone: journal.zone,
            zoneNamed: { TimeZone(identifier: $0) },
            namespaces: try journal.imports.namespaces(of: "mango", isTrial: isTrial)
        )
    }

    /// Imports the users of a document of Mango Health, all of them or none; returns a report for each.
    ///
    /// Each user becomes an account with one record. The account is the one to which the user's identity at `issuer` is
    /// linked. Without such an account, the journal's owner adds one and links the identity, and any other caller imports
    /// a document of one user for their own account, as does the journal's owner with `isOwn`.
    package func take(
        _ users: [MangoUser],
        issuer: String = MangoDocument.issuer,
        isOwn: Bool = false,
        isTrial: Bool = false,
        _ caller: Caller
    ) async throws(JournalError) -> [ImportReport] {
        let reports = try await journal.retrying {
            try await journal.access.admit(caller, to: .importRecords)
            var accounts = MangoAccounts(issuer: issuer, isOwn: isOwn, hasSeveral: users.count > 1)
            var change = try Change(journal, caller)
            var reports: [ImportReport] = []
            var ids: Set<UUID> = []
            for user in users {
                let count = change.events.count
                let account = try await account(of: user, &accounts, &change, caller)
                var changed = user
                let unchanged = try removeUnchanged(from: &changed, of: account.id)
                var report = try await take(changed.record, nil, for: account.id, isTrial: isTrial, &change, caller)
                report.unchanged += unchanged
                report.account = account.id
                try await trace(report, isTrial: isTrial, caller)
                if report.isNewRecord {
                    let left = try await grant(user, account.id, isTrial: isTrial, &accounts, &change, caller)
                    report.unrepresented += left
                }
                if change.events.count > count { report.position = 0 }
                reports.append(report)
                for (id, path) in [(user.record.id, user.path)] + user.record.entries.map({ ($0.id, $0.path + ".id") })
                {
                    guard ids.insert(id).inserted else {
                        throw ModelError(.invalid, field: path, "is also the id of something else in this document")
                    }
                }
            }
            guard !isTrial, !change.isEmpty else {
                for index in reports.indices { reports[index].position = nil }
                return reports
            }
            let last = try await change.commit()?.last
            for index in reports.indices where reports[index].position != nil { reports[index].position = last }
            return reports
        }
        if !isTrial { await journal.entriesChanged(in: Set(reports.map(\.record)), by: caller) }
        return reports
    }

    /// Records that a report shows a record that is not the caller's own.
    private func trace(_ report: ImportReport, isTrial: Bool, _ caller: Caller) async throws {
        guard !report.isNewRecord, isTrial || !report.changes.isEmpty else { return }
        let access = try journal.access.recordAccess(of: caller.account, to: report.record)
        guard case .found(let found) = access, !found.permission.isOwner else { return }
        let kinds = Set(report.changes.compactMap(\.kind))
        let admission = Admission.withoutContents(report.record, .read(kinds, .read), .role(caller.kind))
        let shown = Shown(
            sections: Set(kinds.map(\.section)),
            entryCount: report.changes.count { $0.kind != nil && $0.what != .added },
            version: try journal.log.head(),
            entries: kinds.map(\.code).sorted().map { ShownEntries(kind: $0) }
        )
        try await journal.access.trace(caller, admission, shown)
    }

    /// Removes what this journal would export as the document has it, such as all of a new export.
    private func removeUnchanged(from user: inout MangoUser, of account: UUID) throws -> Int {
        let position = try journal.log.head()
        guard let known = try journal.contents(for: .importing).record(user.record.id, asOf: position) else { return 0 }
        var doses = MangoDoses()
        for entry in known.entries where entry.kind == Dose.kind && !entry.isRetracted { doses.add(entry.content) }
        let writer = MangoWriter(known, scope: ExportScope(), doses: doses) { name in
            name.flatMap(TimeZone.init(identifier:)) ?? journal.zone
        }
        let owner = known.owners.contains(account) ? account : nil
        let opening = try journal.exports.mangoOpening(writer, of: known, owner: owner, asOf: position)
        return user.removeUnchanged(from: known, writer, opening: opening)
    }

    // MARK: - Accounts

    /// Returns the account for a user, and adds the events that give it the user's settings.
    private func account(
        of user: MangoUser,
        _ accounts: inout MangoAccounts,
        _ change: inout Change,
        _ caller: Caller
    ) async throws -> AccountState {
        let runsJournal = try journal.access.isOwner(caller.account)
        let state: AccountState
        if let known = try account(ofUser: user.id, accounts) {
            state = known
        } else if accounts.isOwn || !runsJournal {
            guard !accounts.hasSeveral else {
                throw JournalError(
                    .conflict,
                    field: "users",
                    "a document of several users can be imported only by the account \(Journal.ownerName)"
                )
            }
            state = try journal.accounts.account(caller.account)
            if runsJournal { try link(user.id, to: state, &accounts, &change) }
        } else {
            state = try add(user.id, user.account.details, &accounts, &change)
        }
        let isNew = accounts.added.contains(state.id)
        try await journal.access.admit(
            caller,
            to: isNew
                ? .account(.importData, .other(.person, isNew: true))
                : journal.accounts.action(.importData, ofAccount: state.id, caller)
        )
        var commands: [AccountCommand] = []
        // Settings that were made here stay.
        if state.details == AccountDetails(email: state.profile.email) {
            commands.append(.setDetails(user.account.details))
        }
        if state.preferences == AccountPreferences() { commands.append(.setPreferences(user.account.preferences)) }
        if state.subscription == nil, let subscription = user.account.subscription {
            commands.append(.setSubscription(subscription))
        }
        for command in commands {
            for event in try decide(command, state, now: journal.now) {
                try accounts.add(event, to: state, &change, journal.log)
            }
        }
        return state
    }

    private func account(ofUser user: String, _ accounts: MangoAccounts) throws -> AccountState? {
        if let added = accounts.known[user] { return added }
        let identity = AccountDirectory.Provided(issuer: accounts.issuer, subject: user)
        return try journal.directory.account(of: identity, journal.log, journal.permissions)
    }

    /// Adds an account for a user who has none, and links the user's identity to it.
    private func add(
        _ user: String,
        _ details: AccountDetails,
        _ accounts: inout MangoAccounts,
        _ change: inout Change
    ) throws -> AccountState {
        let id = UUID.timeOrdered(at: journal.log.now())
        // The id of the user is unique, and a name need not be.
        let texts = [details.displayName, details.email, user]
        let names = texts.map { Journal.Accounts.folded($0) }
        let free = try names.indices.first { index in
            let name = names[index]
            return try !name.isEmpty && UUID(uuidString: name) == nil && !accounts.names.contains(name)
                && journal.accounts.holder(ofName: name) == nil
        }
        guard let free else {
            throw JournalError(.conflict, field: "users", "no account can be named after one of the users")
        }
        let profile = AccountProfile(name: texts[free], email: details.email)
        let added = Stamp(position: 0, recordedAt: journal.now, actor: id)
        let state = AccountState(id: id, profile: profile, added: added)
        try change.add(decide(.add(profile), nil, now: journal.now), in: .own(id), expecting: .empty)
        try journal.claimOnce(.claim(holder: id), on: .accountName, names[free], field: "name", &change)
        accounts.names.insert(names[free])
        accounts.added.insert(id)
        try link(user, to: state, &accounts, &change)
        return state
    }

    private func link(
        _ user: String,
        to state: AccountState,
        _ accounts: inout MangoAccounts,
        _ change: inout Change
    ) throws {
        let identity = AccountIdentity(
            id: UUID.timeOrdered(at: journal.log.now()),
            issuer: accounts.issuer,
            subject: user
        )
        for event in try decide(.linkIdentity(identity), state, now: journal.now) {
            try accounts.add(event, to: state, &change, journal.log)
        }
        try journal.claimOnce(.claim(holder: state.id), on: .identity, identity.claimed, field: "subject", &change)
        accounts.known[user] = state
    }

    // MARK: - Caregivers

    /// Grants the caregivers of a user access to the new record; returns the paths of those who have no account.
    ///
    /// Only a new record gets grants from a document: a later import must not give back access that was revoked here.
    private func grant(
        _ user: MangoUser,
        _ owner: UUID,
        isTrial: Bool,
        _ accounts: inout MangoAccounts,
        _ change: inout Change,
        _ caller: Caller
    ) async throws -> [String] {
        var left: [String] = []
        var given: [(account: UUID, caregiver: MangoCaregiver)] = []
        for caregiver in user.account.caregivers {
            if let known = try account(ofUser: caregiver.user, accounts), known.kind == .person {
                given.append((known.id, caregiver))
            } else if try journal.access.isOwner(caller.account) {
                let details = AccountDetails(email: caregiver.email, displayName: caregiver.name)
                let added = try add(caregiver.user, details, &accounts, &change)
                for event in try decide(.setDetails(details), added, now: journal.now) {
                    try accounts.add(event, to: added, &change, journal.log)
                }
                given.append((added.id, caregiver))
            } else {
                left.append(DocumentPath(user.path).appending("caregiverAccess").appending(caregiver.user).text)
            }
        }
        // On a trial run no key is created, and the stream of grants is derived from the record's key.
        guard !isTrial, !given.isEmpty else { return left }
        let stream = try journal.grantStream(of: user.record.id)
        var grants = GrantsState()
        // The revoked ones first, because only grants that are open count for the limit.
        for (account, caregiver) in given.filter({ !$0.caregiver.isActive }) + given.filter(\.caregiver.isActive) {
            let terms = GrantTerms(sections: caregiver.sections, notifies: caregiver.notifies)
            var events = try decide(
                .grant(account: account, terms: terms),
                grants,
                owners: [owner],
                today: journal.today
            )
            let stamp = Stamp(position: 0, recordedAt: journal.now, actor: caller.account)
            grants.grants[account] = Grant(account: account, terms: terms, given: stamp)
            if !caregiver.isActive {
                events += try decide(.revoke(account: account), grants, today: journal.today)
                grants.grants[account]?.revoked = stamp
            }
            try change.add(events, in: .stream(stream, of: user.record.id), expecting: .empty)
        }
        return left
    }
}

/// The accounts of the users of a document while it is imported.
private struct MangoAccounts {
    let issuer: String
    let isOwn: Bool
    let hasSeveral: Bool
    /// The accounts of users whose identities this import links.
    var known: [String: AccountState] = [:]
    /// The names and ids of the accounts that this import adds.
    var names: Set<String> = []
    var added: Set<UUID> = []

    init(issuer: String, isOwn: Bool, hasSeveral: Bool) {
        (self.issuer, self.isOwn, self.hasSeveral) = (issuer, isOwn, hasSeveral)
    }

    /// Adds an event to the stream of an account.
    func add(_ event: JournalEvent, to account: AccountState, _ change: inout Change, _ log: EventLog) throws {
        let version: ExpectedVersion = added.contains(account.id) ? .empty : .exact(try log.version(of: account.id))
        try change.add(event, in: .own(account.id), expecting: version)
    }
}
