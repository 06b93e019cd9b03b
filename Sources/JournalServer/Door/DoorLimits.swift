/// How much of the service requests may hold that stay open for long: live feeds, and streams of lines.
package struct DoorLimits: Sendable {
    /// Streams that are open at once, of one account and of all.
    package var streamsPerAccount: Int
    package var streams: Int
    /// How long a stream of lines may bring nothing before it is ended.
    package var silence: Duration
    /// How long a live feed may send nothing before it says that it lives.
    package var heartbeat: Duration

    package init(
        streamsPerAccount: Int = 16,
        streams: Int = 256,
        silence: Duration = .seconds(30),
        heartbeat: Duration = .seconds(15)
    ) {
        self.streamsPerAccount = streamsPerAccount
        self.streams = streams
        self.silence = silence
        self.heartbeat = heartbeat
    }
}
