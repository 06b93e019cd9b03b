import HealthModel
import Interchange

/// Example requests; a test sends each one to the service.
enum Examples {
    static let newRecords: [(name: String, value: JSONValue)] = [
        (
            "person",
            [
                "subject": "human",
                "profile": ["givenName": "Nora", "familyName": "Baumann", "birthdate": "1986-04-02"],
            ]
        ),
        (
            "animal",
            [
                "subject": "animal",
                "profile": [
                    "name": "Bless", "species": "dog",
                    "vet": ["clinicName": "Praxis am See", "phone": "+41 44 555 01 01"],
                ],
            ]
        ),
    ]

    static let imports: [(name: String, value: JSONValue)] = [
        (
            "native",
            [
                "format": "healthjournal/1", "id": "01890a5d-ac96-774b-bcce-b302099a8058", "subject": "human",
                "profile": ["givenName": "Nora", "familyName": "Baumann"],
                "entries": [
                    "weight": [
                        [
                            "id": "01890a5d-ac96-774b-bcce-b302099a8059", "date": "2024-02-16", "value": "75.5",
                            "unit": "kg",
                        ]
                    ]
                ],
            ]
        )
    ]

    static let patches: [(name: String, value: JSONValue)] = [
        ("change", ["profile": ["birthdate": "1986-04-03", "sex": "female"]]),
        ("takeAway", ["profile": ["sex": .null]]),
    ]

    static let terms: [(name: String, value: JSONValue)] = [
        (
            "monday",
            [
                "sections": ["myhealth", "doctorlist"], "verbs": ["read", "contribute"], "from": "2024-02-16",
                "until": .null,
            ]
        )
    ]

    static let newAccounts: [(name: String, value: JSONValue)] = [
        ("person", ["name": "Anna Berg", "email": "anna@example.org"]), ("scale", ["name": "scale", "kind": "tool"]),
    ]

    static let passwords: [(name: String, value: JSONValue)] = [("first", ["password": "seven pale lanterns"])]

    static let newTokens: [(name: String, value: JSONValue)] = [
        ("reader", ["scope": "read", "expires": "2199-01-01T00:00:00Z"])
    ]

    static let newIdentities: [(name: String, value: JSONValue)] = [
        ("provider", ["issuer": "https://id.example.org", "subject": "8a7f12"])
    ]

    static let invitations: [(name: String, value: JSONValue)] = [
        ("aunt", ["sections": ["myhealth"], "verbs": ["read"], "days": 3])
    ]

    static let transfers: [(name: String, value: JSONValue)] = [
        ("breeder", ["to": "01890a5d-ac96-774b-bcce-b302099a8057"])
    ]

    static let cloudEvents: [(name: String, value: JSONValue)] = [
        (
            "other",
            [
                "specversion": "1.0", "id": "2024-02-16/1", "source": "/kitchen/clock", "type": "org.example.tick",
                "data": ["seconds": 3],
            ]
        )
    ]

    static let batches: [(name: String, value: JSONValue)] = [("two", .array(ticks))]

    /// NDJSON lines as they appear in the body.
    static let lines: [(name: String, value: JSONValue)] = [
        ("two", .string(ticks.map { JSONWriter.text($0) + "\n" }.joined()))
    ]

    private static let ticks: [JSONValue] = [
        ["specversion": "1.0", "id": "2024-02-16/2", "source": "/kitchen/clock", "type": "org.example.tick"],
        ["specversion": "1.0", "id": "2024-02-16/3", "source": "/kitchen/clock", "type": "org.example.tock"],
    ]

    static let holds: [(name: String, value: JSONValue)] = [
        ("tenYears", ["until": "2036-12-31", "reason": "records of treatment are kept ten years"])
    ]

    static let erasures: [(name: String, value: JSONValue)] = [
        ("wish", ["reason": "the subject asked for it in writing on 16 February 2024"])
    ]

    /// Form fields; the text of the file represents its bytes.
    static let documentForms: [(name: String, value: JSONValue)] = [
        (
            "letter",
            [
                "file": "Dear colleague, thank you for seeing Nora.", "name": "letter.txt", "mediaType": "text/plain",
                "date": "2024-02-16", "comment": "from Dr. Okafor",
            ]
        )
    ]

    /// The example entry of a kind.
    static func entry(of kind: Kind) -> JSONValue {
        var content = EntryContent(kind: kind)
        for (path, text) in kind.example {
            do throws(ModelError) {
                try content.set(path, text: text)
            } catch {
                preconditionFailure("the example of the kind \(kind.name) is invalid: \(error)")
            }
        }
        return NativeDocument.write(content)
    }
}
