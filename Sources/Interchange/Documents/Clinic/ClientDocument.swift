package import FoundationEssentials
package import HealthModel

/// A client of a practice.
package struct ClientDocument: APIDocument, Hashable {
    package var id: UUID
    package var profile: ClientProfile
    package var addedAt: Instant
    package var endedAt: Instant?
    /// The position of the last change.
    package var position: UInt64

    package init(_ state: ClientState) {
        id = state.id
        profile = state.profile
        addedAt = state.added.recordedAt
        endedAt = state.ended?.recordedAt
        position = state.updated.position
    }

    /// Describes the body of a request: one of the names is required.
    package static let profileSchema = SettingsDocument<ClientProfile>.schema
        .merging([
            "anyOf": [JSONSchema.present([ClientProfile.firstName]), JSONSchema.present([ClientProfile.lastName])]
        ])

    package static let schema = JSONSchema.object(
        [
            "id": JSONSchema.identifier, "fullName": ["type": "string"],
            "profile": SettingsDocument<ClientProfile>.schema, "addedAt": JSONSchema.time,
            "position": JSONSchema.position,
        ],
        optional: ["endedAt": JSONSchema.time]
    )

    package var json: JSONValue {
        .present([
            "id": .string(id.text), "fullName": .string(profile.fullName), "profile": SettingsDocument(profile).json,
            "addedAt": .time(addedAt), "endedAt": endedAt.map { .time($0) }, "position": .integer(position),
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        id = try object.id("id")
        profile = try SettingsDocument<ClientProfile>(object.object("profile")).settings
        addedAt = try object.instant("addedAt")
        endedAt = try object.optionalInstant("endedAt")
        position = try object.number("position")
    }
}

/// A patient on the waiting list of a practice.
package struct WaitDocument: APIDocument, Hashable {
    package var id: UUID
    package var record: UUID
    package var patientName: String?
    /// The client who is asked first; for the staff alone.
    package var client: PatientClientDocument?
    package var status: WaitStatus
    package var profile: WaitProfile
    package var addedAt: Instant
    /// The appointment whose time was offered last.
    package var offered: UUID?
    package var position: UInt64

    package init(_ state: WaitState, patientName: String?, client: PatientClientDocument? = nil, status: WaitStatus) {
        id = state.id
        record = state.record
        self.patientName = patientName
        self.client = client
        self.status = status
        profile = state.profile
        addedAt = state.added.recordedAt
        offered = state.offered
        position = state.updated.position
    }

    package static let schema = JSONSchema.object(
        [
            "id": JSONSchema.identifier, "record": JSONSchema.identifier,
            "status": JSONSchema.word(of: WaitStatus.self),
            "profile": SettingsDocument<WaitProfile>.schema, "addedAt": JSONSchema.time,
            "position": JSONSchema.position,
        ],
        optional: [
            "patientName": ["type": "string"], "client": PatientClientDocument.schema, "offered": JSONSchema.identifier,
        ]
    )

    package var json: JSONValue {
        .present([
            "id": .string(id.text), "record": .string(record.text), "patientName": patientName.map { .string($0) },
            "client": client?.json,
            "status": .string(status.rawValue), "profile": SettingsDocument(profile).json, "addedAt": .time(addedAt),
            "offered": offered.map { .string($0.text) }, "position": .integer(position),
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        id = try object.id("id")
        record = try object.id("record")
        patientName = try object.text("patientName")
        client = try object.patientClient()
        status = try object.choice("status", WaitStatus.self)
        profile = try SettingsDocument<WaitProfile>(object.object("profile")).settings
        addedAt = try object.instant("addedAt")
        offered = try object.optionalID("offered")
        position = try object.number("position")
    }
}

/// A visit of a patient that is due.
package struct RecallDocument: APIDocument, Hashable {
    package var id: UUID
    package var record: UUID
    package var patientName: String?
    /// The client who is asked first; for the staff alone.
    package var client: PatientClientDocument?
    package var recall: RegistrationState.Recall

    package init(
        id: UUID,
        record: UUID,
        patientName: String?,
        client: PatientClientDocument? = nil,
        recall: RegistrationState.Recall
    ) {
        self.id = id
        self.record = record
        self.patientName = patientName
        self.client = client
        self.recall = recall
    }

    package static let schema = JSONSchema.object(
        [
            "id": JSONSchema.identifier, "record": JSONSchema.identifier, "service": JSONSchema.identifier,
            "due": JSONSchema.dayText, "group": ["type": "string"],
        ],
        optional: ["patientName": ["type": "string"], "client": PatientClientDocument.schema]
    )

    /// Describes the body of a request that sets a recall.
    package static let requestSchema = JSONSchema.object([
        "service": JSONSchema.identifier, "due": JSONSchema.dayText,
        "group": JSONSchema.lineText(maximum: Limits.line).merging(["minLength": 1]),
    ])

    /// The body of a request.
    package static func members(_ recall: RegistrationState.Recall) -> JSONValue {
        [
            "service": .string(recall.service.text), "due": .string(recall.due.description),
            "group": .string(recall.group),
        ]
    }

    /// Reads the body of a request.
    package static func recall(request object: NativeObject) throws(ModelError) -> RegistrationState.Recall {
        try object.requireMembers(["service", "due", "group"])
        return RegistrationState.Recall(
            service: try object.id("service"),
            due: try object.day("due"),
            group: try object.required("group")
        )
    }

    package var json: JSONValue {
        .present([
            "id": .string(id.text), "record": .string(record.text), "patientName": patientName.map { .string($0) },
            "client": client?.json,
            "service": .string(recall.service.text), "due": .string(recall.due.description),
            "group": .string(recall.group),
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        id = try object.id("id")
        record = try object.id("record")
        patientName = try object.text("patientName")
        client = try object.patientClient()
        recall = .init(
            service: try object.id("service"),
            due: try object.day("due"),
            group: try object.required("group")
        )
    }
}
