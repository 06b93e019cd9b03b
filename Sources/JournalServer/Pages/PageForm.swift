import Crypto
import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird

/// The fields of a submitted form.
struct PageForm: Sendable {
    /// The last value of each field; `several(_:)` returns all values of a field.
    let values: [String: String]
    private let all: [String: [String]]
    /// Identifies the form's content if it is sent twice: the fields as received, without passwords; a digest if the
    /// form is multipart.
    let bytes: [UInt8]
    /// The file that was chosen in a file field.
    private(set) var file: FormPart?

    static let maximumBytes = 1 << 20
    static let maximumFields = 200

    subscript(name: String) -> String { values[name] ?? "" }

    func several(_ name: String) -> [String] { all[name] ?? [] }

    init(_ bytes: [UInt8]) throws {
        var kept: [ArraySlice<UInt8>] = []
        var all: [String: [String]] = [:]
        let parts = bytes.split(separator: UInt8(ascii: "&"))
        guard parts.count <= PageForm.maximumFields else {
            throw Problem("invalid", .badRequest, "the form has more than \(PageForm.maximumFields) fields")
        }
        for part in parts {
            let pair = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PageForm.decoded(pair[0]), let value = PageForm.decoded(pair.count > 1 ? pair[1] : [])
            else {
                throw Problem("invalid", .badRequest, "the form's encoding is invalid")
            }
            all[name, default: []].append(value)
            if !PageForm.passwords.contains(name), !PageForm.transport.contains(name) { kept.append(part) }
        }
        self.bytes = Array(kept.joined(separator: [UInt8(ascii: "&")]))
        self.all = all
        values = all.compactMapValues(\.last)
    }

    /// Fields that are not part of a digest: a password could be guessed from it.
    private static let passwords: Set<String> = ["password", "current"]

    /// Fields that are not part of a digest: they say how a form was sent, and differ if the same form is sent again.
    private static let transport: Set<String> = ["formToken", "offline", "tapped", "sure"]

    /// Creates a form from the parts of a multipart body, which may include a file.
    init(_ parts: [FormPart]) throws {
        // Not a digest of the body as received: browsers choose a new boundary each time.
        var hash = SHA256()
        var all: [String: [String]] = [:]
        for part in parts {
            for text in [part.name, part.filename ?? "", part.mediaType ?? ""] {
                hash.update(data: Array("\(text.utf8.count):\(text)".utf8))
            }
            hash.update(data: Array("\(part.bytes.count):".utf8) + part.bytes)
            if let filename = part.filename {
                if !filename.isEmpty { file = part }
            } else {
                all[part.name, default: []].append(try part.text())
            }
        }
        bytes = Array(hash.finalize())
        self.all = all
        values = all.compactMapValues(\.last)
    }

    /// Decodes form encoding: a plus sign for a space, and a percent sign with two hexadecimal digits.
    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
        var decoded: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: "+"): decoded.append(0x20)
            case UInt8(ascii: "%"):
                guard index + 2 < bytes.endIndex,
                    let byte = UInt8(String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
                else { return nil }
                decoded.append(byte)
                index += 2
            case let byte: decoded.append(byte)
            }
            index += 1
        }
        return String(validating: decoded, as: UTF8.self)
    }
}

extension Request {
    /// The token with which a form proves that it comes from these pages: derived from the session's secret (HMAC).
    var formToken: String? {
        sessionSecret.map { secret in
            Data(HMAC<SHA256>.authenticationCode(for: FormToken.purpose, using: FormToken.key(of: secret)))
                .base64EncodedString()
        }
    }

    /// Reads a form and checks that it was made for the session of the request.
    func pageForm(atMost limit: Int = PageForm.maximumBytes) async throws -> PageForm {
        try requireMediaType(["application/x-www-form-urlencoded"])
        let form = try PageForm(await bytes(atMost: limit))
        try requireToken(form["formToken"])
        return form
    }

    /// Reads a form with a file, and checks that it was made for the session of the request.
    func pageUpload() async throws -> PageForm {
        let boundary = try requireForm()
        try requireLength(atMost: BodyLimits.formBytes)
        let form = try PageForm(FormReader.parts(of: await formBytes(), boundary))
        try requireToken(form["formToken"])
        return form
    }

    func requireToken(_ shown: String) throws {
        guard let secret = sessionSecret, let code = Data(base64Encoded: shown),
            HMAC<SHA256>
                .isValidAuthenticationCode(code, authenticating: FormToken.purpose, using: FormToken.key(of: secret))
        else { throw Problem.staleForm }
    }
}

private enum FormToken {
    static let purpose = Array("a form of these pages".utf8)

    static func key(of secret: String) -> SymmetricKey { SymmetricKey(data: Array(secret.utf8)) }
}

extension Problem {
    static let staleForm = Problem(
        "foreign-page",
        .forbidden,
        "this form belongs to another session, or did not come from these pages: open the page again, and repeat"
    )
}

extension ServerContext {
    /// Returns the caller for one of several changes that a form makes.
    func writer(_ form: PageForm, request number: Int) throws -> Caller {
        var caller = try requireCaller()
        guard let key = UUID(uuidString: form["key"]) else { return caller }
        let digest = Array(SHA256.hash(data: Data("\(number):".utf8) + form.bytes))
        let mark = digest.prefix(12).map { String($0, radix: 36) }.joined(separator: ".")
        caller.request = RequestKey("form/\(key.text)/\(mark)", digest: digest)
        return caller
    }

    /// Returns the caller with the form's reason and idempotency key.
    func writer(_ form: PageForm, _ request: Request, reason: String = "") throws -> Caller {
        var caller = try requireCaller()
        do {
            caller.reason = try JournalEvent.received(reason: reason)
        } catch {
            // A `JournalError` is shown in the form.
            throw JournalError(error)
        }
        // The same form sent again is the same change; sent with edited fields, it is another change.
        guard let key = UUID(uuidString: form["key"]) else { return caller }
        var hash = SHA256()
        for part in [caller.account.text, request.uri.path] {
            hash.update(data: Array("\(part.utf8.count):\(part)".utf8))
        }
        hash.update(data: form.bytes)
        let digest = Array(hash.finalize())
        let mark = digest.prefix(12).map { String($0, radix: 36) }.joined(separator: ".")
        caller.request = RequestKey("form/\(key.text)/\(mark)", digest: digest)
        return caller
    }
}
