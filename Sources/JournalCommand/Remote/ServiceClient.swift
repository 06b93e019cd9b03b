import ArgumentParser
import AsyncHTTPClient
import HealthJournal
import HealthModel
import Interchange
import NIOCore
import NIOHTTP1
import NIOSSL

/// Sends requests to a service over HTTP, and converts failures to errors that explain them to the user.
struct ServiceClient: Sendable {
    private let base: String
    private let token: String
    private let purpose: String
    private let http: HTTPClient

    /// A limit above the largest attachment, and above any answer except an export.
    private static let maximumAnswer = 256 << 20
    /// A timeout that is long enough for an erasure, or for a large attachment on a slow connection.
    private static let timeout: TimeAmount = .minutes(10)

    /// Creates a client; `purpose` is the reason for reading, and is sent with each request.
    init(_ address: ServiceAddress, purpose: String) throws {
        base = address.base
        token = address.token
        self.purpose = purpose
        var configuration = HTTPClient.Configuration()
        var tls = TLSConfiguration.makeClientConfiguration()
        if let file = address.certificateFile {
            guard let found = try? NIOSSLCertificate.fromPEMFile(file), !found.isEmpty else {
                throw ValidationError("--ca must be a PEM file of certificates, and \(file) is not one")
            }
            tls.additionalTrustRoots = [.certificates(found)]
        }
        configuration.tlsConfiguration = tls
        // The token is only for the named service, so redirects are not followed.
        configuration.redirectConfiguration = .disallow
        configuration.timeout.connect = .seconds(10)
        // A connection is attempted only once, because a person waits for the result.
        configuration.connectionPool.retryConnectionEstablishment = false
        http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    func close() async throws { try await http.shutdown() }

    /// Sends a request; repeats it once if the connection broke and a repetition is safe.
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

    /// Sends a request for a document, and passes its parts to `sink` as they arrive.
    func send(_ request: ServiceRequest, to sink: ([UInt8]) async throws -> Void) async throws {
        do {
            let response = try await execute(request)
            guard (200..<300).contains(response.status.code) else {
                throw try await answer(of: response).problem(of: base)
            }
            var parts = response.body.makeAsyncIterator()
            while let bytes = try await parts.next() {
                do { try await sink(Array(bytes.readableBytesView)) } catch { throw SinkFailure(cause: error) }
            }
        } catch let failure as SinkFailure {
            throw failure.cause
        } catch {
            throw ServiceFailure(error, at: base).journalError(afterChange: request)
        }
    }

    /// An error of the sink, which is not a failure of the service.
    private struct SinkFailure: Error {
        let cause: any Error
    }

    /// Returns whether the service answers, even if only with an error, within `limit`.
    func isReachable(within limit: Duration) async -> Bool {
        (try? await http.execute(HTTPClientRequest(url: base + "/health/live"), timeout: TimeAmount(limit))) != nil
    }

    private func attempt(_ request: ServiceRequest) async throws -> ServiceAnswer {
        let answer = try await answer(of: execute(request))
        if (200..<300).contains(answer.status) { return answer }
        throw answer.problem(of: base)
    }

    private func execute(_ request: ServiceRequest) async throws -> HTTPClientResponse {
        var sent = HTTPClientRequest(url: base + request.target)
        sent.method = HTTPMethod(rawValue: request.method.rawValue)
        sent.headers.add(name: "Authorization", value: "Bearer \(token)")
        sent.headers.add(name: "Accept", value: "*/*")
        if !purpose.isEmpty { sent.headers.add(name: "Purpose", value: purpose) }
        if let key = request.key { sent.headers.add(name: "Idempotency-Key", value: key) }
        if let position = request.expecting { sent.headers.add(name: "If-Match", value: "\"\(position)\"") }
        for header in request.headers { sent.headers.add(name: header.name, value: header.value) }
        if let body = request.body {
            sent.headers.add(name: "Content-Type", value: body.mediaType)
            sent.body = .bytes(ByteBuffer(bytes: body.bytes))
        }
        return try await http.execute(sent, timeout: ServiceClient.timeout)
    }

    private func answer(of response: HTTPClientResponse) async throws -> ServiceAnswer {
        let body = try await response.body.collect(upTo: ServiceClient.maximumAnswer)
        return ServiceAnswer(
            status: Int(response.status.code),
            mediaType: response.headers.first(name: "Content-Type") ?? "",
            tag: response.headers.first(name: "ETag"),
            retryAfter: response.headers.first(name: "Retry-After").flatMap { Int($0) },
            bytes: Array(body.readableBytesView)
        )
    }
}

/// The answer of a service.
struct ServiceAnswer {
    let status: Int
    let mediaType: String
    let tag: String?
    let retryAfter: Int?
    let bytes: [UInt8]

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Decodes the JSON object of the answer; throws an error that shows no content if that fails.
    func read<Value>(_ body: (NativeObject) throws(ModelError) -> Value) throws -> Value {
        do {
            return try body(NativeObject(JSONReader.read(bytes, maximumBytes: bytes.count)))
        } catch {
            throw JournalError(.failed, "the service's answer cannot be read; it may be of another version (\(error))")
        }
    }

    /// The position in the entity tag of the answer.
    var version: UInt64? {
        tag.flatMap { UInt64($0.filter { $0 != "\"" }) }
    }
}
