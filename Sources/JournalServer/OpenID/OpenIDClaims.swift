import HealthModel
import JWTKit

/// The claims of a provider's token; used after its signature has been verified.
struct OpenIDClaims: JWTPayload {
    let iss: String
    let sub: String
    let aud: Audience
    /// Seconds since 1970, as for all times here.
    let exp: Double
    let nbf: Double?
    let iat: Double?
    /// When the person signed in at the provider; if it is missing, `iat` is used instead.
    let auth_time: Double?

    var signedIn: Instant? {
        (auth_time ?? iat).flatMap { Int64(exactly: ($0 * 1_000_000).rounded()) }.map { Instant(microseconds: $0) }
    }

    /// One audience name, or several.
    struct Audience: Codable, Sendable {
        let names: [String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let name = try? container.decode(String.self) {
                names = [name]
            } else {
                names = try container.decode([String].self)
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(names)
        }
    }

    /// Checks nothing: `hold(for:at:)` checks the claims, because it knows the service and the time.
    func verify(using algorithm: some JWTAlgorithm) async throws {}

    /// Whether the token is from this provider, is meant for this service, and is valid at this time.
    func hold(for settings: OpenIDSettings, at now: Instant) -> Bool {
        let seconds = Double(now.microseconds) / 1_000_000
        return iss == settings.issuer && !sub.isEmpty && aud.names.contains(settings.audience)
            && seconds < exp + OpenIDClaims.leeway && (nbf ?? 0) - OpenIDClaims.leeway <= seconds
    }

    /// The allowed clock difference, in seconds.
    private static let leeway = 60.0
}
