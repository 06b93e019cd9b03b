package import FoundationEssentials

/// The description of a client of a practice: a person who brings animals.
package struct ClientProfile: ClinicProfile {
    package var values: FieldValues

    package static let firstName = Field(1, "firstName", "First name", .text(maximum: Limits.line))
    package static let lastName = Field(2, "lastName", "Last name", .text(maximum: Limits.line))
    package static let phone = Field(3, "phone", "Phone", .text(maximum: Limits.phone))
    package static let email = Field(4, "email", "E-mail", .text(maximum: Limits.email))
    package static let address = Field(5, "address", "Address", Doctor.address.type)
    package static let emergencyContact = Field(
        6,
        "emergencyContact",
        "Emergency contact",
        .group(EmergencyContact.kind.fields)
    )
    package static let preferred = Field(7, "preferredCommunication", "Prefers", ContactWay.fieldType)
    /// The account with which the person signs in.
    package static let account = Field(8, "account", "Account", .id)

    package static let fields = [
        firstName, lastName, phone, email, address, emergencyContact, preferred, account,
    ]

    package init(values: FieldValues) { self.values = values }

    /// How a practice reaches a client.
    package enum ContactWay: String, EventChoice, Sendable {
        case email, phone, sms, post, none

        package var name: String { rawValue }
    }

    package var fullName: String {
        [Self.firstName, Self.lastName].compactMap { values.text($0) }.joined(separator: " ")
    }

    package var phone: String? { values.text(Self.phone) }
    package var email: String? { values.text(Self.email) }
    package var accountID: UUID? { UUID(fieldValue: values[Self.account]) }

    /// By default, a client is reached by e-mail.
    package var preferredWay: ContactWay { ContactWay(fieldValue: values[Self.preferred]) ?? .email }

    package func check() throws(ModelError) {
        if fullName.allSatisfy(\.isWhitespace) {
            throw ModelError(.invalid, field: "lastName", "a first or a last name is required")
        }
    }
}

/// A client of a practice as of a position of the log.
package struct ClientState: Hashable, Sendable {
    package let id: UUID
    package let practice: UUID
    package var profile: ClientProfile
    package var added: Stamp
    package var updated: Stamp
    package var ended: Stamp?
}

/// Folds one event into the client of its stream; nil before it is added.
package func evolve(_ state: inout ClientState?, _ event: RecordedEvent) {
    if let added = event.event.data as? ClientAdded {
        state = ClientState(
            id: event.stream,
            practice: added.practice,
            profile: added.profile,
            added: event.stamp,
            updated: event.stamp
        )
        return
    }
    guard var client = state else { return }
    switch event.event.data {
    case let changed as ClientChanged: (client.profile, client.ended) = (changed.profile, nil)
    case is ClientEnded: client.ended = event.stamp
    default: return
    }
    client.updated = event.stamp
    state = client
}

extension ModelError {
    package static let noClient = ModelError(.notFound, field: "client", "the practice has no such client")
}
