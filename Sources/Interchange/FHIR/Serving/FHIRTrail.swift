package import FoundationEssentials
package import HealthModel

/// What the journal itself knows of a record, as resources: grants, accesses, and who changed an entry when and why.
///
/// Their ids name the stream that they are about and the position of the event, so that they can be read again.
package enum FHIRTrail {
    /// The types of the resources, each with its search parameter.
    package static let types = ["AuditEvent": "patient", "Consent": "patient", "Provenance": "target"]

    private static let accountSystem = "urn:healthjournal:account"

    package static func id(_ stream: UUID, _ position: UInt64) -> String { "\(stream.text).\(position)" }

    /// Splits an id into the record or the entry, and the position; nil for another id.
    package static func place(of id: String) -> (stream: UUID, position: UInt64)? {
        let parts = id.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let stream = UUID(uuidString: String(parts[0])), let position = UInt64(parts[1]) else {
            return nil
        }
        return (stream, position)
    }

    private static func head(_ type: String, _ stream: UUID, _ stamp: Stamp) -> [JSONValue.Member] {
        [
            .init("resourceType", .string(type)), .init("id", .string(id(stream, stamp.position))),
            .init("meta", ["versionId": .string("\(stamp.position)"), "lastUpdated": .time(stamp.recordedAt)]),
        ]
    }

    private static func account(_ id: UUID, _ name: String?) -> JSONValue {
        .present([
            "identifier": ["system": .string(accountSystem), "value": .string(id.text)],
            "display": name.map { .string($0) },
        ])
    }

    private static func patient(_ record: UUID) -> JSONValue { ["reference": .string("Patient/\(record.text)")] }

    // MARK: - Grants

    /// A grant of a record (https://hl7.org/fhir/R4/consent.html); one that is revoked or over is `inactive`.
    package static func consent(_ grant: Grant, of record: UUID, on day: Day, name: String?) -> JSONValue {
        let terms = grant.terms
        let verbs = terms.verbs.map { $0 == .read ? "access" : "collect" }.sorted()
        let period = FHIR.period(
            terms.from?.description,
            grant.revoked.map { $0.recordedAt.description } ?? terms.until?.description
        )
        let changed = grant.revoked ?? grant.given
        return .object(
            [
                .init("resourceType", "Consent"), .init("id", .string(id(record, grant.given.position))),
                .init("meta", ["versionId": .string("\(changed.position)"), "lastUpdated": .time(changed.recordedAt)]),
                .init("status", grant.isActive(on: day) ? "active" : "inactive"),
                .init("scope", concept("http://terminology.hl7.org/CodeSystem/consentscope", "patient-privacy")),
                .init("category", [concept(FHIR.System.loinc, "59284-0")]),
                .init("patient", patient(record)), .init("dateTime", .time(grant.given.recordedAt)),
                // R4 demands a policy or a rule: anything that is not permitted here is forbidden.
                .init("policyRule", concept(FHIR.System.act, "OPTIN")),
                .init(
                    "provision",
                    .present([
                        "type": "permit", "period": period,
                        "actor": [
                            [
                                "role": concept(
                                    "http://terminology.hl7.org/CodeSystem/v3-ParticipationType",
                                    "IRCP"
                                ),
                                "reference": account(grant.account, name),
                            ]
                        ],
                        "action": .array(
                            verbs.map { concept("http://terminology.hl7.org/CodeSystem/consentaction", $0) }
                        ),
                        "securityLabel": .list(
                            terms.sections.map(\.name).sorted()
                                .map { ["system": "urn:healthjournal:section", "code": .string($0)] }
                        ),
                    ])
                ),
            ]
        )
    }

    private static func concept(_ system: String, _ code: String) -> JSONValue {
        ["coding": [FHIR.Coding(system, code).json]]
    }

    // MARK: - Accesses

    /// An access to a record, or a refusal, perhaps of several attempts (https://hl7.org/fhir/R4/auditevent.html).
    package static func auditEvent(
        _ access: Access,
        isRefusal: Bool,
        count: Int = 1,
        of record: UUID,
        _ stamp: Stamp,
        name: String?
    ) -> JSONValue {
        // Codes of DICOM's audit messages.
        let (code, display) =
            isRefusal
            ? ("110113", "Security Alert")
            : access.grantedBy?.isEmergency == true
                ? ("110127", "Emergency Override Started")
                : access.action == .export ? ("110106", "Export") : ("110110", "Patient Record")
        let details: [(String, String?)] = [
            ("action", access.action.rawValue),
            ("sections", access.sections.isEmpty ? nil : access.sections.map(\.name).joined(separator: ",")),
            ("entries", String(access.entryCount)), ("times", count == 1 ? nil : String(count)),
            ("asOf", access.asOf.map { String($0) }),
        ]
        return .object(
            head("AuditEvent", record, stamp) + [
                .init(
                    "type",
                    [
                        "system": "http://dicom.nema.org/resources/ontology/DCM", "code": .string(code),
                        "display": .string(display),
                    ]
                ),
                .init("action", "R"), .init("recorded", .time(stamp.recordedAt)),
                .init("outcome", isRefusal ? "4" : "0"),
            ]
                + (access.grantedBy.map { [.init("outcomeDesc", .string($0.words))] } ?? [])
                + (access.purpose.isEmpty ? [] : [.init("purposeOfEvent", [["text": .string(access.purpose)]])])
                + [
                    .init("agent", [["who": account(stamp.actor, name), "requestor": true]]),
                    .init("source", ["observer": ["display": "HealthJournal"]]),
                    .init(
                        "entity",
                        [
                            [
                                "what": patient(record),
                                "detail": .array(
                                    details.compactMap { type, value in
                                        value.map { ["type": .string(type), "valueString": .string($0)] }
                                    }
                                ),
                            ]
                        ]
                    ),
                ]
        )
    }

    // MARK: - Changes

    /// What an entry was changed by.
    package enum Change: String, Sendable {
        case create = "CREATE"
        case update = "UPDATE"
        case delete = "DELETE"
    }

    /// Who made a version of an entry, when and why (https://hl7.org/fhir/R4/provenance.html).
    ///
    /// `proof` is the proof that the event is in the log, as text. It is no signature of the resource.
    package static func provenance(
        _ change: Change,
        of entry: UUID,
        as type: String,
        _ event: RecordedEvent,
        after former: UInt64?,
        name: String?,
        proof: String
    ) -> JSONValue {
        func version(_ position: UInt64) -> JSONValue {
            ["reference": .string("\(type)/\(entry.text)/_history/\(position)")]
        }
        let attachment: JSONValue = [
            "contentType": "text/plain", "data": .string(FHIRData.text(Array(proof.utf8))),
            "title": "inclusion proof of the event",
        ]
        return .object(
            head("Provenance", entry, event.stamp) + [
                .init("extension", [FHIR.ownExtension("proof", "Attachment", attachment)]),
                .init("target", [version(event.stamp.position)]), .init("recorded", .time(event.stamp.recordedAt)),
            ]
                + (event.reason.isEmpty ? [] : [.init("reason", [["text": .string(event.reason)]])])
                + [
                    .init(
                        "activity",
                        concept("http://terminology.hl7.org/CodeSystem/v3-DataOperation", change.rawValue)
                    ),
                    .init("agent", [["who": account(event.stamp.actor, name)]]),
                ]
                + (former.map { [.init("entity", [["role": "revision", "what": version($0)]])] } ?? [])
        )
    }
}

extension AccessRight {
    /// The right as a sentence's part.
    fileprivate var words: String {
        switch self {
        case .owner: "by right of the owner"
        case .grant(let position): "by the grant at position \(position)"
        case .emergency(let position): "by the emergency view at position \(position)"
        case .role(let kind): "by right of the account, which is of the kind \(kind.rawValue)"
        case .practice: "by a membership of a practice"
        }
    }
}
