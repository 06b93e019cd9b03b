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
    /// The parts of its path behind `/v1`.
    var path: [String]
    var query: [(name: String, value: String)] = []
    var body: Body?
    /// The position of the last change that was seen of what is to be changed.
    var expecting: UInt64?
    /// What makes the same request known when it comes again; nil where a repetition is not taken for the same.
    var key: String?

    struct Body {
        var bytes: [UInt8]
        var mediaType: String

        static func json(_ value: JSONValue) -> Body {
            Body(bytes: JSONWriter.bytes(value), mediaType: "application/json")
        }
    }

    static func get(_ path: String..., query: [(name: String, value: String?)] = []) -> ServiceRequest {
        ServiceRequest(method: .get, path: path, query: query.given)
    }

    /// A change, which a second request with the same key does not make twice.
    static func write(
        _ method: Method,
        _ path: String...,
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

    /// Whether the same may be sent again when nobody knows what became of it.
    var isRepeatable: Bool { method == .get || key != nil }

    var target: String {
        let path = "/v1/" + self.path.map(\.percentEncoded).joined(separator: "/")
        if query.isEmpty { return path }
        return path + "?" + query.map { "\($0.name)=\($0.value.percentEncoded)" }.joined(separator: "&")
    }
}

extension [(name: String, value: String?)] {
    /// Those that have a value.
    fileprivate var given: [(name: String, value: String)] {
        compactMap { item in item.value.map { (item.name, $0) } }
    }
}

extension String {
    /// Nothing but letters, digits and what every part of an address may have.
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
