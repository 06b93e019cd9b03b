import HealthModel
import Hummingbird
import Interchange

/// The format of an answer that a client asks for, which can be JSON alone.
enum FHIRFormat {
    private static let json = ["json", "text/json", "application/json", FHIRAnswers.mediaType]
    private static let accepted = ["*/*", "application/*"] + json

    /// Whether a value of `_format` is JSON.
    static func isJSON(_ format: String) -> Bool {
        // A plus sign in an address means a space, which many clients forget.
        json.contains(essence(format[...]).replacing(" ", with: "+"))
    }

    /// Whether a request accepts JSON.
    ///
    /// `_format` overrides the header (https://hl7.org/fhir/R4/http.html#parameters).
    static func isAccepted(by request: Request) throws -> Bool {
        if let format = try requested(by: request) { return isJSON(format) }
        let wanted = request.acceptedTypes
        return wanted.isEmpty || wanted.contains(where: accepted.contains)
    }

    /// Whether a request asks for JSON by name.
    static func isRequested(by request: Request) throws -> Bool {
        if let format = try requested(by: request) { return isJSON(format) }
        return request.acceptedTypes.contains(where: json.contains)
    }

    /// The parameter `_format` of the address; nil if it has none.
    static func requested(by request: Request) throws -> String? {
        guard let query = request.uri.query, query.contains("_format") else { return nil }
        return try FHIRParameters.parse(query).last { $0.name == "_format" }?.value
    }

    /// A media type without its parameters.
    fileprivate static func essence(_ type: Substring) -> String {
        String(type.prefix { $0 != ";" }).trimming(\.isWhitespace).lowercased()
    }
}

extension Request {
    fileprivate var acceptedTypes: [String] {
        headers[values: .accept].flatMap { $0.split(separator: ",") }.map(FHIRFormat.essence)
    }
}
