/// How often the kept checkpoint is renewed while events are appended.
package struct CheckpointPace: Sendable {
    /// The number of events since the last checkpoint after which the next one is due.
    package var events = 100_000
    /// The time since the first event without a checkpoint after which the next one is due.
    package var interval: Duration = .seconds(60)
    /// The minimum time between a checkpoint and the next one that is due because of the number of events.
    package var pause: Duration = .seconds(5)

    package init() {}
}
