import HealthModel
import FoundationEssentials

/// Collects the members of an event while it is parsed: attributes of the specification, data, and extensions.
struct CloudEventAttributes {
    let path: DocumentPath
    private(set) var extensions: [JSONValue.Member] = []
    private var texts: [String: String] = [:]
    private var json: JSONValue?
    private var base64: String?

    private static let named: Set<String> = [
        "id", "source", "type", "specversion", "subject", "time", "datacontenttype", "dataschema",
    ]

    init(path: DocumentPath) {
        self.path = path
    }

    func invalid(_ name: String, _ message: Message) -> ModelError {
        ModelError(.invalid, field: path.appending(name).field, message)
    }

    mutating func take(_ member: JSONValue.Member) throws(ModelError) {
        if member.name == "data" {
            json = member.value
        } else if member.name == "data_base64" {
            guard case .string(let text) = member.value else {
                throw invalid(member.name, "must be text in base64, not \(member.value.typeName)")
            }
            base64 = text
        } else if Self.named.contains(member.name) {
            // In the CloudEvents JSON format, a null attribute counts as absent.
            if member.value == .null { return }
            guard case .string(let text) = member.value else {
                throw invalid(member.name, "must be text, not \(member.value.typeName)")
            }
            texts[member.name] = text
        } else {
            try takeExtension(member)
        }
    }

    private mutating func takeExtension(_ member: JSONValue.Member) throws(ModelError) {
        let isName = member.name.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        guard isName, !member.name.isEmpty else {
            throw invalid(member.name, "the name of an attribute must consist of lower-case letters and digits")
        }
        switch member.value {
        case .null: return
        case .string, .bool: extensions.append(member)
        case .number(let text):
            // `8.0` is a whole number too, as in JSON Schema.
            let decimal = try? ExactDecimal(parsing: text).withoutTrailingZeros
            guard let decimal, decimal.scale == 0, Int32(exactly: decimal.coefficient) != nil else {
                throw invalid(member.name, "must be a whole number of 32 bits")
            }
            extensions.append(member)
        case .array, .object:
            throw invalid(member.name, "an attribute must not be \(member.value.typeName); only data can be one")
        }
    }

    func required(_ name: String) throws(ModelError) -> String {
        guard let text = texts[name] else { throw invalid(name, "is missing") }
        return try checked(text, name)
    }

    func optional(_ name: String) throws(ModelError) -> String? {
        guard let text = texts[name] else { return nil }
        return try checked(text, name)
    }

    private func checked(_ text: String, _ name: String) throws(ModelError) -> String {
        guard !text.isEmpty else { throw invalid(name, "must not be empty") }
        let isClean = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }
        guard isClean else { throw invalid(name, "contains a control character") }
        return text
    }

    func data() throws(ModelError) -> CloudEvent.Payload? {
        guard let base64 else { return json.map { .json($0) } }
        guard json == nil else { throw invalid("data_base64", "is given with data: an event has only one of the two") }
        guard let bytes = Data(base64Encoded: base64) else { throw invalid("data_base64", "is not base64") }
        return .binary(Array(bytes))
    }
}
