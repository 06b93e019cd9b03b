import HealthJournal
import HealthModel
import Logging

/// An OpenID provider whose tokens the service accepts; verifies them with cached keys.
actor OpenIDProvider {
    private let settings: OpenIDSettings
    private let source: any OpenIDKeySource
    private let logger: Logger
    private let now: @Sendable () -> Instant
    private var keys: OpenIDKeys?
    /// When `keys` were requested.
    private var since: Instant?
    /// When the provider's keys were last requested.
    private var asked: Instant?
    private var asking: Task<OpenIDKeys, any Error>?

    init(_ settings: OpenIDSettings, logger: Logger, now: @escaping @Sendable () -> Instant) {
        self.settings = settings
        self.logger = logger
        self.now = now
        source = settings.keyFile.map(OpenIDKeyFile.init) ?? OpenIDDiscovery(issuer: settings.issuer)
    }

    /// Whether a bearer token has the form of a provider's token (a JWT: three parts separated by dots).
    nonisolated static func isItsKind(_ token: String) -> Bool {
        token.utf8.count { $0 == UInt8(ascii: ".") } == 2
    }

    /// Returns the identity that a token proves; every invalid token gets the same error.
    func subject(of token: String) async throws(JournalError) -> (
        issuer: String, subject: String, signedIn: Instant?
    ) {
        let keys = try await keys(for: token)
        guard keys.has(keyOf: token), let claims = try? await keys.claims(of: token),
            claims.hold(for: settings, at: now())
        else {
            throw JournalError(
                .unauthenticated,
                "the token was not issued by the sign-in provider for this service, or it has expired"
            )
        }
        return (claims.iss, claims.sub, claims.signedIn)
    }

    /// Returns the keys, and requests them again after an hour or when the token names an unlisted key.
    ///
    /// Requesting them hourly drops keys that the provider has withdrawn. While the provider does not respond, its last
    /// keys stay valid for a day.
    private func keys(for token: String) async throws(JournalError) -> OpenIDKeys {
        let known = isWithin(OpenIDProvider.day, of: since) ? keys : nil
        if let known, known.has(keyOf: token), isWithin(OpenIDProvider.hour, of: since) { return known }
        // Limits the requests to the provider, so that tokens with invented key ids do not cause one each.
        if asking != nil || !isWithin(OpenIDProvider.pause, of: asked) {
            do {
                return try await ask()
            } catch {
                logger.warning(
                    "the keys of the sign-in provider could not be fetched",
                    metadata: ["reason": "\(JournalError(error))"]
                )
            }
        }
        guard let known else { throw OpenIDProvider.unreachable }
        return known
    }

    private func isWithin(_ microseconds: Int64, of moment: Instant?) -> Bool {
        moment.map { now().microseconds < $0.microseconds + microseconds } ?? false
    }

    /// Requests the keys once for all concurrent callers.
    private func ask() async throws -> OpenIDKeys {
        if let asking { return try await asking.value }
        let task = Task { [source] in try await OpenIDKeys(source.document()) }
        asking = task
        asked = now()
        defer { asking = nil }
        let fresh = try await task.value
        (keys, since) = (fresh, asked)
        return fresh
    }

    private static let unreachable = JournalError(
        .busy,
        "the keys of the sign-in provider cannot be fetched at this moment",
        retryAfter: 30
    )

    /// In microseconds.
    private static let pause: Int64 = 30_000_000
    private static let hour: Int64 = 3_600_000_000
    private static let day = 24 * hour
}
