import HTTPTypes
import HealthModel
import Hummingbird

/// Refuses requests that do not state one host (RFC 9112, 3.2; RFC 9113, 8.3.1).
///
/// Two hosts in one request would be read differently by a proxy and by this service.
struct HostMiddleware: RouterMiddleware {
    func handle(
        _ request: Request,
        context: ServerContext,
        next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        var head = request.head
        let isStream = context.responseChannel.connection !== context.responseChannel
        // The first field of HTTP/1.1 is the authority already.
        let hosts = head.headerFields[values: .host]
        guard hosts.count <= (isStream ? 1 : 0) else { return Problem.host("must be stated once").response }
        if isStream {
            guard let authority = head.authority ?? hosts.first else {
                return Problem.host("must be stated once").response
            }
            guard hosts.allSatisfy({ $0.lowercased() == authority.lowercased() }) else {
                return Problem.host("must be the same as :authority").response
            }
            head.authority = authority
            head.headerFields[.host] = nil
        }
        if let authority = head.authority, !authority.utf8.allSatisfy(\.isAllowedInAuthority) {
            return Problem.host("must be a host name or an address, and optionally a port").response
        }
        return try await next(isStream ? Request(head: head, body: request.body) : request, context)
    }
}

extension Problem {
    fileprivate static func host(_ message: Message) -> Problem {
        Problem("invalid", .badRequest, message, field: "Host")
    }
}

extension UInt8 {
    /// Whether a byte may occur in a host and a port (RFC 3986, 3.2.2); user information may not.
    fileprivate var isAllowedInAuthority: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: Self.marksInAuthority.contains(self)
        }
    }

    private static let marksInAuthority = Set("-._~%!$&'()*+,;=:[]".utf8)
}
