import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Lets a request of HTTP/1.1 through only as `HostMiddleware` can check it (RFC 9112, 3.2).
///
/// The conversion to `HTTPRequest` takes the first `Host` field as the authority, and forgets the protocol's version and
/// the authority of an absolute target. Therefore another handler before the conversion examines the head.
final class HostFieldHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    func handlerAdded(context: ChannelHandlerContext) {
        // An HTTP/2 stream has an authority of its own.
        guard context.channel.connection === context.channel else { return }
        do {
            let operations = context.pipeline.syncOperations
            let decoder = try operations.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try operations.addHandler(FirstHostFieldHandler(), position: .after(decoder))
        } catch {
            context.close(promise: nil)
        }
    }
}

/// Doubles the missing `Host` field of a request of HTTP/1.1, so that it is refused like one with two; and replaces the
/// field by the authority of an absolute target, which has precedence.
private final class FirstHostFieldHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else {
            context.fireChannelRead(data)
            return
        }
        let hosts = head.headers[FirstHostFieldHandler.name].count
        if hosts == 0, head.version != .http1_0 {
            head.headers.add(name: FirstHostFieldHandler.name, value: "")
            head.headers.add(name: FirstHostFieldHandler.name, value: "")
        } else if hosts <= 1, let authority = FirstHostFieldHandler.authority(of: head.uri) {
            head.headers.replaceOrAdd(name: FirstHostFieldHandler.name, value: authority)
        }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    /// The authority of a target in absolute form, such as `http://journal.example.org/health/live`.
    private static func authority(of target: String) -> String? {
        guard !target.hasPrefix("/"), let colon = target.firstRange(of: "://") else { return nil }
        return String(target[colon.upperBound...].prefix { !"/?#".contains($0) })
    }

    private static let name = "Host"
}
