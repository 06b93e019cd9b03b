import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// Pages for a record's caregivers: list, invite and revoke them; and the page on which an invitation is accepted.
struct CaregiverPages {
    let pages: Pages
    private var journal: Journal { pages.journal }

    init(_ pages: Pages) {
        self.pages = pages
    }

    func add(to group: RouterGroup<ServerContext>) {
        let caregivers = group.group("records/:record/caregivers")
        caregivers.get(use: list)
        caregivers.get("invite", use: new)
        caregivers.post("invite", use: invite)
        caregivers.get("practice", use: newPractice)
        caregivers.post("practice", use: grantPractice)
        caregivers.get(":account/revoke", use: confirmRevoking)
        caregivers.post(":account/revoke", use: revoke)
        group.post("records/:record/invitations/:invitation/withdraw", use: withdraw)
        group.get("invitation", use: code)
        group.post("invitation", use: accept)
    }

    @Sendable private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, MomentQuery.names + ["done"])
        let moment = try MomentQuery(query)
        let (record, caller) = (try context.record(), try context.requireCaller())
        let reader = pages.reader(request, context)
        let grants = try await journal.grants(of: record, asOf: moment.asOf, caller)
        let invitations = try await journal.invitations(to: record, caller).filter { $0.isOpen(at: journal.now) }
        let page = CaregiversPage(
            try await pages.frame(record, at: .caregivers, moment: moment, reader, context),
            grants,
            invitations,
            // Whether a grant was active on that day, not whether it is active today.
            today: try moment.asOf.map { try journal.day(asOf: $0) } ?? journal.today,
            pages.names(grants.map(\.account) + grants.map(\.givenBy)),
            reader
        )
        return pages.response(
            page,
            reader.words["caregivers"],
            request,
            context,
            notice: pages.notice(query, request, context)
        )
    }

    // MARK: - Inviting

    @Sendable private func new(_ request: Request, _ context: ServerContext) async throws -> Response {
        let reader = pages.reader(request, context)
        // Authorization: an account that may not see the invitations may not create one.
        _ = try await journal.invitations(to: context.record(), context.requireCaller())
        let head = try await pages.frame(context.record(), at: .caregivers, reader, context)
        let form = form(head, reader)
        return pages.response(form, form.heading, request, context)
    }

    @Sendable private func invite(_ request: Request, _ context: ServerContext) async throws -> Response {
        let typed = try await request.pageForm()
        let reader = pages.reader(request, context)
        let head = try await pages.frame(context.record(), at: .caregivers, reader, context)
        var problems: [String: String] = [:]
        let terms = terms(typed, &problems, reader)
        let days = Int(typed["days"]) ?? 0
        var message: String?
        if problems.isEmpty {
            do {
                let made = try await journal.invite(
                    terms,
                    to: context.record(),
                    days: days,
                    context.writer(typed, request, reason: typed["reason"])
                )
                let page = InvitationPage(
                    head,
                    code: made.code,
                    // The code is in the fragment, which browsers do not send to servers.
                    address: "\(request.origin(isSecure: pages.cookie.isSecure))/invitation#code=\(made.code)",
                    expires: made.expires,
                    reader
                )
                return pages.response(page, reader.words["invitationMade"], request, context)
            } catch let error as JournalError where error.isOfTheForm {
                message = reader.message(for: error, &problems)
            }
        }
        let form = form(head, reader, typed, problems, message)
        return pages.response(form, form.heading, request, context, status: .badRequest)
    }

    private func terms(_ typed: PageForm, _ problems: inout [String: String], _ reader: Reader) -> GrantTerms {
        var terms = GrantTerms(
            sections: Set(Section.allCases.filter { typed.several("sections").contains($0.name) }),
            verbs: Set(Verb.allCases.filter { typed.several("verbs").contains($0.name) })
        )
        func day(_ name: String) -> Day? {
            guard !typed[name].isEmpty else { return nil }
            do {
                return try Day(parsing: typed[name])
            } catch {
                problems[name] = reader.words.sentence(error.text)
                return nil
            }
        }
        terms.from = day("from")
        terms.until = day("until")
        terms.emergencyAfterEnd = typed["emergencyAfterEnd"] == "true"
        terms.notifies = typed["silent"] != "true"
        return terms
    }

    private func form(
        _ head: RecordHead,
        _ reader: Reader,
        _ typed: PageForm? = nil,
        _ problems: [String: String] = [:],
        _ message: String? = nil
    ) -> FormPage {
        let words = reader.words
        var sections = FormField("sections", words["sections"], .choice, problem: problems["sections"])
        sections.takesSeveral = true
        sections.options = Section.allCases.map { section in
            let isChosen = typed.map { $0.several("sections").contains(section.name) } ?? (section == .myhealth)
            return FormOption(section.name, words["section.\(section.name)"], isChosen: isChosen)
        }
        var verbs = FormField("verbs", words["verbs"], .choice, problem: problems["verbs"])
        verbs.takesSeveral = true
        verbs.options = Verb.allCases.map { verb in
            let isChosen = typed.map { $0.several("verbs").contains(verb.name) } ?? (verb == .read)
            return FormOption(verb.name, words["verb.\(verb.name)"], isChosen: isChosen)
        }
        func field(_ name: String, _ input: FormField.Input, _ value: String = "") -> FormField {
            FormField(name, words[name], input, value: typed?[name] ?? value, problem: problems[name])
        }
        return FormPage(
            head,
            heading: words["inviteHeading"],
            lead: words["inviteLead"],
            problem: message ?? reader.summary(problems),
            action: "\(head.address)/caregivers/invite",
            cancel: "\(head.address)/caregivers",
            submit: words["makeInvitation"],
            fields: [
                sections, verbs, field("from", .day), field("until", .day),
                FormField(
                    "emergencyAfterEnd",
                    words["emergencyAfterEnd"],
                    .flag,
                    value: typed?["emergencyAfterEnd"] ?? ""
                ),
                FormField("silent", words["silentGrant"], .flag, value: typed?["silent"] ?? ""),
                field("days", .number, String(Journal.invitationDays)), reader.reason(typed, problems),
            ],
            key: pages.key(typed)
        )
    }

    // MARK: - Revoking

    @Sendable private func confirmRevoking(_ request: Request, _ context: ServerContext) async throws -> Response {
        let form = try await revoking(request, context)
        return pages.response(form, form.heading, request, context)
    }

    private func revoking(_ request: Request, _ context: ServerContext) async throws -> FormPage {
        let reader = pages.reader(request, context)
        let account = try context.account()
        let record = try context.record()
        let grants = try await journal.grants(of: record, context.requireCaller())
        guard grants.contains(where: { $0.account == account && $0.revoked == nil }) else {
            throw JournalError(.notFound, "there is no such grant")
        }
        let head = try await pages.frame(record, at: .caregivers, reader, context)
        return FormPage(
            head,
            heading: reader.words["revokeHeading"],
            lead: reader.words["revokeLead", pages.names([account])[account, reader]],
            action: "\(head.address)/caregivers/\(account.text)/revoke",
            cancel: "\(head.address)/caregivers",
            submit: reader.words["revoke"],
            fields: [reader.reason()],
            key: pages.key(),
            isGrave: true
        )
    }

    @Sendable private func revoke(_ request: Request, _ context: ServerContext) async throws -> Response {
        let record = try context.record()
        return try await pages.confirmed(
            request,
            context,
            to: "/records/\(record.text)/caregivers?done=revokedNow",
            asking: { try await revoking(request, context) },
            doing: { _, caller in _ = try await journal.revoke(context.account(), on: record, caller) }
        )
    }

    @Sendable private func withdraw(_ request: Request, _ context: ServerContext) async throws -> Response {
        let typed = try await request.pageForm()
        let record = try context.record()
        _ = try await journal.withdrawInvitation(context.invitation(), of: record, context.writer(typed, request))
        return Pages.redirect(to: "/records/\(record.text)/caregivers?done=withdrawnNow")
    }

    // MARK: - Accepting an invitation

    @Sendable private func code(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let form = acceptance(pages.reader(request, context))
        return pages.response(form, form.heading, request, context)
    }

    @Sendable private func accept(_ request: Request, _ context: ServerContext) async throws -> Response {
        let typed = try await request.pageForm()
        let reader = pages.reader(request, context)
        let code = typed["code"].trimming(\.isWhitespace)
        do {
            // The hidden field `version` identifies the grant that the page showed as the one to be replaced.
            let replaced = UInt64(typed["version"]).map { GrantReplacement.given(at: $0) } ?? .none
            let caller = try context.writer(typed, request)
            let result = try await journal.acceptInvitation(code, replacing: replaced, caller)
            return Pages.redirect(to: "/records/\(result.record?.text ?? "")?done=accepted")
        } catch let error as JournalError where error.code == .stale || error.field == "grant" {
            let preview = try await journal.previewInvitation(code, context.requireCaller())
            let form = replacement(of: preview, code, reader)
            return pages.response(form, form.heading, request, context, status: .conflict)
        } catch let error as JournalError where error.isOfTheForm || error.code == .notFound {
            let form = acceptance(reader, typed, reader.words.sentence(error.text))
            return pages.response(form, form.heading, request, context, status: .badRequest)
        }
    }

    /// Builds the form that asks whether the invitation is to replace the account's present grant, and shows both
    /// terms.
    private func replacement(of preview: InvitationPreview, _ code: String, _ reader: Reader) -> FormPage {
        let words = reader.words
        var field = FormField("code", words["code"], .code, value: code)
        field.isRequired = true
        func shown(_ terms: GrantTerms) -> String {
            words["replacedTerms", reader.sections(terms.sections), reader.verbs(terms.verbs), reader.term(terms)]
        }
        return FormPage(
            heading: words["replaceHeading"],
            lead: words["replaceLead"],
            facts: [
                .init(words["before"], preview.replaced.map { shown($0.terms) } ?? words["nothing"]),
                .init(words["after"], shown(preview.terms)),
            ],
            action: "/invitation",
            cancel: "/records",
            submit: words["replaceGrant"],
            fields: [field],
            key: pages.key(),
            version: preview.replaced?.given.position
        )
    }

    private func acceptance(_ reader: Reader, _ typed: PageForm? = nil, _ problem: String? = nil) -> FormPage {
        var field = FormField("code", reader.words["code"], .code, value: typed?["code"] ?? "", problem: problem)
        field.isRequired = true
        return FormPage(
            heading: reader.words["acceptHeading"],
            lead: reader.words["acceptLead"],
            problem: problem.map { _ in reader.words.count(1, "fieldsWrong", "1") },
            action: "/invitation",
            cancel: "/records",
            submit: reader.words["accept"],
            fields: [field],
            key: pages.key(typed)
        )
    }
}

extension Request {
    /// The service's origin as the browser knows it.
    ///
    /// A browser sends it in the header `Origin` of a form. Behind a proxy that terminates TLS, the service cannot
    /// determine it otherwise.
    func origin(isSecure: Bool) -> String {
        if isFromOwnPages == true, let origin = headers[.origin] { return origin }
        return "\(isSecure ? "https" : "http")://\(head.authority ?? "")"
    }
}
