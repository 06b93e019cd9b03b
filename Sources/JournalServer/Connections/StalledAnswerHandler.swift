import NIOCore
import NIOHTTPTypes

/// Closes a connection, or an HTTP/2 stream, whose client reads nothing of a response for too long.
///
/// Large body parts are written in pieces, so that a client that reads slowly can be distinguished from one that does
/// not read. The pieces count as unsent until they have left, and a stream beyond a limit is reset before its request is
/// read.
final class StalledAnswerHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limit: TimeAmount
    private let limitUnderPressure: TimeAmount
    private let unsent: UnsentBytes
    private var isOneTooMany = false
    private var waiting = 0
    private var progress = NIODeadline.now()
    private var check: Scheduled<Void>?

    init(_ limits: ConnectionLimits, _ unsent: UnsentBytes) {
        limit = TimeAmount(limits.stalled)
        limitUnderPressure = TimeAmount(min(limits.stalled, limits.stalledUnderPressure))
        self.unsent = unsent
    }

    func handlerAdded(context: ChannelHandlerContext) { isOneTooMany = !unsent.open(context.channel) }

    func handlerRemoved(context: ChannelHandlerContext) {
        check?.cancel()
        unsent.close(context.channel)
    }

    func channelActive(context: ChannelHandlerContext) {
        if isOneTooMany { context.close(promise: nil) } else { context.fireChannelActive() }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head: pass(data, 0, promise, context)
        case .body(var bytes):
            unsent.write(bytes.readableBytes, to: context.channel)
            while bytes.readableBytes > StalledAnswerHandler.piece,
                let piece = bytes.readSlice(length: StalledAnswerHandler.piece)
            {
                pass(wrapOutboundOut(.body(piece)), piece.readableBytes, nil, context)
            }
            pass(wrapOutboundOut(.body(bytes)), bytes.readableBytes, promise, context)
        case .end:
            unsent.finish(context.channel)
            pass(data, 0, promise, context)
        }
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        // Most responses have been written by now and need no timer.
        if waiting > 0, check == nil { watch(context) }
    }

    private func pass(
        _ data: NIOAny,
        _ bytes: Int,
        _ promise: EventLoopPromise<Void>?,
        _ context: ChannelHandlerContext
    ) {
        let channel = context.channel
        if waiting == 0 { progress = .now() }
        waiting += 1
        let promise = promise ?? context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated()
            .whenComplete { [self] _ in
                waiting -= 1
                progress = .now()
                if bytes > 0 { unsent.take(bytes, from: channel) }
            }
        context.write(data, promise: promise)
    }

    private func watch(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        // Pressure can begin at any time.
        let next = min(progress + limit, max(progress, .now()) + limitUnderPressure)
        check = context.eventLoop.scheduleTask(deadline: next) {
            let (this, context) = bound.value
            this.check = nil
            guard this.waiting > 0 else { return }
            let limit = this.unsent.isPressed(context.channel) ? this.limitUnderPressure : this.limit
            if NIODeadline.now() >= this.progress + limit {
                context.close(promise: nil)
            } else {
                this.watch(context)
            }
        }
    }

    /// The size of a piece, in bytes.
    private static let piece = 64 << 10
}
