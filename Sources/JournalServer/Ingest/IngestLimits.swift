/// Limits on long-lived requests: live feeds and NDJSON streams.
package struct IngestLimits: Sendable {
    /// Concurrent streams, of one account and in total.
    package var streamsPerAccount: Int
    package var streams: Int
    /// How long an NDJSON stream may send nothing before it is ended.
    package var silence: Duration
    /// How long a live feed may send no event before it sends a heartbeat.
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
