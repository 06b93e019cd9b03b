import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// Pages to sign in and to sign out.
struct SignInPages: PageGroup {
    let pages: Pages

    func add(to routes: PageRoutes) {
        routes.get("sign-in", query: ["next", "done"], show)
        routes.post("sign-in", begin)
        routes.post("sign-out", end)
    }

    @Sendable private func show(_ visit: PageVisit) async throws -> Response {
        let reader = visit.reader
        let page = SignInPage(next: SignInPages.local(visit.query["next"] ?? ""))
        return visit.response(page, reader.words["signIn"])
    }

    @Sendable private func begin(_ visit: PageVisit) async throws -> Response {
        let reader = visit.reader
        // A page of another site must not sign in its visitor, neither to their own account nor to another one (login
        // CSRF).
        if visit.request.isFromOwnPages == false { throw Problem.foreignPage }
        let form = try PageForm(await visit.request.bytes(atMost: BodyLimits.strangersBytes))
        let next = SignInPages.local(form["next"])
        let source = SignInSource(.http, address: visit.context.client?.signInNetwork.description)
        do {
            try visit.request.requireMediaType(["application/x-www-form-urlencoded"])
            let code = form["code"].trimming(\.isWhitespace)
            let signIn =
                code.isEmpty
                ? try await journal.accounts.signIn(name: form["name"], password: form["password"], source)
                : try await journal.accounts.signIn(code: code, source)
            // Ends the previous session of the browser, which would otherwise stay open until it is idle for too long.
            // An error does not keep anybody from signing in, for example while the disk is full.
            if let old = visit.context.caller, let session = old.session {
                _ = try? await journal.accounts.endSession(session, of: old.account, old)
            }
            var response = Pages.redirect(to: next.isEmpty ? "/" : next)
            response.headers[.setCookie] = pages.cookie.setting(signIn.secret, until: signIn.expires, now: journal.now)
            return response
        } catch let error as JournalError where [.invalid, .unauthenticated, .busy].contains(error.code) {
            let page = SignInPage(name: form["name"], problem: reader.words.sentence(error.text), next: next)
            let status = Problem(error).status
            var response = visit.response(page, reader.words["signIn"], status: status)
            // The challenge is for programs; a browser would open its own password dialog.
            response.headers[.wwwAuthenticate] = nil
            if let retry = error.retryAfter { response.headers[.retryAfter] = String(retry) }
            return response
        }
    }

    @Sendable private func end(_ visit: PageVisit) async throws -> Response {
        let form = try PageForm(await visit.request.bytes(atMost: BodyLimits.strangersBytes))
        var response = Pages.redirect(to: "/sign-in?done=signedOut")
        response.headers[.setCookie] = pages.cookie.clearing
        guard let caller = visit.context.caller, let session = caller.session else { return response }
        try visit.request.requireToken(form["formToken"])
        _ = try await journal.accounts.endSession(session, of: caller.account, caller)
        return response
    }

    /// Returns the address if it is a path of these pages, and an empty text otherwise, to prevent open redirects.
    private static func local(_ address: String) -> String {
        let isLocal = address.hasPrefix("/") && !address.hasPrefix("//") && !address.hasPrefix("/\\")
        let isPlain = address.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }
        return isLocal && isPlain && !address.hasPrefix("/sign-") ? address : ""
    }
}
