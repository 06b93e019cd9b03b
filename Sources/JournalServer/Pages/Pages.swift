import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages
import NIOCore

/// What all pages are made with.
struct Pages: Sendable {
    let journal: Journal
    let cookie: SessionCookie
    let renderer: PageRenderer
    /// Forms with a file, which are held in memory until they are done with.
    let uploads = OpenStreams("uploads", most: BodyLimits.forms, perAccount: BodyLimits.formsPerAccount)

    init(_ journal: Journal, _ cookie: SessionCookie) {
        self.journal = journal
        self.cookie = cookie
        do {
            renderer = try PageRenderer()
        } catch {
            // The templates are part of the program.
            preconditionFailure("the pages' templates cannot be read: \(error)")
        }
    }

    var words: Words { renderer.words }

    /// The page as an answer.
    func response(
        _ page: some WebPage,
        _ title: String,
        _ request: Request,
        _ context: ServerContext,
        status: HTTPResponse.Status = .ok,
        notice: String? = nil
    ) -> Response {
        let account = context.caller.map { caller in
            PageFrame.Account(
                name: caller.name,
                hasRecords: caller.kind == .person,
                seesTrail: true
            )
        }
        let frame = PageFrame(
            title: title,
            account: account,
            formToken: request.formToken ?? "",
            notice: notice
        )
        var response = Response(Array(renderer.render(page, in: frame).utf8), status: status, type: .html)
        response.headers[.contentSecurityPolicy] = Pages.policy
        // Without any, a browser does not say either that a form comes from here.
        response.headers[.referrerPolicy] = "same-origin"
        return response
    }

    /// Nothing but what the service serves itself: no script and no style in a page, no frame, no other site.
    static let policy =
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
        + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

    /// To another page, by a GET.
    static func redirect(to address: String) -> Response {
        Response(status: .seeOther, headers: [.location: address])
    }

    /// How the request's sender reads dates and numbers.
    func reader(_ request: Request) -> Reader {
        ReaderSettings(request).reader(words, zone: journal.zone)
    }

    /// What accounts are called.
    func names(_ accounts: some Sequence<UUID>) -> Names {
        var names: [UUID: String] = [:]
        for account in Set(accounts) { names[account] = journal.name(of: account) }
        return Names(names)
    }
}

extension [EntryState] {
    /// Everybody who had a hand in them.
    var actors: [UUID] { flatMap { [$0.added.actor, $0.corrected?.actor, $0.latest.actor].compactMap(\.self) } }
}
