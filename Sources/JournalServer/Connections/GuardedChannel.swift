import HTTPTypes
import HealthModel
import HummingbirdCore
import Logging
import NIOCore
import Platform

/// Connections of any protocol, admitted by a `ConnectionRegister` and watched by a `ConnectionGuard`.
///
/// The protocol is set up when the connection is handled, not when it is accepted. Until then it has no state to
/// finish, so a connection that a cancelled server never handles can simply be closed.
struct GuardedChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let register: ConnectionRegister
    let limits: ConnectionLimits

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<AcceptedConnection> {
        channel.eventLoop.makeCompletedFuture {
            guard register.admit(channel) else {
                channel.close(promise: nil)
                throw ChannelError.connectionRefused
            }
            // Without this, the kernel buffers megabytes before it becomes visible that the client does not read.
            try channel.syncOptions?
                .setOption(.tcpOption(GuardedChannel.unsentBytes), value: GuardedChannel.mostUnsent)
            // Reads nothing until the protocol handlers are installed.
            try channel.syncOptions?.setOption(.autoRead, value: false)
            try channel.pipeline.syncOperations.addHandler(ConnectionGuard(register, limits))
            return AcceptedConnection(channel)
        }
    }

    /// The socket option `TCP_NOTSENT_LOWAT` of Linux, and its value in bytes.
    private static var unsentBytes: NIOBSDSocket.Option { NIOBSDSocket.Option(rawValue: 25) }
    private static var mostUnsent: Int { 128 << 10 }

    func handle(value connection: AcceptedConnection, logger: Logger) async {
        let channel = connection.channel
        do {
            let value = try await channel.eventLoop
                .flatSubmit { () -> EventLoopFuture<Base.Value> in
                    guard channel.isActive else {
                        return channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
                    }
                    return base.setup(channel: channel, logger: logger)
                }
                .get()
            channel.setOption(.autoRead, value: true).whenFailure { _ in channel.close(promise: nil) }
            // On the event loop, so that a health check is answered without a wait for other threads.
            await withTaskExecutorPreference(EventLoopExecutor(channel.eventLoop)) {
                await base.handle(value: value, logger: logger)
            }
        } catch {
            channel.close(promise: nil)
        }
    }
}

/// An accepted connection; closed if it is released, handled or not.
final class AcceptedConnection: ServerChildChannelValue {
    let channel: any Channel

    init(_ channel: any Channel) {
        self.channel = channel
    }

    deinit { channel.close(promise: nil) }
}

extension ChannelError {
    fileprivate static var connectionRefused: ChannelError { .inappropriateOperationForState }
}

extension ConnectionRegister {
    /// Wraps a responder: counts the requests of each connection, restricts reserved connections to health checks, and
    /// leaves the event loop, on which it is called.
    func responder(_ responder: @escaping HTTPChannelHandler.Responder) -> HTTPChannelHandler.Responder {
        { request, writer, channel in
            let isReserved = self.begin(channel)
            defer { self.end(channel) }
            if isReserved, request.uri.path.hasPrefix("/health/") == false {
                let refusal = Problem.crowded.response
                var headers = refusal.headers
                headers[.connection] = "close"
                try await writer.write(
                    response: HTTPResponse(status: refusal.status, headerFields: headers),
                    body: refusal.body
                )
                return
            }
            var writer: ResponseWriter? = consume writer
            try await withTaskExecutorPreference(Self.executor(of: request)) {
                guard let writer = writer.take() else { preconditionFailure("a request is answered once") }
                try await responder(request, writer, channel)
            }
        }
    }

    /// Returns where a request is answered; nil for the event loop.
    ///
    /// Health checks do not wait behind other requests for a thread of the cooperative pool: an operator's monitor would
    /// take a busy service for one that hangs.
    private static func executor(of request: Request) -> (any TaskExecutor)? {
        switch request.uri.path {
        case "/health/live": nil
        case "/health/ready": readiness
        default: globalConcurrentExecutor
        }
    }

    /// Reads files, which may block; one check at a time, because everybody can ask for many.
    private static let readiness = LongWorkExecutor(oneAtATime: "healthjournal.readiness")
}

extension Problem {
    /// All connections are in use, and this one is reserved for health checks.
    fileprivate static var crowded: Problem {
        var problem = Problem(
            "busy",
            .serviceUnavailable,
            "the service has reached its limit of connections; try again later"
        )
        problem.headers[.retryAfter] = "5"
        return problem
    }
}
