import NIOCore
import Platform

/// Counts the response channels that are open and the bytes of responses that clients have not taken yet, and limits
/// both for a connection, for an address and for the service.
///
/// A response channel is an HTTP/2 stream, or a connection of HTTP/1.1. The client decides how fast its responses leave
/// the service, so their bytes are memory that any client could occupy. Shared bytes count like others: a TLS connection
/// encrypts a copy of them.
final class UnsentBytes: Sendable {
    fileprivate struct Usage {
        var streams = 0
        var bytes = 0

        var isEmpty: Bool { streams == 0 && bytes == 0 }
    }

    fileprivate struct Entry {
        /// The connection of a stream; nil for a connection of HTTP/1.1, which sends one response after the other.
        let connection: ObjectIdentifier?
        let network: IPNetwork?
        /// Bytes of a response that will be written.
        var reserved = 0
        /// Bytes that were written and that the client has not taken.
        var written = 0
    }

    fileprivate struct State {
        var channels: [ObjectIdentifier: Entry] = [:]
        var connections: [ObjectIdentifier: Usage] = [:]
        var networks: [IPNetwork: Usage] = [:]
        var total = Usage()
    }

    private let limits: ConnectionLimits
    private let trusted: [IPNetwork]
    private let state = Guarded(State())

    /// The limits of an address do not apply to connections from `trusted` networks, which carry the requests of many
    /// clients.
    init(_ limits: ConnectionLimits, trusted: [IPNetwork] = []) {
        self.limits = limits
        self.trusted = trusted
    }

    /// Registers a response channel; returns false if it is one stream too many.
    func open(_ channel: any Channel) -> Bool {
        let connection = channel.connection
        let isStream = connection !== channel
        let entry = Entry(
            connection: isStream ? ObjectIdentifier(connection) : nil,
            network: connection.clientNetwork(trusted: trusted)
        )
        return state.withLock { state in
            if let connection = entry.connection {
                let ofConnection = state.connections[connection]?.streams ?? 0
                let ofNetwork = entry.network.flatMap { state.networks[$0]?.streams } ?? 0
                guard ofConnection < limits.streams, ofNetwork < limits.streamsPerAddress,
                    state.total.streams < limits.streamsInTotal
                else { return false }
            }
            state.channels[ObjectIdentifier(channel)] = entry
            state.count(entry, streams: isStream ? 1 : 0, bytes: 0)
            return true
        }
    }

    /// Removes a response channel, and the bytes that were left of it.
    func close(_ channel: any Channel) {
        state.withLock { state in
            guard let entry = state.channels.removeValue(forKey: ObjectIdentifier(channel)) else { return }
            state.count(entry, streams: entry.connection == nil ? 0 : -1, bytes: -(entry.reserved + entry.written))
        }
    }

    /// Whether a request may be processed whose response would be sent through a channel.
    func hasRoom(for channel: any Channel) -> Bool { reserve(0, on: channel) }

    /// Reserves the bytes of a response before it is written; returns false if its client, or the service, has too many
    /// unsent bytes already.
    ///
    /// A client that has taken all earlier responses may have one of any size.
    func reserve(_ bytes: Int, on channel: any Channel) -> Bool {
        state.withLock { state in
            guard let entry = state.channels[ObjectIdentifier(channel)] else { return true }
            let ofConnection = entry.connection.flatMap { state.connections[$0]?.bytes } ?? 0
            let ofNetwork = entry.network.flatMap { state.networks[$0]?.bytes } ?? 0
            guard Self.fits(bytes, beside: ofConnection, limits.unsentPerConnection),
                Self.fits(bytes, beside: ofNetwork, limits.unsentPerAddress),
                Self.fits(bytes, beside: state.total.bytes, limits.unsentInTotal)
            else { return false }
            state.reserve(bytes, ObjectIdentifier(channel))
            return true
        }
    }

    /// Reserves the bytes of a response that must be sent, because the request has had its effect.
    func reserveAlways(_ bytes: Int, on channel: any Channel) {
        state.withLock { $0.reserve(bytes, ObjectIdentifier(channel)) }
    }

    /// Counts bytes that are written to a channel.
    func write(_ bytes: Int, to channel: any Channel) {
        state.withLock { state in
            guard let entry = state.channels[ObjectIdentifier(channel)] else { return }
            let reserved = min(bytes, entry.reserved)
            state.channels[ObjectIdentifier(channel)]?.reserved -= reserved
            state.channels[ObjectIdentifier(channel)]?.written += bytes
            state.count(entry, streams: 0, bytes: bytes - reserved)
        }
    }

    /// Counts bytes that the client has taken.
    func take(_ bytes: Int, from channel: any Channel) {
        state.withLock { state in
            guard let entry = state.channels[ObjectIdentifier(channel)] else { return }
            state.channels[ObjectIdentifier(channel)]?.written -= bytes
            state.count(entry, streams: 0, bytes: -bytes)
        }
    }

    /// Gives back what a response did not need of its reservation, such as one to HEAD.
    func finish(_ channel: any Channel) {
        state.withLock { state in
            guard let entry = state.channels[ObjectIdentifier(channel)], entry.reserved > 0 else { return }
            state.channels[ObjectIdentifier(channel)]?.reserved = 0
            state.count(entry, streams: 0, bytes: -entry.reserved)
        }
    }

    /// Whether clients that read nothing are disconnected early: the service, or their address, has more than half of
    /// the unsent bytes that it may have.
    func isPressed(_ channel: any Channel) -> Bool {
        state.withLock { state in
            let network = state.channels[ObjectIdentifier(channel)]?.network
            let ofNetwork = network.flatMap { state.networks[$0]?.bytes } ?? 0
            return state.total.bytes > limits.unsentInTotal / 2 || ofNetwork > limits.unsentPerAddress / 2
        }
    }

    /// The streams and the unsent bytes of the service.
    var total: (streams: Int, bytes: Int) { state.withLock { ($0.total.streams, $0.total.bytes) } }

    private static func fits(_ bytes: Int, beside others: Int, _ limit: Int) -> Bool {
        others == 0 || (others < limit && bytes <= limit - others)
    }
}

extension UnsentBytes.State {
    fileprivate mutating func reserve(_ bytes: Int, _ channel: ObjectIdentifier) {
        guard bytes > 0, let entry = channels[channel] else { return }
        channels[channel]?.reserved += bytes
        count(entry, streams: 0, bytes: bytes)
    }

    /// Adds to the usage of the connection, of the address and of the service.
    fileprivate mutating func count(_ entry: UnsentBytes.Entry, streams: Int, bytes: Int) {
        total.streams += streams
        total.bytes += bytes
        if let connection = entry.connection { connections.add(streams, bytes, to: connection) }
        if let network = entry.network { networks.add(streams, bytes, to: network) }
    }
}

extension Dictionary where Value == UnsentBytes.Usage {
    fileprivate mutating func add(_ streams: Int, _ bytes: Int, to key: Key) {
        self[key, default: UnsentBytes.Usage()].streams += streams
        self[key, default: UnsentBytes.Usage()].bytes += bytes
        if self[key]?.isEmpty == true { self[key] = nil }
    }
}
