import FoundationEssentials
import HealthModel
import Interchange

/// One request to a service.
struct ServiceRequest {
    enum Method: String {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    var method: Method
    /// The components of the path after `/v1`.
    var path: [String]
    var query: [(name: String, value: String)] = []
    var body: Body?
    /// The position of the last change that the client has seen of the object that it changes.
    var expecting: UInt64?
    /// Further headers.
    var headers: [(name: String, value: String)] = []
    /// The idempotency key; nil where the service would not recognize a repeated request.
    var key: String?
    /// Whether each change in the body has an id by which the service recognizes it, whenever it is sent again.
    var hasOwnIDs = false
    /// Whether it changes nothing, although it is no GET.
    var onlyReads = false

    struct Body {
        var bytes: [UInt8]
        var mediaType: String

        static func json(_ value: JSONValue) -> Body {
            Body(bytes: JSONWriter.bytes(value), mediaType: "application/json")
        }
    }

    static func get(_ path: String..., query: [(name: String, value: String?)] = []) -> ServiceRequest {
        get(at: path, query: query)
    }

    static func get(at path: [String], query: [(name: String, value: String?)] = []) -> ServiceRequest {
        ServiceRequest(method: .get, path: path, query: query.given)
    }

    /// Creates a request for a change; the service applies it only once, even if it is sent again with the same key.
    static func write(
        _ method: Method,
        _ path: String...,
        query: [(name: String, value: String?)] = [],
        body: JSONValue? = nil
    ) -> ServiceRequest {
        write(method, at: path, query: query, body: body)
    }

    static func write(
        _ method: Method,
        at path: [String],
        query: [(name: String, value: String?)] = [],
        body: JSONValue? = nil
    ) -> ServiceRequest {
        ServiceRequest(
            method: method,
            path: path,
            query: query.given,
            body: body.map(Body.json),
            key: UUID().uuidString
        )
    }

    /// Whether the request may be sent again when its outcome is unknown.
    var isRepeatable: Bool { isRead || key != nil }

    /// Whether the request changes nothing.
    var isRead: Bool { method == .get || onlyReads }

    var target: String {
        let path = "/v1/" + self.path.map(\.percentEncoded).joined(separator: "/")
        if query.isEmpty { return path }
        return path + "?" + query.map { "\($0.name)=\($0.value.percentEncoded)" }.joined(separator: "&")
    }
}

extension [(name: String, value: String?)] {
    /// The parameters that have a value.
    fileprivate var given: [(name: String, value: String)] {
        compactMap { item in item.value.map { (item.name, $0) } }
    }
}

extension String {
    /// Escapes everything except unreserved characters (RFC 3986).
    fileprivate var percentEncoded: String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
        var encoded: [UInt8] = []
        for byte in utf8 {
            if plain.contains(byte) {
                encoded.append(byte)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += Array("%\(byte < 16 ? "0" : "")\(digits)".utf8)
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}
