import AsyncHTTPClient
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import NIOCore
import NIOHTTP1

/// A source of a provider's key document (JWKS).
protocol OpenIDKeySource: Sendable {
    func document() async throws -> [UInt8]
}

/// A file that the operator keeps up to date.
struct OpenIDKeyFile: OpenIDKeySource {
    let path: String

    func document() async throws -> [UInt8] {
        do {
            return [UInt8](try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw JournalError(.failed, "\(path) cannot be read")
        }
    }
}

/// OpenID Connect discovery: the provider's own metadata names the address of its keys.
struct OpenIDDiscovery: OpenIDKeySource {
    let issuer: String

    func document() async throws -> [UInt8] {
        let base = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
        let description = try JSONReader.read(try await ask(base + "/.well-known/openid-configuration"))
        // A provider must not describe another issuer.
        guard description["issuer"] == .string(issuer), case .string(let place)? = description["jwks_uri"],
            WebAddress(place)?.isTrusted == true
        else { throw JournalError(.failed, "the sign-in provider does not describe itself as \(issuer)") }
        return try await ask(place)
    }

    private func ask(_ address: String) async throws -> [UInt8] {
        let problem = JournalError(.failed, "\(address) does not answer as expected")
        do {
            let answer = try await OpenIDDiscovery.client
                .execute(HTTPClientRequest(url: address), timeout: .seconds(5))
            guard answer.status == .ok else { throw problem }
            return [UInt8](buffer: try await answer.body.collect(upTo: OpenIDDiscovery.limit))
        } catch {
            throw problem
        }
    }

    /// Follows no redirects: one could lead to plain HTTP or to an untrusted host.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    /// In bytes; a dozen keys take about ten thousand.
    private static let limit = 1 << 20
}
