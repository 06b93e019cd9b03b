import NIOCore
import Platform

/// Tracks all connections: decides which are accepted, and which idle one is closed to make room.
final class ConnectionRegister: Sendable {
    /// The state of a connection.
    enum Activity: Equatable {
        /// No request has arrived since the connection was opened.
        case opening(since: NIODeadline)
        /// Requests are being answered.
        case busy
        /// No request since the last one was answered.
        case idle(since: NIODeadline)
    }

    fileprivate struct Entry {
        let channel: any Channel
        let network: IPNetwork?
        let isReserved: Bool
        var requests = 0
        var hasAsked = false
        var since = NIODeadline.now()
        /// Changes whenever the connection becomes idle, so that older entries in the queue are recognized as outdated.
        var turn: UInt64
    }

    /// Connections in the order in which they became idle; some entries may be outdated.
    fileprivate struct Queue {
        private var places: [(connection: ObjectIdentifier, turn: UInt64)] = []
        private var start = 0

        mutating func add(_ connection: ObjectIdentifier, _ turn: UInt64) { places.append((connection, turn)) }

        mutating func first(where isValid: (ObjectIdentifier, UInt64) -> Bool) -> ObjectIdentifier? {
            while start < places.count, !isValid(places[start].connection, places[start].turn) { start += 1 }
            return start < places.count ? places[start].connection : nil
        }

        /// Removes outdated entries once they outnumber the valid ones.
        mutating func compact(atMost count: Int, where isValid: (ObjectIdentifier, UInt64) -> Bool) {
            guard places.count > 2 * count + 64 else { return }
            places = places[start...].filter(isValid)
            start = 0
        }
    }

    fileprivate struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        var networks: [IPNetwork: Set<ObjectIdentifier>] = [:]
        var reserved = 0
        var turn: UInt64 = 0
        /// Connections that have not sent a request yet; they are closed before connections that have.
        var opening = Queue()
        var idle = Queue()
    }

    let limits: ConnectionLimits
    private let most: Int
    private let perAddress: Int
    private let reserve: Int
    private let trusted: [IPNetwork]
    private let state = Guarded(State())
    /// The open streams of the connections, and the bytes that their clients have not taken.
    let unsent: UnsentBytes
    /// Cancels the work for requests whose clients have hung up.
    let hangUps = HangUps()

    /// Connections from `trusted` networks carry the requests of many clients: the limit per address does not apply to
    /// them.
    init(_ limits: ConnectionLimits, trusted: [IPNetwork] = []) {
        self.limits = limits
        (most, perAddress) = limits.resolved
        reserve = limits.reserved
        self.trusted = trusted
        unsent = UnsentBytes(limits, trusted: trusted)
    }

    /// The server's own limit, above the number of accepted connections: it is reached only while closed connections
    /// are still being removed.
    var ceiling: Int { most + reserve + 64 }

    /// Accepts a new connection, and closes an idle one if necessary; returns false when there is no room.
    func admit(_ channel: any Channel) -> Bool {
        let network = channel.clientNetwork(trusted: trusted)
        let (isAdmitted, evicted) = state.withLock { state in
            var evicted: [any Channel] = []
            if let network, let others = state.networks[network], others.count >= perAddress {
                guard let oldest = state.idlest(of: others) else { return (false, evicted) }
                evicted += state.remove(oldest)
            }
            var isReserved = false
            if state.entries.count - state.reserved >= most {
                if let oldest = state.idlest() {
                    evicted += state.remove(oldest)
                } else {
                    guard state.reserved < reserve else { return (false, evicted) }
                    isReserved = true
                }
            }
            state.add(channel, network, isReserved: isReserved)
            return (true, evicted)
        }
        for other in evicted { other.close(promise: nil) }
        return isAdmitted
    }

    func remove(_ channel: any Channel) {
        state.withLock { _ = $0.remove(ObjectIdentifier(channel)) }
    }

    /// Counts the start of a request; returns whether its connection is reserved for health checks.
    func begin(_ channel: any Channel) -> Bool {
        state.withLock { state in
            let id = ObjectIdentifier(channel.connection)
            guard let isReserved = state.entries[id]?.isReserved else { return false }
            state.entries[id]?.requests += 1
            state.entries[id]?.hasAsked = true
            return isReserved
        }
    }

    func end(_ channel: any Channel) {
        state.withLock { state in
            let id = ObjectIdentifier(channel.connection)
            guard let requests = state.entries[id]?.requests else { return }
            state.entries[id]?.requests = requests - 1
            if requests == 1 { state.becomeIdle(id) }
        }
    }

    /// Returns the state of a connection and whether it is reserved; nil once it has been removed.
    func activity(of channel: any Channel) -> (activity: Activity, isReserved: Bool)? {
        state.withLock { state in
            guard let entry = state.entries[ObjectIdentifier(channel)] else { return nil }
            if entry.requests > 0 { return (.busy, entry.isReserved) }
            return (entry.hasAsked ? .idle(since: entry.since) : .opening(since: entry.since), entry.isReserved)
        }
    }

    var count: Int { state.withLock { $0.entries.count } }

    func closeAll() {
        for channel in state.withLock({ $0.entries.values.map(\.channel) }) { channel.close(promise: nil) }
    }
}

