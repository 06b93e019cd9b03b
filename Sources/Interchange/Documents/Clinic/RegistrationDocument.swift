package import FoundationEssentials
package import HealthModel

/// The registration of an animal at a practice.
package struct RegistrationDocument: APIDocument, Hashable {
    package var practice: UUID
    package var practiceName: String
    package var status: RegistrationStatus
    /// When the practice asked for it or, if no request was needed, when it was made.
    package var madeAt: Instant
    package var acceptedAt: Instant?
    /// When it ended, or the request was refused or withdrawn.
    package var endedAt: Instant?

    package init(practice: UUID, name: String, _ registration: RegistrationState) {
        self.practice = practice
        practiceName = name
        status = registration.status
        madeAt = registration.made.recordedAt
        acceptedAt = registration.accepted?.recordedAt
        endedAt = registration.ended?.recordedAt
    }

    package static let schema = JSONSchema.object(
        [
            "practice": JSONSchema.identifier, "practiceName": ["type": "string"],
            "status": [
                "type": "string", "enum": .array(RegistrationStatus.allCases.map { .string($0.rawValue) }),
                "description": "A practice sees and books nothing before an owner of the record has accepted.",
            ],
            "madeAt": JSONSchema.time,
        ],
        optional: ["acceptedAt": JSONSchema.time, "endedAt": JSONSchema.time]
    )

    package var json: JSONValue {
        .present([
            "practice": .string(practice.text), "practiceName": .string(practiceName),
            "status": .string(status.rawValue), "madeAt": .time(madeAt),
            "acceptedAt": acceptedAt.map { .time($0) }, "endedAt": endedAt.map { .time($0) },
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        practice = try object.id("practice")
        practiceName = try object.required("practiceName")
        status = try object.choice("status", RegistrationStatus.self)
        madeAt = try object.instant("madeAt")
        acceptedAt = try object.optionalInstant("acceptedAt")
        endedAt = try object.optionalInstant("endedAt")
    }
}
