package import FoundationEssentials
package import HealthModel

/// An appointment as it is shown to a caller.
package struct AppointmentDocument: APIDocument, Hashable {
    package var id: UUID
    package var record: UUID
    /// The name of the animal; nil if its record cannot be read any more.
    package var patientName: String?
    /// The client who is asked first; for the staff alone.
    package var client: PatientClientDocument?
    package var species: String?
    /// What everybody who handles the animal must know; for the staff alone.
    package var alerts: String?
    package var details: AppointmentDetails
    package var status: AppointmentStatus
    package var heldUntil: Instant?
    package var arrivedAt: Instant?
    package var begunAt: Instant?
    package var completedAt: Instant?
    package var cancelledBy: AppointmentParty?
    package var cancelCode: String
    package var sequence: Int
    package var notes: [NoteDocument]
    package var isRetracted: Bool
    package var addedAt: Instant
    package var position: UInt64
    /// Why it cannot take place as agreed.
    package var problem: String?
    /// Whether its time is over and its outcome has not been recorded.
    package var isUnresolved: Bool
    /// Whether the client cancelled it later than the practice asks for.
    package var isCancelledLate: Bool

    package init(
        _ state: AppointmentState,
        patientName: String? = nil,
        client: PatientClientDocument? = nil,
        species: String? = nil,
        alerts: String? = nil,
        problem: String? = nil,
        isUnresolved: Bool = false,
        isCancelledLate: Bool = false
    ) {
        id = state.id
        record = state.record
        self.patientName = patientName
        self.client = client
        self.species = species
        self.alerts = alerts
        details = state.details
        status = state.status
        heldUntil = state.heldUntil
        arrivedAt = state.arrived?.recordedAt
        begunAt = state.begun?.recordedAt
        completedAt = state.completed?.recordedAt
        cancelledBy = state.cancelledBy
        cancelCode = state.cancelCode
        sequence = state.sequence
        notes = state.notes.map { NoteDocument(text: $0.text, addedAt: $0.added.recordedAt, addedBy: $0.added.actor) }
        isRetracted = state.retracted != nil
        addedAt = state.added.recordedAt
        position = state.updated.position
        self.problem = problem
        self.isUnresolved = isUnresolved
        self.isCancelledLate = isCancelledLate
    }

    package static let schema = JSONSchema.object(
        [
            "id": JSONSchema.identifier, "record": JSONSchema.identifier, "practice": JSONSchema.identifier,
            "type": JSONSchema.word(of: AppointmentType.self), "status": JSONSchema.word(of: AppointmentStatus.self),
            "start": JSONSchema.time, "end": JSONSchema.time,
            "wall": ["type": "string", "description": "The start by the practice's clock, as agreed."],
            "zone": ["type": "string"], "minutes": ["type": "integer"], "sequence": ["type": "integer"],
            "unresolved": [
                "type": "boolean",
                "description": "Whether its time is over and nobody has said what became of it.",
            ],
            "addedAt": JSONSchema.time, "position": JSONSchema.position,
        ],
        optional: [
            "patientName": ["type": "string"], "client": PatientClientDocument.schema, "species": ["type": "string"],
            "alerts": ["type": "string", "description": "What everybody who handles the animal must know; for staff."],
            "service": JSONSchema.identifier,
            "bufferBefore": ["type": "integer"], "bufferAfter": ["type": "integer"],
            "specialist": JSONSchema.identifier, "others": JSONSchema.array(of: JSONSchema.identifier),
            "rooms": JSONSchema.array(of: JSONSchema.identifier), "reason": ["type": "string"],
            "notes": ["type": "string", "description": "For those who treat the patient."],
            "instructions": ["type": "string", "description": "For the client."],
            "remarks": JSONSchema.array(of: NoteDocument.schema), "heldUntil": JSONSchema.time,
            "arrivedAt": JSONSchema.time, "begunAt": JSONSchema.time, "completedAt": JSONSchema.time,
            "cancelledBy": JSONSchema.word(of: AppointmentParty.self),
            "cancelledLate": [
                "type": "boolean", "description": "The client cancelled it later than the practice asks for.",
            ],
            "assessment": JSONSchema.identifier
                .merging(["description": "The triage from which it was booked; for staff."]),
            "match": SettingsDocument<SpecialistMatch>.schema
                .merging(["description": "The ranking of that triage, and who was taken; for those who treat."]),
            "cancelCode": ["type": "string", "description": "Why it was cancelled, in a word of the practice."],
            "retracted": ["type": "boolean"],
            "problem": ["type": "string", "description": "Why it cannot take place as agreed."],
        ]
    )

    package var json: JSONValue {
        .present([
            "id": .string(id.text), "record": .string(record.text), "patientName": patientName.map { .string($0) },
            "client": client?.json, "species": species.map { .string($0) }, "alerts": alerts.map { .string($0) },
            "practice": .string(details.practice.text),
            "service": details.service.map { .string($0.text) }, "type": .string(details.type.rawValue),
            "status": .string(status.rawValue), "start": .time(details.start), "end": .time(details.end),
            "wall": .string(details.wall.description), "zone": .string(details.zone),
            "minutes": .integer(details.minutes), "bufferBefore": .positive(details.bufferBefore),
            "bufferAfter": .positive(details.bufferAfter),
            "specialist": details.specialist.map { .string($0.text) }, "others": .lines(details.others.map(\.text)),
            "rooms": .lines(details.places.map(\.text)), "reason": .notEmpty(details.reason),
            "notes": .notEmpty(details.notes), "instructions": .notEmpty(details.instructions),
            "remarks": notes.isEmpty ? nil : .array(notes.map(\.json)), "sequence": .integer(sequence),
            "heldUntil": heldUntil.map { .time($0) }, "arrivedAt": arrivedAt.map { .time($0) },
            "begunAt": begunAt.map { .time($0) }, "completedAt": completedAt.map { .time($0) },
            "cancelledBy": cancelledBy.map { .string($0.rawValue) }, "cancelCode": .notEmpty(cancelCode),
            "cancelledLate": isCancelledLate ? .bool(true) : nil,
            "assessment": details.assessment.map { .string($0.text) },
            "match": details.match.map { SettingsDocument($0).json },
            "retracted": isRetracted ? .bool(true) : nil,
            "problem": problem.map { .string($0) }, "unresolved": .bool(isUnresolved), "addedAt": .time(addedAt),
            "position": .integer(position),
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        id = try object.id("id")
        record = try object.id("record")
        patientName = try object.text("patientName")
        client = try PatientClientDocument?.read("client", of: object)
        species = try object.text("species")
        alerts = try object.text("alerts")
        details = AppointmentDetails(
            practice: try object.id("practice"),
            service: try object.optionalID("service"),
            type: try object.choice("type", AppointmentType.self),
            start: try object.instant("start"),
            wall: try object.wall("wall"),
            zone: try object.required("zone"),
            minutes: try object.optionalInteger("minutes") ?? 0,
            bufferBefore: try object.optionalInteger("bufferBefore") ?? 0,
            bufferAfter: try object.optionalInteger("bufferAfter") ?? 0,
            specialist: try object.optionalID("specialist"),
            others: try object.ids("others"),
            places: try object.ids("rooms"),
            reason: try object.text("reason") ?? "",
            notes: try object.text("notes") ?? "",
            instructions: try object.text("instructions") ?? "",
            assessment: try object.optionalID("assessment"),
            match: try object.optionalObject("match")
                .map { match throws(ModelError) in try SettingsDocument<SpecialistMatch>(match).settings }
        )
        status = try object.choice("status", AppointmentStatus.self)
        heldUntil = try object.optionalInstant("heldUntil")
        arrivedAt = try object.optionalInstant("arrivedAt")
        begunAt = try object.optionalInstant("begunAt")
        completedAt = try object.optionalInstant("completedAt")
        cancelCode = try object.text("cancelCode") ?? ""
        cancelledBy = try object.text("cancelledBy").flatMap { AppointmentParty(rawValue: $0) }
        sequence = try object.optionalInteger("sequence") ?? 0
        notes = object.has("remarks") ? try object.documents("remarks") : []
        isRetracted = try object.optionalFlag("retracted")
        addedAt = try object.instant("addedAt")
        position = try object.number("position")
        problem = try object.text("problem")
        isUnresolved = try object.flag("unresolved")
        isCancelledLate = try object.optionalFlag("cancelledLate")
    }
}

/// A remark of the staff.
package struct NoteDocument: DefinedDocument, Hashable {
    package var text: String
    package var addedAt: Instant
    package var addedBy: UUID

    package static let definition = DocumentDefinition(
        NoteDocument.init,
        DocumentMember("text", \.text),
        DocumentMember("addedAt", \.addedAt),
        DocumentMember("addedBy", \.addedBy)
    )
}

/// One version of an appointment: what an event made of it.
package struct AppointmentVersionDocument: DefinedDocument, Hashable {
    package var type: String
    package var recordedAt: Instant
    package var actor: UUID
    package var reason: String?
    package var appointment: AppointmentDocument

    package static let definition = DocumentDefinition(
        AppointmentVersionDocument.init,
        DocumentMember("type", \.type, "The type of the event, such as `appointment.rescheduled`."),
        DocumentMember("recordedAt", \.recordedAt),
        DocumentMember("actor", \.actor),
        DocumentMember("reason", \.reason),
        DocumentMember("appointment", \.appointment)
    )
}

extension AppointmentVersionDocument {
    package init(_ state: AppointmentState, _ stamp: Stamp, type: EventType, reason: String) {
        self.type = type.name
        recordedAt = stamp.recordedAt
        actor = stamp.actor
        self.reason = reason.isEmpty ? nil : reason
        appointment = AppointmentDocument(state)
    }
}

extension JSONValue {
    /// A number; nil for 0.
    static func positive(_ number: Int) -> JSONValue? { number == 0 ? nil : .integer(number) }
    /// A text; nil if it is empty.
    static func notEmpty(_ text: String) -> JSONValue? { text.isEmpty ? nil : .string(text) }
}

extension NativeObject {
    package func has(_ name: String) -> Bool { members.contains { $0.name == name && $0.value != .null } }

    /// A day and a time by the clock.
    package func wall(_ name: String) throws(ModelError) -> WallMoment {
        do { return try WallMoment(parsing: required(name)) } catch { throw error.at(path.appending(name)) }
    }

    /// A list of ids; empty if the member is missing.
    package func ids(_ name: String) throws(ModelError) -> [UUID] {
        try parsedLines(name) { text throws(ModelError) in
            guard let id = UUID(uuidString: text) else { throw ModelError(.invalid, "must be UUIDs") }
            return id
        }
    }
}
