/// A dose that is due.
package struct Due: Hashable, Sendable {
    package var slot: Slot
    /// The time by the clock of the rule; for an interval, what that clock shows when the dose is due.
    package var wall: WallMoment
    package var due: Instant
    package var intake: Intake
    /// When an event of the log first contained the rule.
    package var recordedAt: Instant
    /// Whether the clock jumped over the time; the dose is due nevertheless.
    package var isInGap: Bool
    /// The distance to the closest other dose of the plan, in minutes, if changes of the clock brought them closer
    /// together than they may be.
    package var closeTo: Int?
    /// Whether the clock jumped over the time, and the dose is now too close to another one.
    ///
    /// The person must decide about it: there is no reminder, and it is counted only if it is logged.
    package var needsDecision: Bool
    /// The time since the plan's dose before this one, in minutes, if that was due within the last two days.
    package var sincePrevious: Int?
    /// The least nominal distance of doses of the plan around this day, in minutes; nil if there is none within two days.
    package var spacing: Int?

    package init(
        slot: Slot,
        wall: WallMoment,
        due: Instant,
        intake: Intake,
        recordedAt: Instant,
        isInGap: Bool = false
    ) {
        self.slot = slot
        self.wall = wall
        self.due = due
        self.intake = intake
        self.recordedAt = recordedAt
        self.isInGap = isInGap
        needsDecision = false
    }
}
