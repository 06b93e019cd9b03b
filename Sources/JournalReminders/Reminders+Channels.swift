internal import EventLog
package import FoundationEssentials
package import HealthModel
package import Interchange
package import JournalCore
internal import JournalEvents

/// A new channel for reminders.
package struct NewChannel: Hashable, Sendable {
    package let id: UUID
    /// The key that signs the messages of a webhook, shown only once; nil for other kinds.
    package let secret: String?
    package let position: UInt64
    /// Why a service sends nothing to it; nil if that is not known.
    package var warning: String?

    package init(id: UUID, secret: String?, position: UInt64, warning: String? = nil) {
        self.warning = warning
        self.id = id
        self.secret = secret
        self.position = position
    }
}

extension Journal.Reminders {
    /// Adds a channel on which the caller's account gets reminders; without `detail`, the account's preference applies.
    ///
    /// Messages with names are lasting access to health data: the caller confirms them with the `current` password of
    /// their account, if it has one. A browser has `keys`.
    package func addChannel(
        _ kind: ReminderChannel.Kind,
        address: String,
        detail: ReminderDetail?,
        push keys: PushKeys? = nil,
        current: String? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> NewChannel {
        let showsNames: Bool
        do {
            try await journal.access.admit(caller, to: .account(.manageCredentials, .own))
            showsNames = try detail?.showsNames ?? journal.accounts.account(caller.account).preferences.namesInReminders
            if showsNames { try await journal.accounts.confirm(caller, current, creatingAccessUntil: nil) }
        } catch {
            throw JournalError(error)
        }
        return try await journal.retrying {
            if let given = try journal.eventGiven(to: caller),
                let channel = (given.event.data as? ChannelAdded)?.channel
            {
                return NewChannel(id: channel.id, secret: channel.shownSecret, position: given.stamp.position)
            }
            let channel = ReminderChannel(
                id: UUID.timeOrdered(at: journal.log.now()),
                kind: kind,
                address: address,
                showsNames: showsNames,
                secret: kind == .webhook ? (0..<32).map { _ in UInt8.random(in: 0...255) } : keys?.stored ?? []
            )
            let result = try await changeChannels(.add(channel), caller)
            return NewChannel(id: channel.id, secret: channel.shownSecret, position: result.position)
        }
    }

    /// Removes a channel of the caller's account; nothing is sent to it any more.
    package func removeChannel(_ id: UUID, _ caller: Caller) async throws(JournalError) -> WriteResult {
        try await journal.once(caller) {
            try await journal.access.admit(caller, to: .account(.manageCredentials, .own))
            return try await changeChannels(.remove(id), caller)
        }
    }

    /// Returns the channels of the caller's account, in the order in which they were added.
    package func channels(_ caller: Caller) async throws(JournalError) -> [ReminderChannelState] {
        try await journal.retrying {
            try await journal.access.admit(caller, to: .account(.manageCredentials, .own))
            return try journal.accounts.account(caller.account).openChannels
        }
    }

    /// Returns a channel of the caller's account for a test message, and counts the message.
    ///
    /// Each account may send a few tests at once, and then waits longer and longer: otherwise it could make the service
    /// send many messages to others.
    package func channelToTest(_ id: UUID, _ caller: Caller) async throws(JournalError) -> ReminderChannel {
        guard let found = try await channels(caller).first(where: { $0.id == id })?.channel else {
            throw JournalError(.notFound, "there is no such channel")
        }
        guard caller.source != .commandLine else { return found }
        if case .limited(let wait, _, _) = journal.signIns.limiter.admit(.channelTest(caller.account), from: nil) {
            throw JournalError(.busy, "this account sends too many tests; try again later", retryAfter: wait)
        }
        return found
    }

    func changeChannels(_ command: ChannelCommand, _ caller: Caller) async throws -> WriteResult {
        let version = try journal.log.version(of: caller.account)
        var change = try Change(journal, caller)
        try change.add(
            decide(command, journal.accounts.usableAccount(caller.account)),
            in: .own(caller.account),
            expecting: .exact(version)
        )
        return try await change.commit(answering: .existing(at: journal.log.head(), account: caller.account))
    }
}

extension ReminderChannel {
    /// The key in the form of the Standard Webhooks specification; nil for a channel that signs nothing.
    package var shownSecret: String? { kind != .webhook ? nil : "whsec_" + Data(secret).base64EncodedString() }
}
