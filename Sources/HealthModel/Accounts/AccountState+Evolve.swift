/// Folds one event into an account.
package func evolve(_ state: inout AccountState?, _ event: RecordedEvent) {
    switch event.event.data {
    case let added as AccountAdded:
        guard state == nil else { return }
        state = AccountState(id: event.subject, profile: added.profile, added: event.stamp)
    case let issued as TokenIssued:
        state?.tokens[issued.token.id] = TokenState(token: issued.token, issued: event.stamp)
    case let revoked as TokenRevoked:
        state?.tokens[revoked.token]?.revoked = event.stamp
    case let used as TokenUsed:
        state?.tokens[used.token]?.used = event.stamp
        state?.lastLoginAt = event.stamp.recordedAt
    case let changed as PasswordSet:
        state?.password = changed.password
    case let begun as SessionBegun:
        // The state drops sessions that have ended or expired; their events remain in the log.
        var open = state?.sessions.filter { $0.value.isOpen(at: event.stamp.recordedAt) } ?? [:]
        open[begun.session.id] = SessionState(session: begun.session, begun: event.stamp)
        state?.sessions = open
        state?.lastLoginAt = event.stamp.recordedAt
    case let ended as SessionEnded:
        state?.sessions[ended.session]?.ended = event.stamp
    case let linked as IdentityLinked:
        state?.identities[linked.identity.id] = IdentityState(identity: linked.identity, linked: event.stamp)
    case let unlinked as IdentityUnlinked:
        state?.identities[unlinked.identity] = nil
    case let added as ChannelAdded:
        state?.channels[added.channel.id] = ReminderChannelState(channel: added.channel, added: event.stamp)
    case let removed as ChannelRemoved:
        state?.channels[removed.channel]?.removed = event.stamp
    case let changed as ProfileSet:
        state?.details = changed.details
    case let changed as PreferencesSet:
        state?.preferences = changed.preferences
    case let changed as SubscriptionSet:
        state?.subscription = changed.subscription
    case let added as DeviceAdded:
        state?.devices[added.device] = DeviceState(id: added.device, name: added.name, added: event.stamp)
    case let removed as DeviceRemoved:
        state?.devices[removed.device] = nil
    case is AccountRemoved:
        state?.end(event.stamp)
    default:
        break
    }
}

extension AccountState {
    /// Ends all that lets anybody in, or sends anything to the account's holder.
    fileprivate mutating func end(_ stamp: Stamp) {
        removed = stamp
        password = nil
        for id in tokens.keys where tokens[id]?.revoked == nil { tokens[id]?.revoked = stamp }
        for id in sessions.keys where sessions[id]?.ended == nil { sessions[id]?.ended = stamp }
        for id in channels.keys where channels[id]?.removed == nil { channels[id]?.removed = stamp }
        identities = [:]
        devices = [:]
    }
}
