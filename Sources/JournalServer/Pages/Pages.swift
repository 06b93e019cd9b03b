import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages
import NIOCore

/// The dependencies and helpers that all pages share.
struct Pages: Sendable {
    let journal: Journal
    let cookie: SessionCookie
    let renderer: PageRenderer
    let languages: Languages
    /// Limits concurrent forms with a file, which are held in memory until they are processed.
    let uploads = ConcurrencyLimiter("uploads", total: BodyLimits.forms, perAccount: BodyLimits.formsPerAccount)

    let pdfs: PDFJobs
    let renders: RenderLimiters
    let long: LongRequests
    let reminders: ReminderSender
    private let idle: IdleSessions

    init(
        _ journal: Journal,
        _ cookie: SessionCookie,
        pdfs: PDFJobs,
        renders: RenderLimiters,
        long: LongRequests,
        reminders: ReminderSender,
        idle: IdleSessions,
        languages: Languages
    ) {
        self.journal = journal
        self.cookie = cookie
        self.pdfs = pdfs
        self.renders = renders
        self.long = long
        self.reminders = reminders
        self.idle = idle
        self.languages = languages
        do {
            renderer = try PageRenderer()
        } catch {
            // The templates are part of the program.
            preconditionFailure("the pages' templates cannot be read: \(error)")
        }
    }

    /// Renders a page as a response.
    func response(
        _ page: some WebPage,
        _ title: String,
        _ request: Request,
        _ context: ServerContext,
        status: HTTPResponse.Status = .ok,
        notice: PageFrame.Notice? = nil
    ) -> Response {
        let account = context.caller.map { caller in
            PageFrame.Account(
                id: caller.account.text,
                name: caller.name,
                hasRecords: caller.hasRecords,
                seesTrail: true
            )
        }
        let words = words(request, context)
        let reader = reader(request, context)
        let seconds = context.caller.flatMap { idle.secondsLeft(of: $0, at: journal.now) }
        let frame = PageFrame(
            title: page.isRefused ? words["errorTitle", title] : title,
            account: account,
            formToken: request.formToken ?? "",
            notice: notice,
            zone: account.map { _ in reader.words["footerZone", reader.zone.label] },
            sessionSeconds: seconds.map { String($0) }
        )
        var response = Response(
            Array(renderer.render(page, in: frame, words).utf8),
            status: status,
            type: .html
        )
        response.headers[.contentSecurityPolicy] = Pages.policy
        if let seconds { response.headers[.sessionSeconds] = String(seconds) }
        // With the policy `no-referrer`, a browser would also not send the origin of a form.
        response.headers[.referrerPolicy] = "same-origin"
        return response
    }

    /// Allows only resources of the service itself: no inline scripts or styles, no frames, no other sites.
    static let policy =
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; manifest-src 'self'; connect-src 'self'; "
        + "worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

    /// Redirects to another page, which is requested with GET.
    static func redirect(to address: String) -> Response {
        Response(status: .seeOther, headers: [.location: address])
    }

    /// The language and the formats of the request's sender.
    func reader(_ request: Request, _ context: ServerContext) -> Reader {
        readerSettings(request, context).reader(languages, zone: journal.zone)
    }

    /// The texts in the language of the request's sender.
    func words(_ request: Request, _ context: ServerContext) -> Words {
        readerSettings(request, context).language(languages).words
    }

    func readerSettings(_ request: Request, _ context: ServerContext) -> ReaderSettings {
        ReaderSettings(request, context.caller.flatMap { journal.accounts.knownPreferences(of: $0.account) })
    }

    /// Looks up the names of accounts; the names of medications are those of the given entries.
    func names(_ accounts: some Sequence<UUID>, plans: [EntryState] = []) -> Names {
        var names: [UUID: String] = [:]
        for account in Set(accounts) { names[account] = journal.accounts.name(of: account) }
        return Names(names, plans: plans.planProducts)
    }

    /// Looks up the names of the accounts that changed the entries, and of the medications among these.
    func names(in entries: [EntryState]) -> Names { names(entries.actors, plans: entries) }
}

extension [EntryState] {
    /// The accounts that added, corrected or last changed the entries.
    var actors: [UUID] { flatMap { [$0.added.actor, $0.corrected?.actor, $0.latest.actor].compactMap(\.self) } }
}
