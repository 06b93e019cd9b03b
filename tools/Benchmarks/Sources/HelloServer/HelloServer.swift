import Hummingbird
import Logging

/// The least that a JSON service can do: what the journal's service is measured against.
@main
struct HelloServer {
    struct Hello: ResponseEncodable {
        let hello: String
    }

    static func main() async throws {
        let router = Router()
        router.get("hello") { _, _ in Hello(hello: "world") }
        // As many bytes as a page of the journal has: what moving them costs by itself.
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
