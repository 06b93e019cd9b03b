package import FoundationEssentials
package import HealthModel
package import Interchange
internal import JournalCore

/// A request for a triage as the API receives it.
extension TriageRequest {
    package static let schema = JSONSchema.object(
        ["record": JSONSchema.identifier],
        optional: [
            "appointment": JSONSchema.orNull(JSONSchema.identifier),
            "arrivedAt": JSONSchema.orNull(JSONSchema.sentTime).merging(["description": "By default, now."]),
            "complaint": JSONSchema.orNull(JSONSchema.plainText(maximum: Limits.line)),
            "redNow": [
                "type": ["boolean", "null"], "description": "Somebody says: this patient must be seen at once.",
            ],
        ]
    )

    /// The body of a request.
    package var json: JSONValue {
        .present([
            "record": .string(record.text), "appointment": appointment.map { .string($0.text) },
            "arrivedAt": arrivedAt.map { .time($0) }, "complaint": complaint.isEmpty ? nil : .string(complaint),
            "redNow": isRedNow ? .bool(true) : nil,
        ])
    }

    package static func read(_ object: NativeObject, in practice: UUID) throws(ModelError) -> TriageRequest {
        try object.requireMembers(schema["properties"]?.members.map(\.name) ?? [])
        var request = TriageRequest(practice: practice, record: try object.id("record"))
        request.appointment = try object.optionalID("appointment")
        request.arrivedAt = try object.optionalInstant("arrivedAt")
        request.complaint = try object.text("complaint")?.withUnixLines ?? ""
        request.isRedNow = try object.optionalFlag("redNow")
        return request
    }
}

/// The changes of a triage in requests.
extension TriageVerb {
    package var summary: String {
        switch self {
        case .assess: "Enter what was found; the level is computed from it, and the vital signs go into the record"
        case .override: "Set another level than the computed one, with a reason"
        case .take: "Note that the treatment begins, which takes the patient off the board"
        case .leave: "Note that the patient left without being treated"
        case .judge: "Say afterwards what the level should have been, for the statistics"
        case .retract: "Remove a triage that was entered in error"
        }
    }

    private static let level = JSONSchema.object([
        "level": ["type": "integer", "minimum": 1, "maximum": 5, "description": "From 1 (red) to 5 (blue)."]
    ])

    /// Describes the body of a request.
    package var schema: JSONValue {
        switch self {
        case .assess: SettingsDocument<TriageFindings>.schema
        case .override, .judge: TriageVerb.level
        case .take: JSONSchema.object([:], optional: ["specialist": JSONSchema.orNull(JSONSchema.identifier)])
        case .leave: JSONSchema.object(["why": JSONSchema.word(of: TriageState.LeaveReason.self)])
        case .retract: JSONSchema.object([:])
        }
    }

    /// A typical body.
    package var example: JSONValue {
        switch self {
        case .assess:
            [
                "signs": ["vomitingRepeated"], "airway": "normal", "breathing": "normal", "circulation": "normal",
                "disability": "normal", "exposure": "normal", "heartRate": 110, "temperature": "38.4", "weight": "27.9",
            ]
        case .override: ["level": 2]
        case .judge: ["level": 3]
        case .take, .retract: [:]
        case .leave: ["why": "withoutBeingSeen"]
        }
    }

    /// Reads the body of a request.
    package func change(_ object: NativeObject) throws(ModelError) -> TriageChange {
        switch self {
        case .assess:
            try object.requireMembers(SettingsDocument<TriageFindings>.names)
            return .assess(try SettingsDocument<TriageFindings>(object).settings)
        default: break
        }
        try object.requireMembers(schema["properties"]?.members.map(\.name) ?? [])
        func level() throws(ModelError) -> UrgencyLevel {
            guard let level = try object.level("level") else {
                throw ModelError(.invalid, field: "level", "is required")
            }
            return level
        }
        switch self {
        case .override: return .override(try level())
        case .judge: return .judge(try level())
        case .take: return .take(specialist: try object.optionalID("specialist"))
        case .leave: return .leave(try object.choice("why", TriageState.LeaveReason.self))
        case .assess, .retract: return .retract
        }
    }
}

extension TriageChange {
    /// The change as a request: its word and its body.
    package var request: (word: TriageVerb, body: JSONValue) { (verb, body) }

    private var body: JSONValue {
        switch self {
        case .assess(let findings): SettingsDocument(findings).json
        case .override(let level), .judge(let level): ["level": .integer(level.rawValue)]
        case .take(let specialist): .present(["specialist": specialist.map { .string($0.text) }])
        case .leave(let why): ["why": .string(why.rawValue)]
        case .retract: [:]
        }
    }
}
