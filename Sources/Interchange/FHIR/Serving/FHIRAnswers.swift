import HealthModel

/// The resources that a service answers with, besides those of a record.
package enum FHIRAnswers {
    /// The media type of resources as JSON.
    package static let mediaType = "application/fhir+json"

    /// What went wrong, as a resource; `details` never contains the content of a record.
    package static func outcome(
        _ code: String,
        _ details: String,
        severity: String = "error",
        at field: String? = nil
    ) -> JSONValue {
        [
            "resourceType": "OperationOutcome",
            "issue": [
                .present([
                    "severity": .string(severity), "code": .string(code), "details": ["text": .string(details)],
                    "expression": field.map { [.string($0)] },
                ])
            ],
        ]
    }

    /// A page of a search.
    ///
    /// `isPartial` is whether there is more that the caller may not see, which a note then says.
    package static func page(
        _ resources: [JSONValue],
        total: Int?,
        base: String,
        own: String,
        next: String?,
        isPartial: Bool
    ) -> JSONValue {
        var entries = resources.map { resource -> JSONValue in
            ["fullUrl": .string(address(of: resource, base)), "resource": resource, "search": ["mode": "match"]]
        }
        if isPartial {
            let note = outcome(
                "suppressed",
                "entries of kinds that this account may not see are left out",
                severity: "warning"
            )
            entries.append(["resource": note, "search": ["mode": "outcome"]])
        }
        var links: [JSONValue] = [["relation": "self", "url": .string(own)]]
        if let next { links.append(["relation": "next", "url": .string(next)]) }
        return .present([
            "resourceType": "Bundle", "type": "searchset", "total": total.map { .integer($0) }, "link": .array(links),
            "entry": .list(entries),
        ])
    }

    /// The versions of a resource, the newest first.
    package static func history(
        _ versions: [FHIRVersion],
        type: String,
        id: String,
        base: String,
        own: String
    ) -> JSONValue {
        let entries = versions.map { $0.item(type, id, at: "\(base)/\(type)/\(id)") }
        return .present([
            "resourceType": "Bundle",
            "meta": ["tag": [["system": .string(FHIRExtension.bundleSystem), "code": "history"]]],
            "type": "history", "total": .integer(versions.count),
            "link": [["relation": "self", "url": .string(own)]], "entry": .list(entries),
        ])
    }

    private static func address(of resource: JSONValue, _ base: String) -> String {
        let type = if case .string(let type)? = resource["resourceType"] { type } else { "" }
        let id = if case .string(let id)? = resource["id"] { id } else { "" }
        return "\(base)/\(type)/\(id)"
    }

    /// A file as a resource.
    package static func binary(_ bytes: [UInt8], _ mediaType: String, id: String) -> JSONValue {
        [
            "resourceType": "Binary", "id": .string(id), "contentType": .string(mediaType),
            "data": .string(FHIRData.text(bytes)),
        ]
    }

    /// When what the service can do last changed.
    private static let capabilitiesDate = "2026-11-30"

    /// How answers can be formed, besides what the parameters of each type say.
    private static let documentation = """
        A search names its patient, by a parameter or as Patient/[id]/[type]. _sort takes several keys, each perhaps with a \
        minus sign: _id, _lastUpdated, date, or a parameter of a type. _elements and _summary also form reads. A parameter \
        that filters and is unknown is an error, and others are ignored; with the header Prefer: handling=strict, all unknown \
        ones are errors, and with handling=lenient, all are ignored. The link self has those that were used.
        """
    /// The parameters of results, which are in no registry of search parameters.
    private static let resultParameters = [
        ("_sort", "special", "keys with commas between them, each perhaps with a minus sign"),
        ("_count", "number", "resources on a page, at most \(FHIRSearch.maximumCount)"),
        ("_total", "token", "accurate counts all matches"),
        ("_elements", "special", "names of elements, without the types of their values"),
        ("_summary", "token", "true, text, data, count or false"),
        ("_format", "token", "json; XML is refused"),
    ]

    /// What the service can do, which says nothing about any record (https://hl7.org/fhir/R4/capabilitystatement.html).
    package static func capabilities(base: String) -> JSONValue {
        func resource(_ type: String, hasVersions: Bool = true) -> JSONValue {
            let codes = hasVersions ? ["read", "vread", "history-instance", "search-type"] : ["read", "search-type"]
            return [
                "type": .string(type), "interaction": .array(codes.map { ["code": .string($0)] }),
                "versioning": hasVersions ? "versioned" : "no-version", "readHistory": .bool(hasVersions),
                "searchParam": .array(
                    FHIRSearch.parameters(of: type).map { ["name": .string($0.name), "type": .string($0.type)] }
                ),
            ]
        }
        let patient = resource("Patient", hasVersions: false)
            .appending(
                [
                    ["name": "everything", "definition": "http://hl7.org/fhir/OperationDefinition/Patient-everything"],
                    ["name": "summary", "definition": "http://hl7.org/fhir/uv/ips/OperationDefinition/summary"],
                ],
                as: "operation"
            )
        let trail = FHIRTrail.types.sorted { $0.key < $1.key }
            .map { type, parameter -> JSONValue in
                [
                    "type": .string(type), "interaction": [["code": "read"], ["code": "search-type"]],
                    "searchParam": [["name": .string(parameter), "type": "reference"]],
                ]
            }
        let binary: JSONValue = ["type": "Binary", "interaction": [["code": "read"]]]
        return [
            "resourceType": "CapabilityStatement", "status": "active", "date": .string(capabilitiesDate),
            "kind": "instance",
            "software": ["name": "HealthJournal"],
            "implementation": [
                "description": """
                A journal of the health of people and animals, for reading. Below /at/ and a position, a time or a day, \
                it answers as it would have then.
                """, "url": .string(base),
            ],
            "fhirVersion": "4.0.1", "format": ["json", .string(mediaType)],
            "rest": [
                [
                    "mode": "server", "documentation": .string(documentation),
                    "security": [
                        "description": "A token of an account in the header Authorization. Each answer is audited."
                    ],
                    "resource": .array(
                        [patient, binary] + trail + FHIRTypes.described.map { resource($0) }
                    ),
                    "searchParam": .array(
                        resultParameters.map { name, type, text in
                            ["name": .string(name), "type": .string(type), "documentation": .string(text)]
                        }
                    ),
                    "compartment": ["http://hl7.org/fhir/CompartmentDefinition/patient"],
                ]
            ],
        ]
    }
}

extension JSONValue {
    fileprivate func appending(_ value: JSONValue, as name: String) -> JSONValue {
        .object(members + [Member(name, value)])
    }
}
