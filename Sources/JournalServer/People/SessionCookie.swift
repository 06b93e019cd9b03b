import FoundationEssentials
import HTTPTypes
import HealthModel
import Hummingbird

/// The cookie by which a browser shows its session.
struct SessionCookie: Sendable {
    static let name = "hj_session"

    /// Whether the browser may send it over TLS alone.
    let isSecure: Bool

    /// The header that sets it, until the session expires.
    func setting(_ secret: String, until expires: Instant, now: Instant) -> String {
        line(secret, seconds: max(0, (expires.microseconds - now.microseconds) / 1_000_000))
    }

    /// The header that takes it back.
    var clearing: String { line("", seconds: 0) }

    private func line(_ value: String, seconds: Int64) -> String {
        // No script may read it, and no page of another site may have it sent.
        "\(SessionCookie.name)=\(value); Max-Age=\(seconds); Path=/; HttpOnly; SameSite=Strict"
            + (isSecure ? "; Secure" : "")
    }
}

extension Request {
    /// The secret of a session that a browser shows; nil where there is none, or more than one.
    var sessionSecret: String? {
        let found = headers[values: .cookie].flatMap { $0.split(separator: ";") }
            .compactMap { pair -> String? in
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2, String(parts[0]).trimming(\.isWhitespace) == SessionCookie.name else {
                    return nil
                }
                return String(parts[1]).trimming(\.isWhitespace)
            }
        // Another site under the same domain may have planted a second one.
        guard found.count == 1, let secret = found.first, !secret.isEmpty else { return nil }
        return secret
    }

    /// Whether the request changes nothing, whoever sends it.
    var isSafe: Bool { [.get, .head, .options].contains(method) }

    /// What the browser says of where the request comes from; nil where it says nothing, as a program does.
    var isFromOwnPages: Bool? {
        if let site = headers[.secFetchSite], !["same-origin", "none"].contains(site) { return false }
        if let origin = headers[.origin] {
            let parts = origin.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 3, ["http:", "https:"].contains(parts[0]), parts[1].isEmpty, !parts[2].isEmpty else {
                return false
            }
            return parts[2].lowercased() == head.authority?.lowercased()
        }
        return headers[.secFetchSite] == nil ? nil : true
    }
}
