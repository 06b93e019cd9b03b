import HTTPTypes

extension HTTPField.Name {
    static let idempotencyKey = HTTPField.Name(known: "Idempotency-Key")
    static let purpose = HTTPField.Name(known: "Purpose")
    static let deviceTime = HTTPField.Name(known: "Device-Time")
    /// The seconds until the session of a browser ends if it is not used, on pages: the service worker then removes
    /// what it keeps.
    static let sessionSeconds = HTTPField.Name(known: "Session-Seconds")
    static let xRequestID = HTTPField.Name(known: "X-Request-Id")
    static let traceparent = HTTPField.Name(known: "traceparent")
    static let lastEventID = HTTPField.Name(known: "Last-Event-ID")
    static let link = HTTPField.Name(known: "Link")
    static let xForwardedFor = HTTPField.Name(known: "X-Forwarded-For")
    static let forwarded = HTTPField.Name(known: "Forwarded")
    static let secFetchSite = HTTPField.Name(known: "Sec-Fetch-Site")
    static let host = HTTPField.Name(known: "Host")
    static let referrerPolicy = HTTPField.Name(known: "Referrer-Policy")

    /// Creates a name from a literal, which must be a valid field name.
    private init(known name: String) {
        guard let name = HTTPField.Name(name) else { preconditionFailure("not a valid header name") }
        self = name
    }
}

extension HTTPFields {
    /// Returns the value of a field as the subscript does; faster for fields that occur at most once.
    func value(of name: HTTPField.Name) -> String? {
        var found: String?
        for field in self where field.name == name {
            guard found == nil else { return self[name] }
            found = field.value
        }
        return found
    }
}
