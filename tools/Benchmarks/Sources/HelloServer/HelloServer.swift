import Hummingbird
import Logging

/// A minimal JSON service, the baseline of the journal's service.
@main
struct HelloServer {
    struct Hello: ResponseEncodable {
        let hello: String
    }

    static func main() async throws {
        let router = Router()
        router.get("hello") { _, _ in Hello(hello: "world") }
        // A response of the same size as a page of the journal, which measures the cost of transferring the bytes.
        let page = ByteBuffer(
            repeating: UInt8(ascii: " "),
            count: CommandLine.arguments.dropFirst(2).first.flatMap(Int.init) ?? 13_000
        )
        router.get("page") { _, _ in
            Response(status: .ok, headers: [.contentType: "application/json"], body: ResponseBody(byteBuffer: page))
        }
        router.post("hello") { request, _ in
            _ = try await request.body.collect(upTo: 1 << 20)
            return Hello(hello: "world")
        }
        let port = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 8430
        var logger = Logger(label: "hello")
        logger.logLevel = .error
        try await Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port), backlog: 1_024),
            logger: logger
        )
        .runService()
    }
}
