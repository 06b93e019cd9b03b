package import FoundationEssentials
package import HealthModel
package import JournalCore

/// A request to put a patient on the board of a practice.
package struct TriageRequest: Hashable, Sendable {
    package var practice: UUID
    package var record: UUID
    package var appointment: UUID?
    /// Nil for now.
    package var arrivedAt: Instant?
    package var complaint = ""
    /// Whether the patient must be seen immediately, because the staff says so.
    package var isRedNow = false

    package init(practice: UUID, record: UUID) {
        self.practice = practice
        self.record = record
    }
}

/// A requested change of an existing triage.
package enum TriageChange: Hashable, Sendable {
    case assess(TriageFindings)
    case override(UrgencyLevel)
    case take(specialist: UUID?)
    case leave(TriageState.LeaveReason)
    case judge(UrgencyLevel)
    case retract

    var verb: TriageVerb {
        switch self {
        case .assess: .assess
        case .override: .override
        case .take: .take
        case .leave: .leave
        case .judge: .judge
        case .retract: .retract
        }
    }

    /// The action that the gate decides on.
    var action: TriageAction {
        // "Red now" needs no examination, so it is open to all who may put a patient on the board.
        self == .assess(.redNow) ? .begin : verb.action
    }
}

extension TriageVerb {
    /// The action that the gate decides on.
    package var action: TriageAction {
        switch self {
        case .assess: .assess
        case .override: .override
        case .take: .take
        case .leave: .leave
        case .judge: .judge
        case .retract: .retract
        }
    }
}

/// A triage as it is shown to a caller.
package struct TriageAnswer: Hashable, Sendable {
    package var state: TriageState
    /// Nil if the record cannot be read any more.
    package var patient: PatientName?
    /// The moment at which the waiting times are shown.
    package var shownAt: Instant
    /// How much of it the caller sees.
    package var detail: Detail

    package enum Detail: String, Sendable {
        /// Everything, for those who treat.
        case all
        /// The level and the reasons, for an owner of the animal.
        case reasons
        /// The level and the waiting time, for the reception.
        case level
    }
}

/// One version of a triage: what an event made of it.
package struct TriageVersion: Hashable, Sendable {
    package var stamp: Stamp
    package var type: EventType
    /// Empty for readers who do not treat.
    package var reason: String
    package var answer: TriageAnswer
}

/// A past assessment, and what the rules give when they are applied to its inputs again.
package struct TriageExplanation: Hashable, Sendable {
    package var assessed: TriageState.Assessed
    /// Computed now with the rule set of then, or with the one that was asked for.
    package var computed: TriageAssessment
    /// The rule set that the computation used.
    package var rules: TriageRules
    package var isSame: Bool { assessed.assessment.values == computed.values }
}

/// How soon patients were seen, by level, in some days.
package struct TriageStatistics: Hashable, Sendable {
    package var days: ClosedRange<Day>
    package var levels: [Level]
    /// Judged patients whose level was less urgent than a veterinarian said afterwards.
    package var underTriaged = 0
    /// Judged patients whose level was more urgent than a veterinarian said afterwards.
    package var overTriaged = 0
    package var judged = 0

    package struct Level: Hashable, Sendable {
        package var level: UrgencyLevel
        package var patients = 0
        package var taken = 0
        /// Those taken within the time of their level.
        package var inTime = 0
        package var left = 0
        /// The longest time from arrival to being taken, in minutes; nil if no patient was taken.
        package var longestWait: Int?
    }
}
