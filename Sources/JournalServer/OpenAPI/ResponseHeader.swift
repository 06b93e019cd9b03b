import Interchange

/// A response header.
struct ResponseHeader: Sendable {
    let name: String
    private let description: String
    private let schema: JSONValue

    private init(_ name: String, _ description: String, schema: JSONValue) {
        (self.name, self.description, self.schema) = (name, description, schema)
    }

    /// A text header whose value matches a regular expression.
    init(_ name: String, _ description: String, pattern: String) {
        self.init(name, description, schema: ["type": "string", "pattern": .string(pattern)])
    }

    var reference: JSONValue { ["$ref": .string("#/components/headers/\(name)")] }

    func json(isRequired: Bool) -> JSONValue {
        ["description": .string(description), "required": .bool(isRequired), "schema": schema]
    }
}

extension ResponseHeader {
    static let eTag = ResponseHeader(
        "ETag",
        "The version of the returned or changed resource, for `If-Match` and `If-None-Match`.",
        pattern: #"^"[0-9]+"$"#
    )
    static let location = ResponseHeader("Location", "The address of the new resource.", pattern: "^/v1/")
    static let retryAfter = ResponseHeader(
        "Retry-After",
        "The number of seconds after which to retry.",
        schema: ["type": "integer", "minimum": 1]
    )
    static let authenticate = ResponseHeader("WWW-Authenticate", "How to authenticate.", pattern: "^Bearer ")
    static let setCookie = ResponseHeader("Set-Cookie", "The session cookie, or its removal.", pattern: "^hj_session=")
    static let link = ResponseHeader(
        "Link",
        #"The address of the next page: `rel="next"`."#,
        pattern: "^</v1/events\\?"
    )
    static let disposition = ResponseHeader(
        "Content-Disposition",
        "The name of the file to save: the record's id, or the document's name.",
        pattern: "^attachment; filename(?:=|\\*=UTF-8'')"
    )
}
