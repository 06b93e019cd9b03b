package import HealthModel

/// The right on which an access was based, as the API and the audit trail show it: what gave it, and the position of
/// the event that did, if it was a grant or an emergency.
extension AccessRight: APIDocument {
    package static let schema = JSONSchema.object(
        [
            "by": [
                "enum": .array(
                    (["owner", "grant", "emergency", "practice"] + AccountKind.allCases.map(\.name))
                        .map { .string($0) }
                ),
                "description": """
                What gave the right: owning the record, a grant, an emergency, the membership of a practice, or the \
                account's kind.
                """,
            ]
        ],
        optional: [
            "position": JSONSchema.position,
            "practice": JSONSchema.identifier.merging(["description": "The practice whose member the account is."]),
        ]
    )

    package var json: JSONValue {
        switch self {
        case .owner: ["by": "owner"]
        case .grant(let position): ["by": "grant", "position": .integer(position)]
        case .emergency(let position): ["by": "emergency", "position": .integer(position)]
        case .role(let kind): ["by": .string(kind.name)]
        case .practice(let id): ["by": "practice", "practice": .string(id.text)]
        }
    }

    package init(_ object: NativeObject) throws(ModelError) {
        switch try object.required("by") {
        case "owner": self = .owner
        case "grant": self = .grant(position: try object.number("position"))
        case "emergency": self = .emergency(position: try object.number("position"))
        case "practice": self = .practice(try object.id("practice"))
        case let name: self = .role(try AccountKind(named: name))
        }
    }
}
