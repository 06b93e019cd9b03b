import FoundationEssentials
package import HealthJournal
import HealthModel
package import Hummingbird
import Logging
package import NIOCore
import Platform

/// Request state that is not part of the request itself.
package struct ServerContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The authenticated caller; nil if the request has not been authenticated.
    package var caller: Caller? { didSet { note.set(caller) } }
    /// Authenticates the same credential again, for long-lived responses; nil without a caller.
    ///
    /// Throws when the credential is no longer valid.
    package var renew: Renewal?
    /// Identifies the request in the service's log and in the response header `X-Request-Id`.
    package let requestID: String
    /// The account and the correlation id for the service's log.
    let note = RequestNote()
    /// The connection of HTTP/1.1, or the HTTP/2 stream, that the response is sent through.
    let responseChannel: any Channel
    /// The address of the connection's other end; nil in a test without a network.
    package let peer: SocketAddress?
    /// The address of the client, also when a trusted proxy forwards the request; nil in a test without a network.
    var client: IPAddress?

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        responseChannel = source.channel
        peer = source.channel.remoteAddress
        requestID = source.logger[metadataKey: "hb.request.id"]?.description ?? RequestID().description
    }

    /// The logger for messages about this request.
    ///
    /// It is created on demand because a log handler formats its metadata as soon as the metadata is set.
    var log: Logger {
        var logger = logger
        logger[metadataKey: "request"] = .string(requestID)
        logger[metadataKey: "hb.request.id"] = nil
        return logger
    }

    func requireCaller() throws -> Caller {
        guard let caller else {
            throw JournalError(.unauthenticated, "a token is required: Authorization: Bearer hj_…")
        }
        return caller
    }

    /// Authenticates the credential again on each call, and returns the caller.
    package typealias Renewal = @Sendable () async throws(JournalError) -> Caller

    func requireRenewal() throws -> Renewal {
        _ = try requireCaller()
        guard let renew else { throw JournalError(.unauthenticated, "a token is required: Authorization: Bearer hj_…") }
        return renew
    }
}

/// Who sent a request, known once it has been authenticated.
///
/// All copies of the request's context share it, so that an outer middleware can read it.
final class RequestNote: Sendable {
    private let state = Guarded<(account: UUID?, correlation: UUID?)>((nil, nil))

    var account: UUID? { state.withLock(\.account) }
    /// The id that the events of the request share with those of other programs, if the client gave one.
    var correlation: UUID? { state.withLock(\.correlation) }

    func set(_ caller: Caller?) { state.withLock { $0 = (caller?.account, caller?.correlation) } }
}
