package import FoundationEssentials

/// The triage of one visit of a patient as of a position of the log.
package struct TriageState: Hashable, Sendable {
    package let id: UUID
    /// The record of the animal.
    package let record: UUID
    package let practice: UUID
    package let arrivedAt: Instant
    package let appointment: UUID?
    /// What the patient comes for, in the words of those who bring it.
    package let complaint: String
    package let begun: Stamp
    package var updated: Stamp
    /// The last assessment, with the event that added it.
    package var assessment: Assessed?
    /// The level that a person set instead of the computed one.
    package var override: Override?
    package var taken: Stamp?
    /// The specialist who took the patient.
    package var takenBy: UUID?
    package var left: Stamp?
    package var leftWhy: LeaveReason?
    /// What a veterinarian said afterwards that the level should have been.
    package var judged: UrgencyLevel?
    package var retracted: Stamp?

    package struct Assessed: Hashable, Sendable {
        package var assessment: TriageAssessment
        package var stamp: Stamp
    }

    package struct Override: Hashable, Sendable {
        package var level: UrgencyLevel
        package var reason: String
        package var stamp: Stamp
    }

    /// Why a patient left without treatment; the raw values are stored.
    package enum LeaveReason: String, EventChoice, Sendable {
        case withoutBeingSeen
        case transferred
        case died

        package var name: String { rawValue }
    }

    package init(id: UUID, record: UUID, begun: TriageBegun, stamp: Stamp) {
        self.id = id
        self.record = record
        practice = begun.practice
        arrivedAt = begun.arrivedAt
        appointment = begun.appointment
        complaint = begun.complaint
        self.begun = stamp
        updated = stamp
    }
}

extension TriageState {
    /// Where the patient is.
    package enum Status: String, CaseIterable, Sendable {
        /// It waits, and was not assessed yet.
        case begun
        case assessed
        case taken
        case left
        case retracted

        package var name: String { rawValue }

        /// The word for it in a sentence.
        package var sentence: String {
            switch self {
            case .begun: "not assessed yet"
            case .assessed: "waiting"
            case .taken: "with a veterinarian"
            case .left: "gone"
            case .retracted: "retracted"
            }
        }
    }

    package var status: Status {
        if retracted != nil { return .retracted }
        if left != nil { return .left }
        if taken != nil { return .taken }
        return assessment == nil ? .begun : .assessed
    }

    /// Whether the patient is on the board.
    package var isWaiting: Bool { status == .begun || status == .assessed }

    /// The level that counts: that of a person, or else the computed one; yellow until the first assessment.
    package var level: UrgencyLevel { override?.level ?? assessment?.assessment.level ?? .yellow }

    /// When the level was last assessed or set.
    package var levelSetAt: Instant? {
        [assessment?.stamp.recordedAt, override?.stamp.recordedAt].compactMap(\.self).max()
    }

    package var boardEntry: TriageBoardEntry {
        TriageBoardEntry(id: id, level: level, arrivedAt: arrivedAt, assessedAt: levelSetAt)
    }

    /// The minutes from the arrival until the patient was taken; nil if it was not.
    package var waitedMinutes: Int? {
        taken.map { Int(max(0, $0.recordedAt.microseconds - arrivedAt.microseconds) / Instant.microsecondsPerMinute) }
    }
}

/// Folds one event into the triage of its stream; nil before it is begun.
package func evolve(_ state: inout TriageState?, _ event: RecordedEvent) {
    if let begun = event.event.data as? TriageBegun {
        state = TriageState(id: event.stream, record: event.subject, begun: begun, stamp: event.stamp)
        return
    }
    guard var triage = state else { return }
    switch event.event.data {
    case let assessed as TriageAssessed:
        triage.assessment = TriageState.Assessed(assessment: assessed.assessment, stamp: event.stamp)
        // A more urgent level that a person set stays until a person changes it.
        if let override = triage.override, override.level >= assessed.assessment.level { triage.override = nil }
    case let set as TriageOverridden:
        triage.override = TriageState.Override(level: set.level, reason: event.reason, stamp: event.stamp)
    case let taken as TriageTaken:
        (triage.taken, triage.takenBy) = (event.stamp, taken.specialist)
    case let left as TriageLeft:
        (triage.left, triage.leftWhy) = (event.stamp, left.why)
    case let judged as TriageJudged:
        triage.judged = judged.level
    case is TriageRetracted:
        triage.retracted = event.stamp
    default:
        return
    }
    triage.updated = event.stamp
    state = triage
}
