import Crypto
import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird

/// Where the metrics are shown, and to whom.
package struct MetricsSettings: Sendable {
    /// The address of a listener for metrics and health checks alone; nil if they are shown at the service's address.
    package var host: String?
    package var port = 9420
    /// The token that a request for the metrics must show; nil for none.
    package var token: String?

    package init() {}

    /// The least length of a token.
    package static let tokenLength = 16

    /// The reason why the service must not start with these settings; nil if it may.
    var objection: String? {
        if let host, token == nil, !ServerSettings.isLoopback(host) {
            return "others can reach the metrics at \(host): give --metrics-token-file, or listen on 127.0.0.1"
        }
        if let token, token.utf8.count < MetricsSettings.tokenLength {
            return "the token of the metrics must have \(MetricsSettings.tokenLength) characters or more"
        }
        return nil
    }
}

/// Decides who is shown the metrics.
///
/// They contain no data of records, but tell how much the service is used, and when. Without a token, they are shown to
/// programs of this machine alone: a proxy on this machine connects from it too, and would show them to everybody. So they
/// are not shown at the service's address if the settings tell of a proxy, or if the request does.
struct MetricsAccess: Sendable {
    private let digest: SHA256.Digest?
    private let isShown: Bool
    private let isBehindProxy: Bool

    /// `isOwnAddress` tells whether the request arrives at the listener for metrics.
    init(_ settings: ServerSettings, isOwnAddress: Bool = false) {
        digest = settings.metrics.token.map { SHA256.hash(data: Data($0.utf8)) }
        isShown = isOwnAddress || settings.metrics.host == nil
        isBehindProxy =
            !isOwnAddress
            && (settings.publicURL != nil || !settings.trustedProxies.isEmpty || !settings.isLoopback
                || settings.allowsPlainHTTP)
    }

    /// Throws if the metrics are not shown to the sender of a request.
    func admit(_ request: Request, _ context: ServerContext) throws(JournalError) {
        guard isShown else {
            throw JournalError(.notFound, "the metrics are at an address of their own")
        }
        if let digest {
            let shown = request.headers[.authorization]?.split(separator: " ").last ?? ""
            // The comparison of digests takes the same time whatever they have in common.
            guard request.headers[.authorization]?.lowercased().hasPrefix("bearer ") == true,
                SHA256.hash(data: Data(shown.utf8)) == digest
            else { throw JournalError(.unauthenticated, "the metrics need their token: Authorization: Bearer TOKEN") }
            return
        }
        guard !isBehindProxy, !request.isForwarded, context.peer.map({ IPAddress($0)?.isLoopback == true }) ?? true
        else {
            throw JournalError(
                .refused,
                "the metrics are shown to programs of this machine alone: see --metrics-listen and --metrics-token-file"
            )
        }
    }
}

extension Request {
    /// Whether the request names a proxy that forwards it, or reached it under a name that is not this machine's.
    fileprivate var isForwarded: Bool {
        let names = ["forwarded", "via", "x-real-ip"]
        let isNamed = headers.contains { field in
            names.contains(field.name.canonicalName) || field.name.canonicalName.hasPrefix("x-forwarded")
        }
        guard !isNamed, let authority = head.authority else { return isNamed }
        guard let host = URL(string: "http://\(authority)")?.host() else { return true }
        return !(host.lowercased() == "localhost" || IPAddress(host.trimming { "[]".contains($0) })?.isLoopback == true)
    }
}
