package import FoundationEssentials
package import HealthModel

/// The triage of one visit, as far as its reader may see it.
package struct TriageDocument: DefinedDocument, Hashable {
    package var id: UUID
    package var record: UUID
    package var practice: UUID
    package var patientName: String?
    /// The client who is asked first; for the staff alone.
    package var client: PatientClientDocument?
    package var species: String?
    /// What everybody who handles the animal must know; for the staff alone.
    package var alerts: String?
    package var appointment: UUID?
    package var complaint: String
    package var status: TriageState.Status
    /// The level that counts.
    package var level: UrgencyLevel
    package var arrivedAt: Instant
    /// When the patient is to be seen, or assessed; nil if it does not wait.
    package var dueAt: Instant?
    /// The minutes from the arrival until it was taken, or until the moment that is shown.
    package var waitedMinutes: Int
    package var isDue: Bool
    package var isOverdue: Bool
    package var isLookAgainDue: Bool
    package var assessedAt: Instant?
    package var computedLevel: UrgencyLevel?
    /// The level that a person set, and why.
    package var override: UrgencyLevel?
    package var overrideReason: String
    package var takenAt: Instant?
    package var takenBy: UUID?
    package var leftAt: Instant?
    package var leftWhy: TriageState.LeaveReason?
    package var judged: UrgencyLevel?
    /// Why the level follows, in words.
    package var reasons: [String]
    /// The items that were not known, so that no rule could use them.
    package var missing: [String]
    /// Everything that the level was computed from, for those who treat.
    package var assessment: TriageAssessment?
    /// The position of the last change.
    package var position: UInt64

    package static let definition = DocumentDefinition(
        TriageDocument.init,
        DocumentMember("id", \.id),
        DocumentMember("record", \.record),
        DocumentMember("practice", \.practice),
        DocumentMember("patientName", \.patientName),
        DocumentMember("client", \.client),
        DocumentMember("species", \.species),
        DocumentMember("alerts", \.alerts, "What everybody who handles the animal must know; for staff."),
        DocumentMember("appointment", \.appointment),
        .text("complaint", \.complaint),
        DocumentMember("status", \.status),
        DocumentMember("level", \.level),
        DocumentMember("arrivedAt", \.arrivedAt),
        DocumentMember("dueAt", \.dueAt),
        DocumentMember("waitedMinutes", \.waitedMinutes, schema: ["type": "integer", "minimum": 0]),
        DocumentMember("due", \.isDue),
        DocumentMember("overdue", \.isOverdue),
        DocumentMember("lookAgain", \.isLookAgainDue),
        DocumentMember("assessedAt", \.assessedAt),
        DocumentMember("computedLevel", \.computedLevel),
        DocumentMember("override", \.override),
        .text("overrideReason", \.overrideReason),
        DocumentMember("takenAt", \.takenAt),
        DocumentMember("takenBy", \.takenBy),
        DocumentMember("leftAt", \.leftAt),
        DocumentMember("leftWhy", \.leftWhy),
        DocumentMember("judged", \.judged),
        .some("reasons", \.reasons),
        .some("missing", \.missing),
        DocumentMember("assessment", \.assessment),
        DocumentMember("position", \.position),
        derived: [
            DerivedMember("levelName", after: "level", schema: UrgencyLevel.names) { $0.level.name },
            DerivedMember("urgentCare", after: "levelName", "Whether the level is red or orange.") {
                $0.level <= .orange
            },
            DerivedMember("notice", after: "assessment", "What triage is, and what it is not.") { _ in
                TriageRules.notice
            },
        ]
    )
}

