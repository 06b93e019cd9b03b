/// How often the checkpoint that is kept beside the log follows it while events are appended.
package struct CheckpointPace: Sendable {
    /// So many events after the last one.
    package var events = 100_000
    /// So long after the first event that it does not cover.
    package var interval: Duration = .seconds(60)
    /// Never sooner after the last one than this, however many events come.
    package var pause: Duration = .seconds(5)

    package init() {}
}
