import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
import NIOCore
import NIOSSL
import ServiceLifecycle

extension HTTPServerBuilder {
    /// HTTP/1.1, or with TLS also HTTP/2, over connections that a register admits and that have deadlines.
    static func guarded(by register: ConnectionRegister, tls: TLSConfiguration?) throws -> HTTPServerBuilder {
        let limits = register.limits
        let http1 = HTTP1Channel.Configuration(
            additionalChannelHandlers: [
                HostFieldHandler(), HangUpHandler(register.hangUps), StalledAnswerHandler(limits, register.unsent),
            ],
            idleTimeout: TimeAmount(limits.idle),
            httpDecoderConfiguration: HTTP1Channel.Configuration.DecoderConfiguration(
                maxHeaderFieldSize: HeaderLimits.field,
                maxHeaderListSize: HeaderLimits.all,
                maxHeaderFieldCount: HeaderLimits.count
            )
        )
        guard let tls else {
            return HTTPServerBuilder { responder in
                GuardedChannel(
                    base: HTTP1Channel(responder: register.responder(responder), configuration: http1),
                    register: register,
                    limits: limits
                )
            }
        }
        let http2 = HTTP2UpgradeChannel.Configuration(
            idleTimeout: limits.idle,
            gracefulCloseTimeout: limits.draining,
            streamConfiguration: http1
        )
        return HTTPServerBuilder { responder in
            GuardedChannel(
                base: try HTTP2UpgradeChannel(
                    tlsConfiguration: tls,
                    configuration: http2,
                    responder: register.responder(responder)
                ),
                register: register,
                limits: limits
            )
        }
    }
}

extension ConnectionRegister {
    /// Runs an application whose connections the register admits, until it is stopped.
    func run(_ application: some ApplicationProtocol) async throws {
        try await withGracefulShutdownHandler {
            try await application.run()
        } onGracefulShutdown: {
            // Closes the connections that are still open then, so that the stop ends without a cancellation.
            Task {
                try? await Task.sleep(for: self.limits.draining)
                self.closeAll()
            }
        }
    }
}