extension ConnectionRegister.State {
    fileprivate mutating func add(_ channel: any Channel, _ network: IPNetwork?, isReserved: Bool) {
        let id = ObjectIdentifier(channel)
        turn += 1
        entries[id] = ConnectionRegister.Entry(channel: channel, network: network, isReserved: isReserved, turn: turn)
        if let network { networks[network, default: []].insert(id) }
        if isReserved { reserved += 1 } else { opening.add(id, turn) }
        compact()
    }

    fileprivate mutating func becomeIdle(_ id: ObjectIdentifier) {
        turn += 1
        entries[id]?.turn = turn
        entries[id]?.since = .now()
        if entries[id]?.isReserved == false { idle.add(id, turn) }
        compact()
    }

    /// Removes a connection; returns its channel if it was registered.
    fileprivate mutating func remove(_ id: ObjectIdentifier) -> [any Channel] {
        guard let entry = entries.removeValue(forKey: id) else { return [] }
        if entry.isReserved { reserved -= 1 }
        if let network = entry.network {
            networks[network]?.remove(id)
            if networks[network]?.isEmpty == true { networks[network] = nil }
        }
        return [entry.channel]
    }

    /// The connection that has been without a request for the longest time; nil when all have one.
    fileprivate mutating func idlest() -> ObjectIdentifier? {
        let isValid = isIdle
        return opening.first(where: isValid) ?? idle.first(where: isValid)
    }

    fileprivate func idlest(of some: Set<ObjectIdentifier>) -> ObjectIdentifier? {
        some.filter { entries[$0]?.requests == 0 }
            .min { left, right in
                guard let left = entries[left], let right = entries[right] else { return false }
                return (left.hasAsked ? 1 : 0, left.turn) < (right.hasAsked ? 1 : 0, right.turn)
            }
    }

    private mutating func compact() {
        let (count, isValid) = (entries.count, isIdle)
        opening.compact(atMost: count, where: isValid)
        idle.compact(atMost: count, where: isValid)
    }

    /// Whether a queue entry is current: its connection is idle, and has not become idle again since.
    private var isIdle: (ObjectIdentifier, UInt64) -> Bool {
        let entries = entries
        return { id, turn in entries[id].map { $0.requests == 0 && $0.turn == turn } ?? false }
    }
}

extension Channel {
    /// The connection of an HTTP/2 stream, or the channel itself: a connection's parent is the listener, which has no
    /// parent.
    var connection: any Channel {
        guard let parent, parent.parent != nil else { return self }
        return parent
    }

    /// The network to which the limits of an address apply, an IPv4 address or an IPv6 /64 network; nil for `trusted`
    /// ones and without a network.
    func clientNetwork(trusted: [IPNetwork]) -> IPNetwork? {
        guard let address = remoteAddress.flatMap({ IPAddress($0) }), !trusted.contains(where: { $0.contains(address) })
        else { return nil }
        return address.network(bits: address.isIPv4 ? 32 : 64)
    }
}
