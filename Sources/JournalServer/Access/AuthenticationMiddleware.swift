import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird

/// Finds out who asks.
///
/// A request that shows nothing goes on without a caller: the route says whether it needs one.
struct AuthenticationMiddleware: RouterMiddleware {
    let journal: Journal
    let provider: OpenIDProvider?

    func handle(
        _ request: Request,
        context: ServerContext,
        next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        try checkPurpose(of: request)
        if let shown = request.headers.value(of: .authorization) {
            guard let secret = shown.bearerToken else {
                throw JournalError(.unauthenticated, "the header Authorization must read: Bearer hj_…")
            }
            context.renew = { [self] () async throws(JournalError) in try await caller(byToken: secret, request) }
            let bearer = try await caller(byToken: secret, request)
            context.caller = bearer
            await journal.keepUse(by: bearer)
        } else if let secret = request.sessionSecret, let caller = try signedIn(by: secret, request) {
            // A browser sends the cookie whoever asks it to: what changes something must come from our own pages.
            guard request.isSafe || request.isFromOwnPages == true else { throw Problem.foreignPage }
            context.caller = caller
            context.renew = { [self] () async throws(JournalError) in try self.caller(by: secret, request) }
        }
        return try await next(request, context)
    }

    /// Refused alike wherever it is sent, also where it would not be kept.
    private func checkPurpose(of request: Request) throws {
        let purpose = request.headers.value(of: .purpose) ?? ""
        guard purpose.isNoLonger(than: Query.maximumLength) else {
            throw JournalError(.invalid, field: "Purpose", "is longer than \(Query.maximumLength) characters")
        }
        try JournalEvent.check(reason: purpose, field: "Purpose")
    }

    /// Of the journal's own tokens, or of the provider's.
    private func caller(byToken token: String, _ request: Request) async throws(JournalError) -> Caller {
        guard let provider, OpenIDProvider.isItsKind(token) else { return try caller(by: token, request) }
        let (issuer, subject) = try await provider.subject(of: token)
        var caller = try journal.authenticate(
            issuer: issuer,
            subject: subject,
            source: .http,
            purpose: request.headers.value(of: .purpose) ?? ""
        )
        caller.correlation = request.headers.value(of: .traceparent).flatMap(TraceContext.correlation)
        return caller
    }

    private func caller(by secret: String, _ request: Request) throws(JournalError) -> Caller {
        var caller = try journal.authenticate(secret, source: .http, purpose: request.headers.value(of: .purpose) ?? "")
        caller.correlation = request.headers.value(of: .traceparent).flatMap(TraceContext.correlation)
        return caller
    }

    /// Nil for a session that is over: a browser shows its cookie also when it is about to begin the next.
    private func signedIn(by secret: String, _ request: Request) throws -> Caller? {
        do {
            let caller = try caller(by: secret, request)
            return caller.session == nil ? nil : caller
        } catch  where error.code == .unauthenticated {
            return nil
        }
    }
}

extension String {
    fileprivate var bearerToken: String? {
        // As nearly all write it.
        if utf8.starts(with: "Bearer ".utf8) {
            let token = utf8.dropFirst(7)
            if !token.isEmpty, !token.contains(UInt8(ascii: " ")) { return String(token) }
        }
        let parts = split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }
}
