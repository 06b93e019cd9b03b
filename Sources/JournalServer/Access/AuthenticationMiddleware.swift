import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird

/// Authenticates the caller of a request.
///
/// A request without credentials continues without a caller: the route decides whether it requires one.
struct AuthenticationMiddleware: RouterMiddleware {
    let journal: Journal
    let provider: OpenIDProvider?
    let limiter: RequestLimiter
    let idle: IdleSessions

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
            try limiter.admit(bearer.account, isSafe: request.isSafe)
            context.caller = bearer
            await journal.accounts.keepUse(by: bearer)
        } else if let secret = request.sessionSecret, let caller = try await signedIn(by: secret, request) {
            // A browser attaches the cookie by itself, whichever page causes the request. A request that changes data
            // must therefore come from the service's own pages.
            guard request.isSafe || request.isFromOwnPages == true else { throw Problem.foreignPage }
            try limiter.admit(caller.account, isSafe: request.isSafe)
            context.caller = caller
            context.renew = { [self] () async throws(JournalError) in try await self.caller(by: secret, request) }
        }
        return try await next(request, context)
    }

    /// Rejects an invalid `Purpose` header on every request, even if the route does not record the purpose.
    private func checkPurpose(of request: Request) throws {
        try JournalEvent.check(purpose: request.headers.value(of: .purpose) ?? "")
    }

    /// Authenticates a bearer token, which is one of the journal's own or one of the provider's.
    private func caller(byToken token: String, _ request: Request) async throws(JournalError) -> Caller {
        guard let provider, OpenIDProvider.isItsKind(token) else {
            return try await caller(by: token, request)
        }
        let (issuer, subject, signedIn) = try await provider.subject(of: token)
        var caller = try await journal.accounts.authenticate(
            issuer: issuer,
            subject: subject,
            source: .http,
            purpose: request.headers.value(of: .purpose) ?? ""
        )
        caller.signedIn = signedIn
        caller.correlation = request.headers.value(of: .traceparent).flatMap(TraceContext.correlation)
        return caller
    }

    private func caller(by secret: String, _ request: Request) async throws(JournalError) -> Caller {
        let purpose = request.headers.value(of: .purpose) ?? ""
        var caller = try await journal.accounts.authenticate(secret, source: .http, purpose: purpose)
        caller.correlation = request.headers.value(of: .traceparent).flatMap(TraceContext.correlation)
        return caller
    }

    /// Ends a session that was idle for too long.
    private func end(_ session: UUID, of caller: Caller) async throws {
        var caller = caller
        caller.reason = "nobody used it"
        _ = try await journal.accounts.endSession(session, of: caller.account, caller)
    }

    /// Returns nil for a session that has ended: a browser still sends its cookie when it starts the next session.
    private func signedIn(by secret: String, _ request: Request) async throws -> Caller? {
        let known: Caller
        do {
            known = try await caller(by: secret, request)
        } catch  where error.code == .unauthenticated {
            return nil
        }
        guard let session = known.session else { return nil }
        let isAutomatic = request.uri.queryParameters[Substring(IdleSessions.automatic)] != nil
        if idle.use(session, isAutomatic: isAutomatic, at: journal.now) { return known }
        try await end(session, of: known)
        return nil
    }
}

extension String {
    fileprivate var bearerToken: String? {
        // Fast path for the usual spelling.
        if utf8.starts(with: "Bearer ".utf8) {
            let token = utf8.dropFirst(7)
            if !token.isEmpty, !token.contains(UInt8(ascii: " ")) { return String(token) }
        }
        let parts = split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }
}

/// Requires an authenticated caller before the request is processed, so that the body of an anonymous request is not
/// read.
struct CallerMiddleware: RouterMiddleware {
    func handle(
        _ request: Request,
        context: ServerContext,
        next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        _ = try context.requireCaller()
        return try await next(request, context)
    }
}
