import Interchange

/// A header of answers.
enum HeaderName: String, CaseIterable {
    case eTag = "ETag"
    case location = "Location"
    case retryAfter = "Retry-After"
    case authenticate = "WWW-Authenticate"
    case setCookie = "Set-Cookie"
    case link = "Link"
    case disposition = "Content-Disposition"

    var reference: JSONValue { ["$ref": .string("#/components/headers/\(rawValue)")] }

    var json: JSONValue { json(isRequired: true) }

    func json(isRequired: Bool) -> JSONValue {
        [
            "description": .string(description), "required": .bool(isRequired),
            "schema": pattern.map { ["type": "string", "pattern": .string($0)] } ?? ["type": "integer", "minimum": 1],
        ]
    }

    private var description: String {
        switch self {
        case .eTag: "The state of what is answered or was changed, for `If-Match` and `If-None-Match`."
        case .location: "Where it is found from now on."
        case .retryAfter: "After how many seconds to try again."
        case .authenticate: "How to show who asks."
        case .setCookie: "The session, or that there is none any more."
        case .link: #"Where the next page is: `rel="next"`."#
        case .disposition: "The name of the file to save: the record's id, or the name that a document has."
        }
    }

    private var pattern: String? {
        switch self {
        case .eTag: #"^"[0-9]+"$"#
        case .location: "^/v1/"
        case .retryAfter: nil
        case .authenticate: "^Bearer "
        case .setCookie: "^hj_session="
        case .link: "^</v1/events\\?"
        case .disposition: "^attachment; filename(?:=|\\*=UTF-8'')"
        }
    }
}
