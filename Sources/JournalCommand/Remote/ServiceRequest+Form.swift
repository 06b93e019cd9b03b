import FoundationEssentials
import Interchange

extension ServiceRequest.Body {
    /// Creates a form that contains a file, and the texts of an object as its other fields (RFC 7578).
    static func form(file bytes: [UInt8], _ fields: JSONValue) -> ServiceRequest.Body {
        // The boundary is random, so that no file contains it by chance.
        let boundary = UUID().uuidString
        var body: [UInt8] = []
        func add(_ text: String) { body += Array(text.utf8) }
        if case .object(let members) = fields {
            for member in members {
                guard case .string(let text) = member.value else { continue }
                add("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(member.name)\"\r\n\r\n\(text)\r\n")
            }
        }
        // The name of the file is one of the other fields.
        add("--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"file\"\r\n\r\n")
        body += bytes
        add("\r\n--\(boundary)--\r\n")
        return ServiceRequest.Body(bytes: body, mediaType: "multipart/form-data; boundary=\(boundary)")
    }
}
