import Interchange

/// A response header.
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
        case .eTag: "The version of the returned or changed resource, for `If-Match` and `If-None-Match`."
        case .location: "The address of the new resource."
        case .retryAfter: "The number of seconds after which to retry."
        case .authenticate: "How to authenticate."
        case .setCookie: "The session cookie, or its removal."
        case .link: #"The address of the next page: `rel="next"`."#
        case .disposition: "The name of the file to save: the record's id, or the document's name."
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
