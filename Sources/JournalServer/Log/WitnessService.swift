package import EventLog
import Foundation
import HTTPTypes
import HealthJournal
import Hummingbird
package import Logging
import NIOCore
import Platform
import ServiceLifecycle

/// The HTTP interface of a witness: it takes checkpoints of the logs that it knows, and answers with cosignatures.
///
/// Its connections have the same limits and deadlines as those of a journal's service: a client that is silent stops no
/// other client.
package struct WitnessService: Service {
    private let witness: LogWitness
    private let host: String
    private let port: Int
    private let limits: ConnectionLimits
    private let logger: Logger
    private let onReady: @Sendable (Int) async -> Void

    /// `onReady` is called with the port when the service accepts requests.
    package init(
        _ witness: LogWitness,
        host: String,
        port: Int,
        limits: ConnectionLimits = ConnectionLimits(),
        logger: Logger,
        onReady: @escaping @Sendable (Int) async -> Void
    ) {
        (self.witness, self.host, self.port, self.limits) = (witness, host, port, limits)
        (self.logger, self.onReady) = (logger, onReady)
    }

    package func run() async throws {
        var limits = limits
        // There are no health checks to keep connections for.
        limits.reserved = 0
        let register = ConnectionRegister(limits)
        let router = Router(context: ServerContext.self)
        router.add(middleware: HostMiddleware())
        router.post("add-checkpoint") { [witness, opening = limits.opening] request, _ in
            do {
                let body = try await request.bytes(atMost: WitnessRequest.maximumBytes, within: opening)
                // It waits for the disk.
                let answer = try await BlockingWork.run {
                    try witness.answer(body, now: UInt64(Date().timeIntervalSince1970))
                }
                return Self.response(answer)
            } catch let problem as Problem {
                return problem.response
            } catch is NIOTooManyBytesError {
                return Problem.tooLarge(WitnessRequest.maximumBytes).response
            }
        }
        let application = Application(
            responder: router.buildResponder(),
            server: try .guarded(by: register, tls: nil),
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port),
                backlog: 1_024,
                availableConnectionsDelegate: .maximum(register.ceiling, logger: logger)
            ),
            onServerRunning: { [onReady] channel in await onReady(channel.localAddress?.port ?? 0) },
            logger: logger
        )
        try await register.run(application)
    }

    private static func response(_ answer: LogWitness.Answer) -> Response {
        switch answer {
        case .cosigned(let line): Response(Array(line.utf8), type: .text)
        case .conflict(let size): Response(Array("\(size)\n".utf8), status: .conflict, type: .treeSize)
        case .refused(let status, let reason):
            Response(Array("\(reason)\n".utf8), status: HTTPResponse.Status(code: status), type: .text)
        }
    }
}
