import NIOCore

/// Closes a connection that takes too long to send its first request, or is idle too long between requests.
///
/// It observes requests, not bytes: neither a slow TLS handshake nor HTTP/2 pings keep a connection open. NIO's
/// `IdleStateHandler` observes bytes and is therefore not used. The handler is placed before TLS, where it works for
/// every protocol.
final class ConnectionGuard: ChannelInboundHandler {
    typealias InboundIn = NIOAny
    typealias InboundOut = NIOAny

    private let register: ConnectionRegister
    private let limits: ConnectionLimits
    private var check: Scheduled<Void>?
    /// When the graceful shutdown began; nil before.
    private var quiesced: NIODeadline?

    init(_ register: ConnectionRegister, _ limits: ConnectionLimits) {
        self.register = register
        self.limits = limits
    }

    func handlerAdded(context: ChannelHandlerContext) { look(context) }

    func handlerRemoved(context: ChannelHandlerContext) {
        check?.cancel()
        register.remove(context.channel)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        context.fireUserInboundEventTriggered(event)
        guard event is ChannelShouldQuiesceEvent else { return }
        // The later handlers close in the way of their protocol. During a TLS handshake there are none yet.
        quiesced = .now()
        look(context)
    }

    private func look(_ context: ChannelHandlerContext) {
        check?.cancel()
        let now = NIODeadline.now()
        var deadline = deadline(context.channel, now)
        if let quiesced { deadline = min(deadline, max(quiesced, now - ConnectionGuard.quiet) + ConnectionGuard.quiet) }
        guard deadline > now || register.activity(of: context.channel)?.activity == .busy else {
            context.close(promise: nil)
            return
        }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        check = context.eventLoop.scheduleTask(deadline: max(deadline, now + .milliseconds(100))) {
            let (this, context) = bound.value
            this.look(context)
        }
    }

    /// When the connection is to be closed, or checked again.
    private func deadline(_ channel: any Channel, _ now: NIODeadline) -> NIODeadline {
        // The register has removed the connection, which is being closed.
        guard let (activity, isReserved) = register.activity(of: channel) else { return now + ConnectionGuard.pace }
        switch activity {
        case .busy: return now + ConnectionGuard.pace
        case .opening(let since):
            return since + TimeAmount(isReserved ? min(ConnectionLimits.reservedIdle, limits.opening) : limits.opening)
        case .idle(let since):
            return since + TimeAmount(isReserved ? min(ConnectionLimits.reservedIdle, limits.idle) : limits.idle)
        }
    }

    /// How often a connection with a request in progress is checked.
    private static let pace = TimeAmount.seconds(2)
    /// How long a connection without a request may stay open while the server stops.
    private static let quiet = TimeAmount.seconds(1)
}
