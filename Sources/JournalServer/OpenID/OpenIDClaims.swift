import HealthModel
import JWTKit

/// What a provider's token says, once its signature is known to be good.
struct OpenIDClaims: JWTPayload {
    let iss: String
    let sub: String
    let aud: Audience
    /// Seconds since 1970, as all moments here.
    let exp: Double
    let nbf: Double?

    /// One name, or several.
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

    /// What they say is looked at by `hold(for:at:)`, which knows for whom and when.
    func verify(using algorithm: some JWTAlgorithm) async throws {}

    /// Whether they are this provider's, meant for this service, and of use now.
    func hold(for settings: OpenIDSettings, at now: Instant) -> Bool {
        let seconds = Double(now.microseconds) / 1_000_000
        return iss == settings.issuer && !sub.isEmpty && aud.names.contains(settings.audience)
            && seconds < exp + OpenIDClaims.leeway && (nbf ?? 0) - OpenIDClaims.leeway <= seconds
    }

    /// By how many seconds two clocks may differ.
    private static let leeway = 60.0
}
