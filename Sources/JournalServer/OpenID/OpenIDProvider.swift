import HealthJournal
import HealthModel
import Logging

/// A provider that signs people in, and whose tokens the service takes.
actor OpenIDProvider {
    private let settings: OpenIDSettings
    private let source: any OpenIDKeySource
    private let logger: Logger
    private let now: @Sendable () -> Instant
    private var keys: OpenIDKeys?
    /// Since when those are known.
    private var since: Instant?
    /// When the provider was asked last.
    private var asked: Instant?
    private var asking: Task<OpenIDKeys, any Error>?

    init(_ settings: OpenIDSettings, logger: Logger, now: @escaping @Sendable () -> Instant) {
        self.settings = settings
        self.logger = logger
        self.now = now
        source = settings.keyFile.map(OpenIDKeyFile.init) ?? OpenIDDiscovery(issuer: settings.issuer)
    }

    /// Whether a bearer's token is one of a provider rather than one of ours: three parts, told apart by dots.
    nonisolated static func isItsKind(_ token: String) -> Bool {
        token.utf8.count { $0 == UInt8(ascii: ".") } == 2
    }

    /// Of whom a token speaks; all that is wrong with one is answered alike.
    func subject(of token: String) async throws(JournalError) -> (issuer: String, subject: String) {
        let keys = try await keys(for: token)
        guard keys.has(keyOf: token), let claims = try? await keys.claims(of: token),
            claims.hold(for: settings, at: now())
        else {
            throw JournalError(
                .unauthenticated,
                "the token is not, or no longer, one that the sign-in provider made for here"
            )
        }
        return (claims.iss, claims.sub)
    }

    /// The keys, asked for anew when a token names one that is not there, and each hour: a key taken back counts no more.
    ///
    /// While the provider does not answer, what it said last is good for a day.
    private func keys(for token: String) async throws(JournalError) -> OpenIDKeys {
        let known = isWithin(OpenIDProvider.day, of: since) ? keys : nil
        if let known, known.has(keyOf: token), isWithin(OpenIDProvider.hour, of: since) { return known }
        // Whoever makes up names of keys does not make us ask for each.
        if asking != nil || !isWithin(OpenIDProvider.pause, of: asked) {
            do {
                return try await ask()
            } catch {
                logger.warning(
                    "the keys of the sign-in provider could not be had",
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

    /// Asks once for all who wait.
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
        "the sign-in provider cannot be asked for its keys at this moment",
        retryAfter: 30
    )

    /// In microseconds.
    private static let pause: Int64 = 30_000_000
    private static let hour: Int64 = 3_600_000_000
    private static let day = 24 * hour
}
