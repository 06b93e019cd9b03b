import ArgumentParser
import AsyncHTTPClient
import HealthJournal
import HealthModel
import Interchange
import NIOCore
import NIOHTTP1
import NIOSSL

/// Asks a service over HTTP, and says what went wrong in words for whoever runs the command.
struct ServiceClient: Sendable {
    private let base: String
    private let token: String
    private let purpose: String
    private let http: HTTPClient

    /// More than the largest document of a record, and than the largest attachment.
    private static let maximumAnswer = 256 << 20
    /// Long enough for an erasure or a large attachment on a slow line.
    private static let patience: TimeAmount = .minutes(10)

    /// `purpose` is why anything is looked at; it goes along with each request.
    init(_ address: ServiceAddress, purpose: String) throws {
        base = address.base
        token = address.token
        self.purpose = purpose
        var configuration = HTTPClient.Configuration()
        var tls = TLSConfiguration.makeClientConfiguration()
        if let file = address.certificateFile {
            guard let found = try? NIOSSLCertificate.fromPEMFile(file), !found.isEmpty else {
                throw ValidationError("--ca takes a PEM file of certificates, and \(file) is none")
            }
            tls.additionalTrustRoots = [.certificates(found)]
        }
        configuration.tlsConfiguration = tls
        // A token is for the service that was named, and for none that it points to.
        configuration.redirectConfiguration = .disallow
        configuration.timeout.connect = .seconds(10)
        // Whether it is there is asked once: a person waits for the answer.
        configuration.connectionPool.retryConnectionEstablishment = false
        http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    func close() async throws { try await http.shutdown() }

    /// Sends a request; once more where the connection broke and the service knows the same request again.
    func send(_ request: ServiceRequest) async throws -> ServiceAnswer {
        do {
            return try await attempt(request)
        } catch {
            let failure = ServiceFailure(error, at: base)
            guard failure.isBroken, request.isRepeatable else { throw failure.journalError(afterChange: request) }
        }
        do {
            return try await attempt(request)
        } catch {
            throw ServiceFailure(error, at: base).journalError(afterChange: request)
        }
    }

    private func attempt(_ request: ServiceRequest) async throws -> ServiceAnswer {
        var sent = HTTPClientRequest(url: base + request.target)
        sent.method = HTTPMethod(rawValue: request.method.rawValue)
        sent.headers.add(name: "Authorization", value: "Bearer \(token)")
        sent.headers.add(name: "Accept", value: "*/*")
        if !purpose.isEmpty { sent.headers.add(name: "Purpose", value: purpose) }
        if let key = request.key { sent.headers.add(name: "Idempotency-Key", value: key) }
        if let position = request.expecting { sent.headers.add(name: "If-Match", value: "\"\(position)\"") }
        if let body = request.body {
            sent.headers.add(name: "Content-Type", value: body.mediaType)
            sent.body = .bytes(ByteBuffer(bytes: body.bytes))
        }
        let response = try await http.execute(sent, timeout: ServiceClient.patience)
        let body = try await response.body.collect(upTo: ServiceClient.maximumAnswer)
        let answer = ServiceAnswer(
            status: Int(response.status.code),
            mediaType: response.headers.first(name: "Content-Type") ?? "",
            tag: response.headers.first(name: "ETag"),
            retryAfter: response.headers.first(name: "Retry-After").flatMap { Int($0) },
            bytes: Array(body.readableBytesView)
        )
        if (200..<300).contains(answer.status) { return answer }
        throw answer.problem(of: base)
    }
}

/// What a service answered.
struct ServiceAnswer {
    let status: Int
    let mediaType: String
    let tag: String?
    let retryAfter: Int?
    let bytes: [UInt8]

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Reads its JSON object; what cannot be read is the service's fault, and nothing of it is shown.
    func read<Value>(_ body: (NativeObject) throws(ModelError) -> Value) throws -> Value {
        do {
            return try body(NativeObject(JSONReader.read(bytes, maximumBytes: bytes.count)))
        } catch {
            throw JournalError(.failed, "the service's answer cannot be read; it may be of another version (\(error))")
        }
    }

    /// The position in its entity tag.
    var version: UInt64? {
        tag.flatMap { UInt64($0.filter { $0 != "\"" }) }
    }
}
