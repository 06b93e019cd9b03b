package import FoundationEssentials
package import HealthModel

/// The registration of an animal at a practice.
package struct RegistrationDocument: DefinedDocument, Hashable {
    package var practice: UUID
    package var practiceName: String
    package var status: RegistrationStatus
    /// When the practice asked for it or, if no request was needed, when it was made.
    package var madeAt: Instant
    package var acceptedAt: Instant?
    /// When it ended, or the request was refused or withdrawn.
    package var endedAt: Instant?

    package static let definition = DocumentDefinition(
        RegistrationDocument.init,
        DocumentMember("practice", \.practice),
        DocumentMember("practiceName", \.practiceName),
        DocumentMember(
            "status",
            \.status,
            schema: String.schema.merging(RegistrationStatus.schema),
            "A practice sees and books nothing before an owner of the record has accepted."
        ),
        DocumentMember("madeAt", \.madeAt),
        DocumentMember("acceptedAt", \.acceptedAt),
        DocumentMember("endedAt", \.endedAt)
    )
}

extension RegistrationDocument {
    package init(practice: UUID, name: String, _ registration: RegistrationState) {
        self.practice = practice
        practiceName = name
        status = registration.status
        madeAt = registration.made.recordedAt
        acceptedAt = registration.accepted?.recordedAt
        endedAt = registration.ended?.recordedAt
    }
}
