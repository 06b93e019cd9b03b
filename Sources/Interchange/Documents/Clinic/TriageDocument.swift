package import FoundationEssentials
package import HealthModel

/// The triage of one visit, as far as its reader may see it.
package struct TriageDocument: APIDocument, Hashable {
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

    package static let schema = JSONSchema.object(
        [
            "id": JSONSchema.identifier, "record": JSONSchema.identifier, "practice": JSONSchema.identifier,
            "status": JSONSchema.word(of: TriageState.Status.self), "level": level,
            "levelName": ["enum": .array(UrgencyLevel.allCases.map { .string($0.name) })],
            "urgentCare": ["type": "boolean", "description": "Whether the level is red or orange."],
            "arrivedAt": JSONSchema.time, "waitedMinutes": ["type": "integer", "minimum": 0],
            "due": ["type": "boolean"], "overdue": ["type": "boolean"], "lookAgain": ["type": "boolean"],
            "notice": ["type": "string", "description": "What triage is, and what it is not."],
            "position": JSONSchema.position,
        ],
        optional: [
            "patientName": ["type": "string"], "client": PatientClientDocument.schema, "species": ["type": "string"],
            "alerts": ["type": "string", "description": "What everybody who handles the animal must know; for staff."],
            "appointment": JSONSchema.identifier,
            "complaint": ["type": "string"], "dueAt": JSONSchema.time, "assessedAt": JSONSchema.time,
            "computedLevel": level, "override": level, "overrideReason": ["type": "string"],
            "takenAt": JSONSchema.time, "takenBy": JSONSchema.identifier, "leftAt": JSONSchema.time,
            "leftWhy": JSONSchema.word(of: TriageState.LeaveReason.self), "judged": level,
            "reasons": JSONSchema.array(of: ["type": "string"]), "missing": JSONSchema.array(of: ["type": "string"]),
            "assessment": SettingsDocument<TriageAssessment>.schema,
        ]
    )

    private static let level: JSONValue = [
        "type": "integer", "minimum": 1, "maximum": 5, "description": "From 1 (red) to 5 (blue).",
    ]

    package var json: JSONValue {
        .present([
            "id": .string(id.text), "record": .string(record.text), "practice": .string(practice.text),
            "patientName": patientName.map { .string($0) }, "client": client?.json,
            "species": species.map { .string($0) },
            "alerts": alerts.map { .string($0) }, "appointment": appointment.map { .string($0.text) },
            "complaint": .notEmpty(complaint),
            "status": .string(status.rawValue), "level": .integer(level.rawValue), "levelName": .string(level.name),
            "urgentCare": .bool(level <= .orange), "arrivedAt": .time(arrivedAt), "dueAt": dueAt.map { .time($0) },
            "waitedMinutes": .integer(waitedMinutes), "due": .bool(isDue), "overdue": .bool(isOverdue),
            "lookAgain": .bool(isLookAgainDue), "assessedAt": assessedAt.map { .time($0) },
            "computedLevel": computedLevel.map { .integer($0.rawValue) },
            "override": override.map { .integer($0.rawValue) }, "overrideReason": .notEmpty(overrideReason),
            "takenAt": takenAt.map { .time($0) }, "takenBy": takenBy.map { .string($0.text) },
            "leftAt": leftAt.map { .time($0) }, "leftWhy": leftWhy.map { .string($0.rawValue) },
            "judged": judged.map { .integer($0.rawValue) },
            "reasons": reasons.isEmpty ? nil : .array(reasons.map { .string($0) }),
            "missing": missing.isEmpty ? nil : .array(missing.map { .string($0) }),
            "assessment": assessment.map { SettingsDocument($0).json }, "notice": .string(TriageRules.notice),
            "position": .integer(position),
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        id = try object.id("id")
        record = try object.id("record")
        practice = try object.id("practice")
        patientName = try object.text("patientName")
        client = try object.patientClient()
        species = try object.text("species")
        alerts = try object.text("alerts")
        appointment = try object.optionalID("appointment")
        complaint = try object.text("complaint") ?? ""
        status = try object.choice("status", TriageState.Status.self)
        guard let level = try object.level("level") else { throw ModelError(.invalid, field: "level", "is required") }
        self.level = level
        arrivedAt = try object.instant("arrivedAt")
        dueAt = try object.optionalInstant("dueAt")
        waitedMinutes = try object.optionalInteger("waitedMinutes") ?? 0
        isDue = try object.flag("due")
        isOverdue = try object.flag("overdue")
        isLookAgainDue = try object.flag("lookAgain")
        assessedAt = try object.optionalInstant("assessedAt")
        computedLevel = try object.level("computedLevel")
        override = try object.level("override")
        overrideReason = try object.text("overrideReason") ?? ""
        takenAt = try object.optionalInstant("takenAt")
        takenBy = try object.optionalID("takenBy")
        leftAt = try object.optionalInstant("leftAt")
        leftWhy = try object.optionalChoice("leftWhy", TriageState.LeaveReason.self)
        judged = try object.level("judged")
        reasons = object.has("reasons") ? try object.texts("reasons") : []
        missing = object.has("missing") ? try object.texts("missing") : []
        assessment = try object.optionalObject("assessment")
            .map { object throws(ModelError) in
                try SettingsDocument<TriageAssessment>(object).settings
            }
        position = try object.number("position")
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
package struct TriageVersionDocument: APIDocument, Hashable {
    package var type: String
    package var recordedAt: Instant
    package var actor: UUID
    package var reason: String?
    package var triage: TriageDocument

    package init(_ triage: TriageDocument, _ stamp: Stamp, type: EventType, reason: String) {
        self.type = type.name
        recordedAt = stamp.recordedAt
        actor = stamp.actor
        self.reason = reason.isEmpty ? nil : reason
        self.triage = triage
    }

    package static let schema = JSONSchema.object(
        [
            "type": ["type": "string", "description": "The type of the event, such as `triage.assessed`."],
            "recordedAt": JSONSchema.time, "actor": JSONSchema.identifier, "triage": TriageDocument.schema,
        ],
        optional: ["reason": ["type": "string"]]
    )

    package var json: JSONValue {
        .present([
            "type": .string(type), "recordedAt": .time(recordedAt), "actor": .string(actor.text),
            "reason": reason.map { .string($0) }, "triage": triage.json,
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        type = try object.required("type")
        recordedAt = try object.instant("recordedAt")
        actor = try object.id("actor")
        reason = try object.text("reason")
        triage = try TriageDocument(object.object("triage"))
    }
}

/// A past assessment, and what a rule set gives for its inputs now.
package struct TriageExplanationDocument: APIDocument, Hashable {
    package var assessed: TriageAssessment
    package var computed: TriageAssessment
    package var isSame: Bool

    package init(assessed: TriageAssessment, computed: TriageAssessment) {
        self.assessed = assessed
        self.computed = computed
        isSame = assessed == computed
    }

    package static let schema = JSONSchema.object([
        "same": ["type": "boolean", "description": "Whether the computation gives what was stored, to the byte."],
        "assessed": SettingsDocument<TriageAssessment>.schema, "computed": SettingsDocument<TriageAssessment>.schema,
        "notice": ["type": "string"],
    ])

    package var json: JSONValue {
        [
            "same": .bool(isSame), "assessed": SettingsDocument(assessed).json,
            "computed": SettingsDocument(computed).json, "notice": .string(TriageRules.notice),
        ]
    }

    package init(_ object: NativeObject) throws(ModelError) {
        isSame = try object.flag("same")
        assessed = try SettingsDocument<TriageAssessment>(object.object("assessed")).settings
        computed = try SettingsDocument<TriageAssessment>(object.object("computed")).settings
    }
}
