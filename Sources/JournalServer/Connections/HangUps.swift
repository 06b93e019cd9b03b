import HealthModel
import NIOCore
import NIOHTTPTypes
import Platform

/// Cancels the work for requests whose clients have hung up.
///
/// A connection of HTTP/1.1, and an HTTP/2 stream, has one request in progress at a time.
final class HangUps: Sendable {
    private struct Client {
        var isGone = false
        var cancel: (@Sendable () -> Void)?
    }

    private let clients = Guarded<[ObjectIdentifier: Client]>([:])

    fileprivate func open(_ channel: any Channel) {
        clients.withLock { $0[ObjectIdentifier(channel)] = Client() }
    }

    fileprivate func hangUp(_ channel: any Channel) {
        let cancel = clients.withLock { clients in
            clients[ObjectIdentifier(channel)]?.isGone = true
            return clients[ObjectIdentifier(channel)]?.cancel
        }
        cancel?()
    }

    fileprivate func close(_ channel: any Channel) {
        hangUp(channel)
        clients.withLock { $0[ObjectIdentifier(channel)] = nil }
    }

    /// Runs work on the threads for long work, and cancels it if the client hangs up; waits until it has ended either way.
    func run<Value: Sendable>(
        for channel: any Channel,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let id = ObjectIdentifier(channel)
        let task = Task(executorPreference: LongWorkExecutor.shared) { try await work() }
        let isGone = clients.withLock { clients in
            clients[id]?.cancel = { task.cancel() }
            return clients[id]?.isGone ?? false
        }
        if isGone { task.cancel() }
        defer { clients.withLock { $0[id]?.cancel = nil } }
        do {
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch {
            guard task.isCancelled else { throw error }
            // The client does not read it; the metrics count it.
            throw Problem(ProblemType.slow.rawValue, ProblemType.slow.status, "the client closed the connection")
        }
    }
}

/// Tells `HangUps` of a channel whose client has closed its side, or the whole connection.
final class HangUpHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private let hangUps: HangUps

    init(_ hangUps: HangUps) {
        self.hangUps = hangUps
    }

    func handlerAdded(context: ChannelHandlerContext) { hangUps.open(context.channel) }

    func handlerRemoved(context: ChannelHandlerContext) { hangUps.close(context.channel) }

    func channelInactive(context: ChannelHandlerContext) {
        hangUps.hangUp(context.channel)
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // The end of a request closes this side of an HTTP/2 stream.
        if case .inputClosed? = event as? ChannelEvent, context.channel.connection === context.channel {
            hangUps.hangUp(context.channel)
        }
        context.fireUserInboundEventTriggered(event)
    }
}
