import Glibc

/// Limits on the number of connections and streams, on their idle times, and on the bytes that clients leave unread.
package struct ConnectionLimits: Sendable {
    /// Concurrent connections; nil for as many as the file descriptor limit allows.
    package var most: Int?
    /// Concurrent connections from one address (for IPv6: one /64 network); nil for a quarter of all, at least 8 and at
    /// most 256.
    package var perAddress: Int?
    /// Additional connections beyond `most`, for health checks only.
    package var reserved = 16
    /// Time from connecting to the first complete request head, the TLS handshake included.
    package var opening: Duration = .seconds(20)
    /// Time between two requests; long enough for a client that sends one each minute.
    package var idle: Duration = .seconds(75)
    /// How long a client may read nothing of a response that is being sent to it.
    package var stalled: Duration = .seconds(60)
    /// How long a graceful stop waits for requests before it closes their connections.
    ///
    /// It is shorter than the time that `serve` allows for the whole stop: cancelling the server task would drop
    /// connections that are not handled yet.
    package var draining: Duration = .seconds(8)
    /// Concurrent HTTP/2 streams of one connection; the service announces this number, and resets further streams.
    package var streams = 100
    /// Concurrent HTTP/2 streams of one address, and of all; further ones are reset.
    ///
    /// A stream takes about 20 kB.
    package var streamsPerAddress = 512
    package var streamsInTotal = 4_096
    /// Bytes of responses that the client of an HTTP/2 connection, the clients of one address, and all clients may leave
    /// unread.
    ///
    /// Beyond, requests are answered with 503.
    package var unsentPerConnection = 4 << 20
    package var unsentPerAddress = 64 << 20
    package var unsentInTotal = 256 << 20
    /// Replaces `stalled` while more than half of the bytes of an address, or of all, are unread.
    package var stalledUnderPressure: Duration = .seconds(10)

    package init() {}

    /// How long a reserved connection may be idle; short, so that the next health check can connect.
    static let reservedIdle: Duration = .seconds(2)

    /// The limits with defaults resolved for this process.
    var resolved: (most: Int, perAddress: Int) {
        let most =
            most ?? max(64, min(ConnectionLimits.descriptors() - ConnectionLimits.kept, ConnectionLimits.ceiling))
        return (most, perAddress ?? min(256, max(8, most / 4)))
    }

    /// The largest default for `most`: a connection takes about 40 kB, and more would take memory that requests need.
    private static let ceiling = 20_000
    /// File descriptors that are left for the journal, for child processes and for reserved connections.
    private static let kept = 256

    /// Raises the soft limit on file descriptors to the hard limit, and returns the limit in effect.
    private static func descriptors() -> Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
        let given = limit.rlim_cur
        limit.rlim_cur = limit.rlim_max
        let isRaised = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
        return Int(clamping: isRaised ? limit.rlim_max : given)
    }
}
