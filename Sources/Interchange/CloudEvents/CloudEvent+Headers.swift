package import HealthModel
import FoundationEssentials

extension CloudEvent {
    /// Reads an event in the HTTP binary mode: the attributes are in `ce-` headers, the data is the body.
    ///
    /// `original` is the same event in the structured form, in which the journal stores events.
    package static func read(headers: [(name: String, value: String)], body: [UInt8]) throws(ModelError) -> CloudEvent {
        guard body.count <= maximumBytes else {
            throw ModelError(.invalid, field: "data", "is larger than \(maximumBytes) bytes")
        }
        var members: [JSONValue.Member] = []
        for header in headers {
            let name = header.name.lowercased()
            if name == "content-type" {
                members.append(.init("datacontenttype", .string(header.value)))
            } else if name.hasPrefix("ce-") {
                members.append(.init(String(name.dropFirst(3)), .string(try decoded(header.value, name))))
            }
        }
        if let twice = members.first(where: { member in members.count { $0.name == member.name } > 1 }) {
            throw ModelError(.invalid, field: DocumentPath().appending(twice.name).field, "appears twice")
        }
        if !body.isEmpty {
            let hasJSON = members.contains { $0.name == "datacontenttype" && isJSON($0.value) }
            members.append(
                hasJSON
                    ? .init("data", try JSONReader.read(body, at: DocumentPath("data")))
                    : .init("data_base64", .string(Data(body).base64EncodedString()))
            )
        }
        let event = JSONValue.object(members)
        return try CloudEvent(event, original: JSONWriter.bytes(event), at: DocumentPath())
    }

    /// Decodes a header value, in which characters other than printable ASCII are percent-encoded, such as `%C3%A9`.
    private static func decoded(_ value: String, _ name: String) throws(ModelError) -> String {
        var bytes: [UInt8] = []
        var rest = Substring(value).utf8
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let digits = String(rest.prefix(2)), digits.utf8.count == 2,
                digits.allSatisfy(\.isHexDigit), let escaped = UInt8(digits, radix: 16)
            {
                bytes.append(escaped)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ModelError(.invalid, field: DocumentPath().appending(name).field, "is not percent-encoded UTF-8")
        }
        return text
    }

    private static func isJSON(_ type: JSONValue) -> Bool {
        if case .string(let text) = type { isJSON(text) } else { false }
    }
}
