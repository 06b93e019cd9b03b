package import FoundationEssentials

/// A way in which an account gets reminders.
package struct ReminderChannel: Hashable, Sendable {
    package var id: UUID
    package var kind: Kind
    /// Where reminders are sent: an e-mail address or a URL.
    package var address: String
    /// Whether reminders contain the names and amounts of medication.
    package var showsNames: Bool
    /// The key with which the messages of a webhook are signed, or the keys of a browser; empty for other kinds.
    ///
    /// Unlike other secrets it is stored, because it must be known to sign or to encrypt.
    package var secret: [UInt8]

    package enum Kind: String, EventChoice, Sendable {
        case email
        /// A topic of an ntfy server, or an endpoint of UnifiedPush.
        case ntfy
        case webhook
        /// The subscription of a browser (Web Push).
        case webpush

        package var name: String { rawValue }
    }

    package init(id: UUID, kind: Kind, address: String, showsNames: Bool = false, secret: [UInt8] = []) {
        self.id = id
        self.kind = kind
        self.address = address
        self.showsNames = showsNames
        self.secret = secret
    }

    /// Whether messages pass through a network unencrypted: over plain HTTP to another machine.
    package var isUnencrypted: Bool {
        guard kind != .email, let url = URL(string: address), url.scheme?.lowercased() == "http" else { return false }
        return !ReminderChannel.isLoopback(url.host() ?? "")
    }

    /// Whether messages contain names: if the person chose that, and they do not pass through a network unencrypted.
    package var carriesNames: Bool { showsNames && !isUnencrypted }

    /// Whether a host of a URL is this machine itself.
    private static func isLoopback(_ host: String) -> Bool {
        if ["localhost", "::1", "[::1]"].contains(host.lowercased()) { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}

/// The state of a channel as of a position of the log.
package struct ReminderChannelState: Hashable, Sendable {
    package var channel: ReminderChannel
    package var added: Stamp
    package var removed: Stamp?

    package var id: UUID { channel.id }

    package init(channel: ReminderChannel, added: Stamp, removed: Stamp? = nil) {
        self.channel = channel
        self.added = added
        self.removed = removed
    }
}

extension AccountState {
    /// The channels that are in use, in the order in which they were added.
    package var openChannels: [ReminderChannelState] {
        channels.values.filter { $0.removed == nil }.sorted { $0.added.position < $1.added.position }
    }
}

/// A command on the channels of an account.
package enum ChannelCommand: Hashable, Sendable {
    case add(ReminderChannel)
    case remove(UUID)
}

/// Returns the events that a command on channels produces; throws if the command is refused.
package func decide(_ command: ChannelCommand, _ state: AccountState) throws(ModelError) -> [JournalEvent] {
    switch command {
    case .add(let channel):
        guard state.kind == .person else {
            throw ModelError(.conflict, field: "account", "only a person gets reminders")
        }
        try channel.validate()
        guard channel.kind != .webpush || !state.openChannels.contains(where: { $0.channel.address == channel.address })
        else { throw ModelError(.conflict, field: "address", "this device is among the channels already") }
        guard state.openChannels.count < Limits.channels else {
            throw ModelError(.conflict, "the account has \(Limits.channels) channels, which is the maximum: remove one")
        }
        return [.channelAdded(channel)]
    case .remove(let id):
        guard let found = state.channels[id] else {
            throw ModelError(.notFound, field: "channel", "the account has no such channel")
        }
        return found.removed == nil ? [.channelRemoved(id)] : []
    }
}

extension ReminderChannel {
    fileprivate func validate() throws(ModelError) {
        try TextCheck.check(address, field: "address", maximum: Limits.channelAddress)
        switch kind {
        case .email:
            guard ReminderChannel.isEmail(address) else {
                throw ModelError(.invalid, field: "address", "must be an e-mail address, such as anna@example.org")
            }
        case .ntfy, .webhook, .webpush:
            guard let url = URL(string: address), ["http", "https"].contains(url.scheme?.lowercased()),
                url.host()?.isEmpty == false, url.user() == nil, url.fragment() == nil,
                !address.contains(where: \.isWhitespace)
            else {
                throw ModelError(.invalid, field: "address", "must be a URL, such as https://ntfy.example.org/topic")
            }
        }
        if showsNames, isUnencrypted {
            throw ModelError(
                .invalid,
                field: "detail",
                "names are sent only over https, or to this machine itself: choose https or texts without names"
            )
        }
        if kind == .webhook, secret.count < 16 {
            throw ModelError(.invalid, field: "secret", "must have 16 bytes or more")
        }
        guard kind == .webpush else { return }
        if isUnencrypted { throw ModelError(.invalid, field: "address", "must be an https address") }
        if pushKeys == nil { throw ModelError(.invalid, field: "p256dh", "the keys of the browser are required") }
    }

    /// Whether a text is a plain e-mail address, which can be an argument of a program and a line of a header.
    private static func isEmail(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && text.utf8.count <= Limits.email && !text.hasPrefix("-")
            && parts.allSatisfy { !$0.isEmpty }
            && text.utf8.allSatisfy { byte in
                byte > 0x20 && byte < 0x7F && !#"()<>,;:\"[]"#.utf8.contains(byte)
            }
    }
}
