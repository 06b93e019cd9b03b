package import HealthModel
import FoundationEssentials

extension CloudEvent {
    /// Reads one event in the JSON structured form, such as a line of NDJSON.
    package static func read(_ bytes: [UInt8]) throws(ModelError) -> CloudEvent {
        let value = try JSONReader.read(bytes, maximumBytes: maximumBytes)
        return try CloudEvent(value, original: bytes, at: DocumentPath())
    }

    /// Reads a batch: a JSON array of events.
    ///
    /// The `original` of each event is its own part of the array, in compact JSON.
    package static func readBatch(_ bytes: [UInt8]) throws(ModelError) -> [CloudEvent] {
        let value = try JSONReader.read(bytes)
        guard case .array(let items) = value else { throw ModelError(.invalid, "a batch is a JSON array of events") }
        guard items.count <= maximumBatch else {
            throw ModelError(.invalid, "a batch contains at most \(maximumBatch) events")
        }
        var events: [CloudEvent] = []
        for (index, item) in items.enumerated() {
            let path = DocumentPath().appending(index)
            let original = JSONWriter.bytes(item)
            guard original.count <= maximumBytes else {
                throw ModelError(.invalid, field: path.field, "is larger than \(maximumBytes) bytes")
            }
            events.append(try CloudEvent(item, original: original, at: path))
        }
        return events
    }

    init(_ value: JSONValue, original: [UInt8], at path: DocumentPath) throws(ModelError) {
        guard case .object(let members) = value else {
            throw ModelError(.invalid, field: path.field, "an event is a JSON object")
        }
        var attributes = CloudEventAttributes(path: path)
        for member in members { try attributes.take(member) }
        id = try attributes.required("id")
        source = try attributes.required("source")
        type = try attributes.required("type")
        specversion = try attributes.required("specversion")
        guard specversion == "1.0" else { throw attributes.invalid("specversion", "must be 1.0") }
        guard Self.isURIReference(source) else { throw attributes.invalid("source", "must be a URI reference") }
        subject = try attributes.optional("subject")
        datacontenttype = try attributes.optional("datacontenttype")
        if let datacontenttype, !Self.isMediaType(datacontenttype) {
            throw attributes.invalid("datacontenttype", "must be a media type such as application/json")
        }
        dataschema = try attributes.optional("dataschema")
        if let dataschema, !Self.isURIReference(dataschema) || !dataschema.contains(":") {
            throw attributes.invalid("dataschema", "must be an absolute URI")
        }
        if let text = try attributes.optional("time") {
            do { time = try Instant(parsing: text) } catch { throw attributes.invalid("time", error.text) }
        } else {
            time = nil
        }
        data = try attributes.data()
        extensions = attributes.extensions
        self.original = original
    }

    /// Whether a text consists of characters that RFC 3986 allows, and of percent-encoded bytes such as `%41`.
    private static func isURIReference(_ text: String) -> Bool {
        var rest = Substring(text).utf8
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                let digits = rest.prefix(2)
                guard digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else {
                    return false
                }
                rest = rest.dropFirst(2)
            } else if !isAlphanumeric(byte), !"-._~:/?#[]@!$&'()*+,;=".utf8.contains(byte) {
                return false
            }
        }
        return true
    }

    /// Whether a text is `type/subtype` of RFC 2045 tokens, optionally followed by parameters.
    private static func isMediaType(_ text: String) -> Bool {
        let essence = text.prefix { $0 != ";" }.trimmingSuffix { $0 == " " }
        let parts = essence.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 2 && text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
            && parts.allSatisfy { part in
                !part.isEmpty && part.utf8.allSatisfy { isAlphanumeric($0) || "!#$&^_.+-*'`|~%".utf8.contains($0) }
            }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        Unicode.Scalar(byte).properties.isAlphabetic && byte < 0x80 || (0x30...0x39).contains(byte)
    }
}

extension Substring {
    fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> Substring {
        var end = endIndex
        while end > startIndex, predicate(self[index(before: end)]) { end = index(before: end) }
        return self[..<end]
    }
}
