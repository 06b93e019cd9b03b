import HTTPTypes

extension HTTPField.Name {
    static let idempotencyKey = HTTPField.Name(known: "Idempotency-Key")
    static let purpose = HTTPField.Name(known: "Purpose")
    static let xRequestID = HTTPField.Name(known: "X-Request-Id")
    static let traceparent = HTTPField.Name(known: "traceparent")
    static let lastEventID = HTTPField.Name(known: "Last-Event-ID")
    static let link = HTTPField.Name(known: "Link")
    static let secFetchSite = HTTPField.Name(known: "Sec-Fetch-Site")
    static let referrerPolicy = HTTPField.Name(known: "Referrer-Policy")

    /// A name that is written here, in the letters that a header's name may have.
    private init(known name: String) {
        guard let name = HTTPField.Name(name) else { preconditionFailure("no name of a header") }
        self = name
    }
}
