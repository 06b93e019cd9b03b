import NIOCore
import NIOHTTPTypes

/// Closes a connection, or an HTTP/2 stream, whose client reads nothing of a response for too long.
///
/// Large body parts are written in pieces, so that a client that reads slowly can be distinguished from one that does
/// not read.
final class StalledAnswerHandler: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limit: TimeAmount
    private var waiting = 0
    private var progress = NIODeadline.now()
    private var check: Scheduled<Void>?

    init(_ limit: Duration) {
        self.limit = TimeAmount(limit)
    }

    func handlerRemoved(context: ChannelHandlerContext) { check?.cancel() }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .body(var bytes) = unwrapOutboundIn(data), bytes.readableBytes > StalledAnswerHandler.piece else {
            pass(data, promise, context)
            return
        }
        while bytes.readableBytes > StalledAnswerHandler.piece,
            let piece = bytes.readSlice(length: StalledAnswerHandler.piece)
        {
            pass(wrapOutboundOut(.body(piece)), nil, context)
        }
        pass(wrapOutboundOut(.body(bytes)), promise, context)
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        // Most responses have been written by now and need no timer.
        if waiting > 0, check == nil { watch(context) }
    }

    private func pass(_ data: NIOAny, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext) {
        if waiting == 0 { progress = .now() }
        waiting += 1
        let promise = promise ?? context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated()
            .whenComplete { [self] _ in
                waiting -= 1
                progress = .now()
            }
        context.write(data, promise: promise)
    }

    private func watch(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        check = context.eventLoop.scheduleTask(deadline: progress + limit) {
            let (this, context) = bound.value
            this.check = nil
            guard this.waiting > 0 else { return }
            if NIODeadline.now() >= this.progress + this.limit {
                context.close(promise: nil)
            } else {
                this.watch(context)
            }
        }
    }

    /// The size of a piece, in bytes.
    private static let piece = 64 << 10
}
