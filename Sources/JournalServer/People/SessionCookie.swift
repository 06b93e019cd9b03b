import FoundationEssentials
import HTTPTypes
import HealthModel
import Hummingbird

/// The cookie that carries a browser's session.
struct SessionCookie: Sendable {
    /// The name that routes use; over HTTPS the cookie has a prefix that prevents other hosts from setting it.
    static let name = "hj_session"
    static let securePrefix = "__Host-"

    /// Whether browsers may send the cookie over TLS only.
    let isSecure: Bool

    /// The header that sets the cookie, until the session expires.
    func setting(_ secret: String, until expires: Instant, now: Instant) -> String {
        line(secret, seconds: max(0, (expires.microseconds - now.microseconds) / 1_000_000))
    }

    /// The header that deletes the cookie.
    var clearing: String { line("", seconds: 0) }

    private func line(_ value: String, seconds: Int64) -> String {
        // Scripts cannot read the cookie, and requests from other sites do not carry it.
        "\(isSecure ? SessionCookie.securePrefix : "")\(SessionCookie.name)=\(value); Max-Age=\(seconds); Path=/; HttpOnly; SameSite=Strict"
            + (isSecure ? "; Secure" : "")
    }
}

extension Request {
    /// The session secret in the request's cookies; nil if there is none, or more than one.
    var sessionSecret: String? {
        let found = headers[values: .cookie].flatMap { $0.split(separator: ";") }
            .compactMap { pair -> String? in
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2, String(parts[0]).trimming(\.isWhitespace) == SessionCookie.name else {
                    return nil
                }
                return String(parts[1]).trimming(\.isWhitespace)
            }
        // Another site under the same domain may have set a second cookie.
        guard found.count == 1, let secret = found.first, !secret.isEmpty else { return nil }
        return secret
    }

    /// Whether the request's method is safe: the request changes nothing.
    var isSafe: Bool { [.get, .head, .options].contains(method) }

    /// Whether the browser reports that the request comes from the service's own pages; nil if it reports nothing, as
    /// programs do.
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
