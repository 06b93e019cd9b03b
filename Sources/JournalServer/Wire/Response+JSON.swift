import HTTPTypes
import Hummingbird
import Interchange
import NIOCore

/// The media type of a response.
enum AnswerType: String {
    case json = "application/json; charset=utf-8"
    case problem = "application/problem+json"
    case csv = "text/csv; charset=utf-8"
    case text = "text/plain; charset=utf-8"
    case html = "text/html; charset=utf-8"
    case pdf = "application/pdf"
    case metrics = "text/plain; version=0.0.4; charset=utf-8"
    case octets = "application/octet-stream"
    case lines = "application/x-ndjson"
    case eventStream = "text/event-stream"
    case schema = "application/schema+json"
    case fhir = "application/fhir+json; charset=utf-8"
    case cards = "text/vcard; charset=utf-8"
    case zip = "application/zip"
    case treeSize = "text/x.tlog.size"
    case calendar = "text/calendar; charset=utf-8"

    /// The media type without its parameters.
    var essence: String { String(rawValue.prefix { $0 != ";" }) }
}

extension Response {
    init(_ value: JSONValue, status: HTTPResponse.Status = .ok, type: AnswerType = .json) {
        self.init(JSONWriter.bytes(value), status: status, type: type)
    }

    init(_ bytes: [UInt8], status: HTTPResponse.Status = .ok, type: AnswerType) {
        self.init(shared: ByteBuffer(bytes: bytes), status: status, type: type)
    }

    /// A response with bytes that other responses have too; they are not copied.
    init(shared bytes: ByteBuffer, status: HTTPResponse.Status = .ok, type: AnswerType) {
        self.init(status: status, headers: [.contentType: type.rawValue], body: ResponseBody(byteBuffer: bytes))
    }

    /// Adds the version as an entity tag, which a client can send in `If-Match`.
    func tagged(_ version: UInt64) -> Response {
        var response = self
        response.headers[.eTag] = EntityTag(version: version).text
        return response
    }
}
