package import FoundationEssentials

/// A plan for taking a medication or a supplement: which doses are due when, with the limits that apply to them.
///
/// It is the typed form of the planning fields of an entry of the kind `drug` or `supplement`.
package struct Plan: Hashable, Sendable {
    /// The id of the entry.
    package var id: UUID
    /// All rules, past and present; a change of the plan ends rules and adds others.
    package var rules: [PlanRule]
    package var pauses: [PlanPause]
    /// From when on no rule applies any more.
    package var stopped: WallMoment?
    package var limits: DoseLimits
    /// How long before its moment a dose is open, in minutes.
    package var early: Int
    /// How long after its moment a dose is open, in minutes; then it is missed.
    package var late: Int

    package init(
        id: UUID,
        rules: [PlanRule],
        pauses: [PlanPause] = [],
        stopped: WallMoment? = nil,
        limits: DoseLimits = DoseLimits(),
        early: Int = Plan.defaultEarly,
        late: Int = Plan.defaultLate
    ) {
        self.id = id
        self.rules = rules
        self.pauses = pauses
        self.stopped = stopped
        self.limits = limits
        self.early = early
        self.late = late
    }

    package static let defaultEarly = 120
    package static let defaultLate = 720
}

/// The least time between doses, and the most that may be taken within a period.
///
/// Exceeding them is reported; it is never refused.
package struct DoseLimits: Hashable, Sendable {
    /// In minutes; nil without a limit.
    package var minimumInterval: Int?
    package var maximumDoses: Int?
    package var maximumAmount: ExactDecimal?
    /// The length of the rolling period in which `maximumDoses` and `maximumAmount` apply, in minutes.
    package var period: Int

    package init(
        minimumInterval: Int? = nil,
        maximumDoses: Int? = nil,
        maximumAmount: ExactDecimal? = nil,
        period: Int = DoseLimits.defaultPeriod
    ) {
        self.minimumInterval = minimumInterval
        self.maximumDoses = maximumDoses
        self.maximumAmount = maximumAmount
        self.period = period
    }

    package static let defaultPeriod = 1_440
}

/// A time during which a plan does not apply; its cycles continue.
package struct PlanPause: Hashable, Sendable {
    package var from: WallMoment
    /// The end, which is not included; nil without an end.
    package var until: WallMoment?

    package init(from: WallMoment, until: WallMoment? = nil) {
        self.from = from
        self.until = until
    }
}
