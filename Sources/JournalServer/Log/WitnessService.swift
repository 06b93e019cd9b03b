package import EventLog
import Foundation
import HTTPTypes
import HealthJournal
import Hummingbird
package import Logging
import ServiceLifecycle

/// The HTTP interface of a witness: it takes checkpoints of the logs that it knows, and answers with cosignatures.
package struct WitnessService: Service {
    private let witness: LogWitness
    private let host: String
    private let port: Int
    private let logger: Logger
    private let onReady: @Sendable (Int) async -> Void

    /// `onReady` is called with the port when the service accepts requests.
    package init(
        _ witness: LogWitness,
        host: String,
        port: Int,
        logger: Logger,
        onReady: @escaping @Sendable (Int) async -> Void
    ) {
        (self.witness, self.host, self.port) = (witness, host, port)
        (self.logger, self.onReady) = (logger, onReady)
    }

    package func run() async throws {
        let router = Router(context: BasicRequestContext.self)
        router.post("add-checkpoint") { [witness] request, _ in
            let body = try await request.body.collect(upTo: WitnessRequest.maximumBytes)
            return try Self.response(
                witness.answer(Array(body.readableBytesView), now: UInt64(Date().timeIntervalSince1970))
            )
        }
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname(host, port: port)),
            onServerRunning: { [onReady] channel in await onReady(channel.localAddress?.port ?? 0) },
            logger: logger
        )
        try await application.run()
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
