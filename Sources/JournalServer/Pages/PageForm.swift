import Crypto
import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird

/// What a form of these pages brought.
struct PageForm: Sendable {
    /// Of each field the last value; what takes several stands in `all`.
    let values: [String: String]
    private let all: [String: [String]]
    let bytes: [UInt8]
    /// What was chosen in a field for a file.
    private(set) var file: FormPart?

    static let maximumBytes = 1 << 20
    static let maximumFields = 200

    subscript(name: String) -> String { values[name] ?? "" }

    func several(_ name: String) -> [String] { all[name] ?? [] }

    init(_ bytes: [UInt8]) throws {
        self.bytes = bytes
        var all: [String: [String]] = [:]
        let parts = bytes.split(separator: UInt8(ascii: "&"))
        guard parts.count <= PageForm.maximumFields else {
            throw Problem("invalid", .badRequest, "the form has more than \(PageForm.maximumFields) fields")
        }
        for part in parts {
            let pair = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PageForm.decoded(pair[0]), let value = PageForm.decoded(pair.count > 1 ? pair[1] : [])
            else {
                throw Problem("invalid", .badRequest, "the form is not well encoded")
            }
            all[name, default: []].append(value)
        }
        self.all = all
        values = all.compactMapValues(\.last)
    }

    /// A form with a file in it.
    init(_ parts: [FormPart]) throws {
        // Not as it came: each browser has another boundary each time.
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

    /// Bytes as a form's encoding has them: a plus for a space, two hexadecimal digits behind a percent sign.
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
    /// What a form carries to show that it is of these pages: known to whoever has the session, and to nobody else.
    var formToken: String? {
        sessionSecret.map { secret in
            Data(HMAC<SHA256>.authenticationCode(for: FormToken.purpose, using: FormToken.key(of: secret)))
                .base64EncodedString()
        }
    }

    /// A form that somebody sent who is signed in, from a page that was made for them.
    func pageForm(atMost limit: Int = PageForm.maximumBytes) async throws -> PageForm {
        try requireMediaType(["application/x-www-form-urlencoded"])
        let form = try PageForm(await bytes(atMost: limit))
        try requireToken(form["formToken"])
        return form
    }

    /// The same with a file in it.
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
                .isValidAuthenticationCode(
                    code,
                    authenticating: FormToken.purpose,
                    using: FormToken.key(of: secret)
                )
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
        "this form was made for another session, or did not come from these pages: open the page again, and repeat"
    )
}

extension ServerContext {
    /// Who sent a form, why, and by which key it is known when it is sent twice.
    func writer(_ form: PageForm, _ request: Request, reason: String = "") throws -> Caller {
        var caller = try requireCaller()
        caller.reason = reason.withUnixLineBreaks
        do {
            try JournalEvent.check(reason: caller.reason)
        } catch {
            // What the journal says itself of a form is told there.
            throw JournalError(error)
        }
        // The same form again is the same change; what was typed over and sent again is another.
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
