internal import FoundationEssentials
internal import HealthModel
internal import Interchange

extension JournalEvent {
    /// What the event says, for those who may see it; nil where its type says it all.
    ///
    /// Neither digests nor anything else by which somebody could sign in.
    var data: JSONValue? {
        switch self {
        case .entryAdded(let content), .entryCorrected(let content): NativeDocument.content(content)
        case .recordCreated(let profile, let owners):
            .said(
                ("subject", .string(profile.subject.name)),
                ("profile", NativeDocument.profile(profile)),
                ("owners", .array(owners.map { .string($0.text) }))
            )
        case .recordChanged(let profile): .said(("profile", NativeDocument.profile(profile)))
        case .recordHeld(let until): .said(("until", .string(until.description)))
        case .caregiverGranted(let account, let terms):
            .said(
                ("account", .string(account.text)),
                ("sections", .names(terms.sections.sorted { $0.rawValue < $1.rawValue }.map(\.name))),
                ("verbs", .names(terms.verbs.sorted { $0.rawValue < $1.rawValue }.map(\.name))),
                ("from", terms.from.map { .string($0.description) }),
                ("until", terms.until.map { .string($0.description) })
            )
        case .caregiverRevoked(let account): .said(("account", .string(account.text)))
        case .recordRead(let access), .accessDenied(let access): access.data
        case .accountAdded(let profile):
            .said(
                ("name", .string(profile.name)),
                ("email", profile.email.isEmpty ? nil : .string(profile.email)),
                ("kind", .string(profile.kind.name))
            )
        case .tokenIssued(let token):
            .said(
                ("token", .string(token.id.text)),
                ("scope", .string(token.scope.description)),
                ("expires", token.expires.map { .string($0.description) })
            )
        case .tokenRevoked(let token): .said(("token", .string(token.text)))
        case .journalCreated(let name, let zone):
            .said(("name", name.isEmpty ? nil : .string(name)), ("zone", .string(zone)))
        case .journalBackedUp(_, let head): .said(("head", .integer(head)))
        case .journalRestored(let head, _): .said(("head", .integer(head)))
        case .externalReceived(let stream, let type, let data): received(stream, type, data)
        default: nil
        }
    }

    /// An event of another tool as it came; as bytes where it is no JSON that we read.
    private func received(_ stream: String, _ type: String, _ bytes: [UInt8]) -> JSONValue {
        let event = try? JSONReader.read(bytes)
        return .said(
            ("stream", .string(stream)),
            ("contenttype", .string(type)),
            ("event", event),
            ("event_base64", event == nil ? .string(Data(bytes).base64EncodedString()) : nil)
        )
    }
}

extension Access {
    fileprivate var data: JSONValue {
        .said(
            ("action", .string(action.rawValue)),
            ("sections", .names(sections.map(\.name))),
            ("entryCount", .integer(entryCount)),
            ("asOf", asOf.map { .integer($0) }),
            ("happenedBy", happenedBy.map { .string($0.description) }),
            ("grantedBy", grantedBy.map(\.data)),
            ("purpose", purpose.isEmpty ? nil : .string(purpose))
        )
    }
}

extension AccessRight {
    fileprivate var data: JSONValue {
        switch self {
        case .owner: .string("owner")
        case .grant(let position): .string("grant at position \(position)")
        case .role(let kind): .string(kind.name)
        }
    }
}

extension JSONValue {
    fileprivate static func said(_ members: (String, JSONValue?)...) -> JSONValue {
        .object(members.compactMap { name, value in value.map { Member(name, $0) } })
    }

    fileprivate static func names(_ names: [String]) -> JSONValue { .array(names.map { .string($0) }) }
}
