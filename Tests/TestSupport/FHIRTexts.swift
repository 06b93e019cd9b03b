package import Interchange

/// Documents of FHIR R4, as hospitals write them.
package enum FHIRTexts {
    /// A Bundle of a woman, Maria Weber, with resources of several types.
    package static func bundle(_ resources: [JSONValue], type: String = "collection") -> JSONValue {
        [
            "resourceType": "Bundle", "type": .string(type),
            "entry": .array(
                ([patient] + resources)
                    .map { resource in
                        let id = if case .string(let id)? = resource["id"] { id } else { "" }
                        let type = if case .string(let type)? = resource["resourceType"] { type } else { "" }
                        return [
                            "fullUrl": .string("https://hospital.example/fhir/\(type)/\(id)"), "resource": resource,
                        ]
                    }
            ),
        ]
    }

    package static let patient: JSONValue = [
        "resourceType": "Patient", "id": "p1",
        "name": [["use": "official", "family": "Weber", "given": ["Maria", "Anna"]]], "gender": "female",
        "birthDate": "1948-03-02", "maritalStatus": ["text": "widowed"],
    ]

    private static let subject: JSONValue = ["reference": "https://hospital.example/fhir/Patient/p1"]

    /// A body weight, with a value as JSON text.
    package static func weight(_ value: String, id: String = "w1", updated: String? = nil) -> JSONValue {
        .present([
            "resourceType": "Observation", "id": .string(id),
            "meta": updated.map { ["lastUpdated": .string($0), "source": "https://hospital.example/lab"] },
            "status": "final",
            "category": [
                [
                    "coding": [
                        [
                            "system": "http://terminology.hl7.org/CodeSystem/observation-category",
                            "code": "vital-signs",
                        ]
                    ]
                ]
            ],
            "code": ["coding": [["system": "http://loinc.org", "code": "29463-7", "display": "Body Weight"]]],
            "subject": subject, "effectiveDateTime": "2026-02-14T08:00:00-05:00",
            "valueQuantity": [
                "value": .number(value), "unit": "kg", "system": "http://unitsofmeasure.org", "code": "kg",
            ],
        ])
    }

    /// A condition with a date of onset, and with further members.
    package static func condition(_ onset: String, id: String = "c1", _ more: JSONValue = [:]) -> JSONValue {
        let members: JSONValue = [
            "resourceType": "Condition", "id": .string(id), "code": ["text": "Asthma"], "subject": subject,
            "onsetDateTime": .string(onset),
        ]
        return .object(members.members + more.members)
    }

    package static let carePlan: JSONValue = [
        "resourceType": "CarePlan", "id": "cp1", "status": "active", "intent": "plan", "title": "Walking every day",
        "subject": subject, "created": "2026-01-05",
    ]

    /// A permission that only its source can give.
    package static let consent: JSONValue = [
        "resourceType": "Consent", "id": "k1", "status": "active", "scope": ["text": "patient-privacy"],
        "category": [["text": "privacy"]], "patient": subject,
        "provision": ["type": "permit", "actor": [["reference": ["display": "everybody"]]]],
    ]

    package static let document: JSONValue = [
        "resourceType": "DocumentReference", "id": "d1", "status": "current", "subject": subject,
        "date": "2026-01-05T09:00:00Z", "description": "Letter",
        "content": [["attachment": ["contentType": "text/plain", "data": "SGVsbG8h"]]],
    ]
}
