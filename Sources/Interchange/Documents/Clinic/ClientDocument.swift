package import FoundationEssentials
package import HealthModel

/// A client of a practice.
package struct ClientDocument: DefinedDocument, Hashable {
    package var id: UUID
    package var profile: ClientProfile
    package var addedAt: Instant
    package var endedAt: Instant?
    /// The position of the last change.
    package var position: UInt64

    /// Describes the body of a request: one of the names is required.
    package static let profileSchema = SettingsDocument<ClientProfile>.schema
        .merging([
            "anyOf": [JSONSchema.present([ClientProfile.firstName]), JSONSchema.present([ClientProfile.lastName])]
        ])

    package static let definition = DocumentDefinition(
        ClientDocument.init,
        DocumentMember("id", \.id),
        DocumentMember("profile", \.profile),
        DocumentMember("addedAt", \.addedAt),
        DocumentMember("endedAt", \.endedAt),
        DocumentMember("position", \.position),
        derived: [DerivedMember("fullName", after: "id") { $0.profile.fullName }]
    )
}

extension ClientDocument {
    package init(_ state: ClientState) {
        id = state.id
        profile = state.profile
        addedAt = state.added.recordedAt
        endedAt = state.ended?.recordedAt
        position = state.updated.position
    }
}

/// A patient on the waiting list of a practice.
package struct WaitDocument: DefinedDocument, Hashable {
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

    package static let definition = DocumentDefinition(
        WaitDocument.init,
        DocumentMember("id", \.id),
        DocumentMember("record", \.record),
        DocumentMember("patientName", \.patientName),
        DocumentMember("client", \.client),
        DocumentMember("status", \.status),
        DocumentMember("profile", \.profile),
        DocumentMember("addedAt", \.addedAt),
        DocumentMember("offered", \.offered),
        DocumentMember("position", \.position)
    )
}

extension WaitDocument {
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
}

/// A visit of a patient that is due.
package struct RecallDocument: DefinedDocument, Hashable {
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

    private static let members = DocumentDefinition(
        RegistrationState.Recall.init,
        DocumentMember("service", \.service),
        DocumentMember("due", \.due),
        DocumentMember("group", \.group)
    )

    package static let definition = DocumentDefinition(
        RecallDocument.init,
        DocumentMember("id", \.id),
        DocumentMember("record", \.record),
        DocumentMember("patientName", \.patientName),
        DocumentMember("client", \.client),
        .members(of: members, \.recall)
    )

    /// Describes the body of a request that sets a recall.
    package static let requestSchema = JSONSchema.object([
        "service": JSONSchema.identifier, "due": JSONSchema.dayText,
        "group": JSONSchema.lineText(maximum: Limits.line).merging(["minLength": 1]),
    ])

    /// The body of a request.
    package static func members(_ recall: RegistrationState.Recall) -> JSONValue { members.write(recall) }

    /// Reads the body of a request.
    package static func recall(request object: NativeObject) throws(ModelError) -> RegistrationState.Recall {
        try object.requireMembers(of: members.schema)
        return try members.read(object)
    }
}
