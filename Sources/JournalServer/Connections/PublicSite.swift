import Foundation
import HTTPTypes
import Hummingbird

/// How clients reach the service: its public address, and the proxies in between.
struct PublicSite: Sendable {
    /// The host, with the port if the public address names one; nil if no public address is set.
    let authority: String?
    /// Whether browsers reach the service over HTTPS alone.
    let isSecure: Bool
    /// Whether responses carry Strict-Transport-Security.
    let isStrict: Bool
    let proxies: [IPNetwork]
    let proxyHeader: ProxyHeader

    init(_ settings: ServerSettings) {
        let url = settings.publicURL.flatMap { PublicSite.url($0) }
        authority = url.flatMap { url in
            url.host()
                .map { host in
                    let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
                    return (url.port.map { "\(name):\($0)" } ?? name).lowercased()
                }
        }
        let isPublic = url?.scheme?.lowercased() == "https"
        isSecure = settings.speaksTLS || isPublic
        // A self-signed certificate on this machine must not make a browser reject plain HTTP to it for a year.
        isStrict = isPublic || (settings.speaksTLS && !settings.isLoopback)
        proxies = settings.trustedProxies
        proxyHeader = settings.proxyHeader
    }

    /// Parses a public address: a scheme and a host, optionally with a port, but without path, query, fragment or user.
    static func url(_ text: String) -> URL? {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()),
            url.host()?.isEmpty == false, ["", "/"].contains(url.path()), url.query() == nil, url.fragment() == nil,
            url.user() == nil
        else { return nil }
        return url
    }

    /// Returns the address of the client: that of the connection or, if that is a trusted proxy, the one that the proxy
    /// names.
    ///
    /// The addresses in the header are read from the end, because each proxy appends the address that it was called
    /// from. Addresses before the last one that is not a trusted proxy were written by the client and are ignored.
    func client(of request: Request, connectedFrom peer: IPAddress?) -> IPAddress? {
        guard var client = peer, isTrusted(client) else { return peer }
        for named in proxyHeader.addresses(in: request.headers).reversed() {
            guard let address = named else { break }
            client = address
            guard isTrusted(address) else { break }
        }
        return client
    }

    private func isTrusted(_ address: IPAddress) -> Bool { proxies.contains { $0.contains(address) } }
}

/// The header in which a proxy names the client.
package enum ProxyHeader: String, CaseIterable, Sendable {
    case xForwardedFor = "x-forwarded-for"
    /// RFC 7239.
    case forwarded

    /// Returns the addresses in their order; nil for each element that is not an address.
    func addresses(in headers: HTTPFields) -> [IPAddress?] {
        switch self {
        case .xForwardedFor:
            headers[values: .xForwardedFor].flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
                .map { ProxyHeader.address(String($0)) }
        case .forwarded:
            headers[values: .forwarded].flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
                .map { element in
                    let node = element.split(separator: ";")
                        .first { pair in
                            String(pair).trimming(\.isWhitespace).lowercased().hasPrefix("for=")
                        }
                    return node.flatMap {
                        ProxyHeader.address(String(String($0).trimming(\.isWhitespace).dropFirst(4)))
                    }
                }
        }
    }

    /// Parses an address that may be in quotation marks, in brackets, and with a port.
    private static func address(_ text: String) -> IPAddress? {
        var text = text.trimming { $0.isWhitespace || $0 == "\"" }
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            text = String(text[text.index(after: text.startIndex)..<end])
        } else if text.contains("."), let colon = text.firstIndex(of: ":"),
            !text[text.index(after: colon)...].contains(":")
        {
            text = String(text[..<colon])
        }
        return IPAddress(text)
    }
}

/// Rewrites a request as the client meant it: with the public host, the client's own address, and the plain session
/// cookie.
struct PublicSiteMiddleware: RouterMiddleware {
    let site: PublicSite

    func handle(
        _ request: Request,
        context: ServerContext,
        next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.client = site.client(of: request, connectedFrom: context.peer.flatMap { IPAddress($0) })
        guard site.authority != nil || site.isSecure else { return try await next(request, context) }
        var head = request.head
        if let authority = site.authority { head.authority = authority }
        if site.isSecure {
            let cookies = head.headerFields[values: .cookie].map(PublicSiteMiddleware.plain)
            if !cookies.isEmpty { head.headerFields[values: .cookie] = cookies }
        }
        return try await next(Request(head: head, body: request.body), context)
    }

    /// Removes the prefix of the session cookie, and drops a session cookie without the prefix.
    ///
    /// Another site under the same domain may have set the latter.
    private static func plain(_ cookies: String) -> String {
        cookies.split(separator: ";")
            .compactMap { pair in
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let name = String(parts[0]).trimming(\.isWhitespace)
                if name == SessionCookie.name { return nil }
                guard parts.count == 2, name == SessionCookie.securePrefix + SessionCookie.name else {
                    return String(pair)
                }
                return "\(SessionCookie.name)=\(parts[1])"
            }
            .joined(separator: ";")
    }
}