extension TriageDocument {
    /// Creates the document of a state at a moment, with the reasons and with everything only if the reader may see them.
    package init(
        _ state: TriageState,
        patientName: String?,
        client: PatientClientDocument? = nil,
        species: String?,
        alerts: String? = nil,
        at moment: Instant,
        showsReasons: Bool,
        showsAll: Bool
    ) {
        id = state.id
        record = state.record
        practice = state.practice
        self.patientName = patientName
        self.client = client
        self.species = species
        self.alerts = alerts
        appointment = state.appointment
        complaint = state.complaint
        status = state.status
        level = state.level
        arrivedAt = state.arrivedAt
        let entry = state.boardEntry
        let waiting = state.isWaiting ? entry.status(at: moment) : nil
        dueAt = state.isWaiting ? entry.dueAt : nil
        let end = state.taken?.recordedAt ?? state.left?.recordedAt ?? moment
        waitedMinutes = Int(max(0, end.microseconds - state.arrivedAt.microseconds) / Instant.microsecondsPerMinute)
        isDue = waiting?.isDue ?? false
        isOverdue = waiting?.isOverdue ?? false
        isLookAgainDue = waiting?.isLookAgainDue ?? false
        assessedAt = state.assessment?.stamp.recordedAt
        takenAt = state.taken?.recordedAt
        takenBy = state.takenBy
        leftAt = state.left?.recordedAt
        leftWhy = state.leftWhy
        position = state.updated.position
        let assessed = state.assessment?.assessment
        computedLevel = showsReasons ? assessed?.level : nil
        override = showsReasons ? state.override?.level : nil
        overrideReason = showsAll ? state.override?.reason ?? "" : ""
        reasons =
            showsReasons ? assessed.map { $0.reasons.map(\.sentence) + $0.contradictions.map(\.sentence) } ?? [] : []
        missing = showsReasons ? assessed?.missing.map(\.label) ?? [] : []
        judged = showsAll ? state.judged : nil
        assessment = showsAll ? assessed : nil
    }
}

extension NativeObject {
    /// A level from 1 to 5; nil if the member is missing.
    package func level(_ name: String) throws(ModelError) -> UrgencyLevel? {
        guard let number = try optionalInteger(name) else { return nil }
        guard let level = UrgencyLevel(rawValue: number) else {
            throw ModelError(.invalid, field: path.appending(name).field, "must be a level from 1 (red) to 5 (blue)")
        }
        return level
    }
}

/// One version of a triage: what an event made of it.
package struct TriageVersionDocument: DefinedDocument, Hashable {
    package var type: String
    package var recordedAt: Instant
    package var actor: UUID
    package var reason: String?
    package var triage: TriageDocument

    package static let definition = DocumentDefinition(
        TriageVersionDocument.init,
        DocumentMember("type", \.type, "The type of the event, such as `triage.assessed`."),
        DocumentMember("recordedAt", \.recordedAt),
        DocumentMember("actor", \.actor),
        DocumentMember("reason", \.reason),
        DocumentMember("triage", \.triage)
    )
}

extension TriageVersionDocument {
    package init(_ triage: TriageDocument, _ stamp: Stamp, type: EventType, reason: String) {
        self.type = type.name
        recordedAt = stamp.recordedAt
        actor = stamp.actor
        self.reason = reason.isEmpty ? nil : reason
        self.triage = triage
    }
}

/// A past assessment, and what a rule set gives for its inputs now.
package struct TriageExplanationDocument: DefinedDocument, Hashable {
    package var isSame: Bool
    package var assessed: TriageAssessment
    package var computed: TriageAssessment

    package static let definition = DocumentDefinition(
        TriageExplanationDocument.init,
        DocumentMember("same", \.isSame, "Whether the computation gives what was stored, to the byte."),
        DocumentMember("assessed", \.assessed),
        DocumentMember("computed", \.computed),
        derived: [DerivedMember("notice", after: "computed") { _ in TriageRules.notice }]
    )
}

extension TriageExplanationDocument {
    package init(assessed: TriageAssessment, computed: TriageAssessment) {
        self.assessed = assessed
        self.computed = computed
        isSame = assessed == computed
    }
}
