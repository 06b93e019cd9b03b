import HTTPTypes
import Interchange

/// Builds a form as curl sends it.
struct Form {
    private(set) var bytes: [UInt8] = []

    static let boundary = "------------------------d74496d66958873e"
    static let mediaType = "multipart/form-data; boundary=\(boundary)"

    init() {}

    /// Builds a form from the members of `value`; the text of `file` becomes the bytes of a file.
    init(_ value: JSONValue) {
        guard case .object(let members) = value else { return }
        for member in members {
            guard case .string(let text) = member.value else { continue }
            self = member.name == "file" ? file(Array(text.utf8)) : field(member.name, text)
        }
        self = closed()
    }

    func field(_ name: String, _ text: String) -> Form {
        part(#"form-data; name="\#(name)""#, nil, Array(text.utf8))
    }

    func file(
        _ bytes: [UInt8],
        _ filename: String = "scan.pdf",
        mediaType: String? = "application/pdf",
        as name: String = "file"
    ) -> Form {
        part(#"form-data; name="\#(name)"; filename="\#(filename)""#, mediaType, bytes)
    }

    func part(_ disposition: String, _ mediaType: String?, _ content: [UInt8]) -> Form {
        var form = self
        form.add("--\(Form.boundary)\r\nContent-Disposition: \(disposition)\r\n")
        if let mediaType { form.add("Content-Type: \(mediaType)\r\n") }
        form.add("\r\n")
        form.bytes += content
        form.add("\r\n")
        return form
    }

    func closed() -> Form {
        var form = self
        form.add("--\(Form.boundary)--\r\n")
        return form
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    private mutating func add(_ text: String) { bytes += Array(text.utf8) }
}

extension ServiceClient {
    func attach(
        _ form: Form,
        to record: String,
        query: String = "",
        _ headers: [(String, String)] = []
    ) async throws -> Answer {
        try await send(
            .post,
            "/v1/records/\(record)/documents\(query)",
            bytes: form.bytes,
            [("Content-Type", Form.mediaType)] + headers
        )
    }
}
