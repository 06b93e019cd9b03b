package import HealthJournal
package import Hummingbird
import Logging
package import NIOCore

/// What is known of a request besides what it says.
package struct ServerContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// Who asks; nil until they have shown it.
    package var caller: Caller?
    /// Asks again who that is, for an answer that goes on for long; throws when what was shown no longer lets anybody in.
    package var renew: Renewal?
    /// What names the request in the service's log, and to whoever asks about it.
    package let requestID: String
    /// Where the request came from; nil in a test without a network.
    package let peer: SocketAddress?

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        peer = source.channel.remoteAddress
        requestID = source.logger[metadataKey: "hb.request.id"]?.description ?? RequestID().description
    }

    /// For what is told of the request.
    ///
    /// Made when there is something: a logger writes out what it is to say with each line as soon as it is given.
    var log: Logger {
        var logger = logger
        logger[metadataKey: "request"] = .string(requestID)
        logger[metadataKey: "hb.request.id"] = nil
        return logger
    }

    func requireCaller() throws -> Caller {
        guard let caller else {
            throw JournalError(.unauthenticated, "show a token: Authorization: Bearer hj_…")
        }
        return caller
    }

    /// Asks who it is as often as it is called; there when a caller is.
    package typealias Renewal = @Sendable () async throws(JournalError) -> Caller

    func requireRenewal() throws -> Renewal {
        _ = try requireCaller()
        guard let renew else { throw JournalError(.unauthenticated, "show a token: Authorization: Bearer hj_…") }
        return renew
    }
}
