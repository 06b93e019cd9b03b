internal import CaregiverPermissions
internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import JournalCore

/// What a journal that is the readable side of a replica takes from the service instead of from its own events.
final class ReplicaSide: ReplicaSource {
    let state: ReplicaState
    let outbox: Outbox
    /// The position up to which the mirror has everything; the events after it are changes that wait here.
    let base: UInt64
    /// Makes the next command copy the mirror again.
    let invalidateCopy: @Sendable () throws -> Void

    init(
        _ state: ReplicaState,
        _ outbox: Outbox,
        base: UInt64,
        invalidateCopy: @escaping @Sendable () throws -> Void = {}
    ) {
        (self.state, self.outbox, self.base) = (state, outbox, base)
        self.invalidateCopy = invalidateCopy
    }

    func permission(of account: UUID, on record: UUID) -> Permission {
        guard account == state.account, let sight = state.sight[record] else { return .none }
        guard case .grant(let position) = sight.right else { return Permission(isOwner: sight.right == .owner) }
        let given = Stamp(position: position, recordedAt: Instant(microseconds: 0), actor: account)
        let terms = GrantTerms(sections: sight.sections, verbs: sight.verbs, until: sight.until)
        return Permission(grant: Grant(account: account, terms: terms, given: given))
    }

    func records(of account: UUID) -> [RecordPermission] {
        state.sight.keys.sorted { $0.text < $1.text }
            .map { RecordPermission(record: $0, permission: permission(of: account, on: $0)) }
    }

    func account(_ id: UUID) -> AccountState? {
        let isOwn = id == state.account
        guard let known = state.accounts[id] ?? (isOwn ? SyncAccount(id: id, name: state.accountName) : nil) else {
            return nil
        }
        let stamp = Stamp(position: 0, recordedAt: Instant(microseconds: 0), actor: id)
        var account = AccountState(id: id, profile: AccountProfile(name: known.name), added: stamp)
        for (device, name) in known.devices {
            account.devices[device] = DeviceState(id: device, name: name, added: stamp)
        }
        if isOwn {
            account.devices[state.device] = DeviceState(id: state.device, name: state.deviceName, added: stamp)
        }
        return account
    }

    func account(named name: String) -> UUID? {
        state.accounts.values.first { Journal.Accounts.folded($0.name) == Journal.Accounts.folded(name) }?.id
    }

    func keep(_ change: Change, in journal: Journal) async throws -> AppendResult {
        try await journal.offline.keepOffline(change, self)
    }

    func refusal(of action: Action) -> JournalError? {
        switch action {
        case .read, .readPast: return nil
        case .contribute(Document.kind, _): return onlineOnly("files are not kept on a replica")
        case .contribute(Interaction.kind, .adding): return onlineOnly("the rules of interactions are not on a replica")
        case .contribute: return nil
        case .editProfile, .transfer, .manage, .revoke, .erase, .emergency, .audit, .createRecord, .importRecords,
            .acceptInvitation, .append,
            .follow, .sync, .see, .oversee, .administer, .acceptState, .account:
            return onlineOnly("this is not possible on a replica")
        }
    }

    func onlineOnly(_ why: Message) -> JournalError {
        JournalError(.refused, "\(why): use the service, with --url \(state.service)")
    }
}
