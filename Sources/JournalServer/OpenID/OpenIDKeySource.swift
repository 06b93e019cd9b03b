import AsyncHTTPClient
import FoundationEssentials
import HealthJournal
import Interchange
import NIOCore
import NIOHTTP1

/// Where the document with a provider's keys is.
protocol OpenIDKeySource: Sendable {
    func document() async throws -> [UInt8]
}

/// A file that whoever runs the service keeps up to date.
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

/// The provider itself, which says of itself where its keys are.
struct OpenIDDiscovery: OpenIDKeySource {
    let issuer: String

    func document() async throws -> [UInt8] {
        let base = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
        let description = try JSONReader.read(try await ask(base + "/.well-known/openid-configuration"))
        // One provider must not speak for another.
        guard description["issuer"] == .string(issuer), case .string(let place)? = description["jwks_uri"],
            WebAddress(place)?.isTrusted == true
        else { throw JournalError(.failed, "the sign-in provider does not describe itself as \(issuer)") }
        return try await ask(place)
    }

    private func ask(_ address: String) async throws -> [UInt8] {
        let problem = JournalError(.failed, "\(address) does not answer as it should")
        do {
            let answer = try await HTTPClient.shared.execute(HTTPClientRequest(url: address), timeout: .seconds(5))
            guard answer.status == .ok else { throw problem }
            return [UInt8](buffer: try await answer.body.collect(upTo: OpenIDDiscovery.limit))
        } catch {
            throw problem
        }
    }

    /// In bytes; a provider's dozen keys take some ten thousand.
    private static let limit = 1 << 20
}
