import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// Who is let in to a record: seen, invited, shut out again; and the page on which an invitation is used.
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
        let reader = pages.reader(request)
        let grants = try await journal.grants(of: record, asOf: moment.asOf, caller)
        let invitations = try await journal.invitations(to: record, caller).filter { $0.isOpen(at: journal.now) }
        let page = CaregiversPage(
            try await pages.frame(record, at: .caregivers, moment: moment, reader, context),
            grants,
            invitations,
            // Whether somebody was let in on that day, not whether they are today.
            today: try moment.asOf.map { try journal.day(asOf: $0) } ?? journal.today,
            pages.names(grants.map(\.account)),
            reader
        )
        return pages.response(page, reader.words["caregivers"], request, context, notice: pages.notice(query))
    }

    // MARK: - Invited

    @Sendable private func new(_ request: Request, _ context: ServerContext) async throws -> Response {
        let reader = pages.reader(request)
        // Asked of the gate: who may not see the invitations is not to make one.
        _ = try await journal.invitations(to: context.record(), context.requireCaller())
        let head = try await pages.frame(context.record(), at: .caregivers, reader, context)
        let form = form(head, reader)
        return pages.response(form, form.heading, request, context)
    }

    @Sendable private func invite(_ request: Request, _ context: ServerContext) async throws -> Response {
        let typed = try await request.pageForm()
        let reader = pages.reader(request)
        let head = try await pages.frame(context.record(), at: .caregivers, reader, context)
        var problems: [String: String] = [:]
        let terms = terms(typed, &problems)
        let days = Int(typed["days"]) ?? 0
        var told: String?
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
                    // Behind the #, which a browser tells no server.
                    address: "\(request.origin(isSecure: pages.cookie.isSecure))/invitation#code=\(made.code)",
                    expires: made.expires,
                    reader
                )
                return pages.response(page, reader.words["invitationMade"], request, context)
            } catch let error as JournalError where error.isOfTheForm {
                told = pages.told(error, &problems)
            }
        }
        let form = form(head, reader, typed, problems, told)
        return pages.response(form, form.heading, request, context, status: .badRequest)
    }

    private func terms(_ typed: PageForm, _ problems: inout [String: String]) -> GrantTerms {
        var terms = GrantTerms(
            sections: Set(Section.allCases.filter { typed.several("sections").contains($0.name) }),
            verbs: Set(Verb.allCases.filter { typed.several("verbs").contains($0.name) })
        )
        func day(_ name: String) -> Day? {
            guard !typed[name].isEmpty else { return nil }
            do {
                return try Day(parsing: typed[name])
            } catch {
                problems[name] = Sentence(error.message).text
                return nil
            }
        }
        terms.from = day("from")
        terms.until = day("until")
        return terms
    }

    private func form(
        _ head: RecordHead,
        _ reader: Reader,
        _ typed: PageForm? = nil,
        _ problems: [String: String] = [:],
        _ told: String? = nil
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
            problem: told ?? pages.summary(problems),
            action: "\(head.address)/caregivers/invite",
            cancel: "\(head.address)/caregivers",
            submit: words["makeInvitation"],
            fields: [
                sections, verbs, field("from", .day), field("until", .day),
                field("days", .number, String(Journal.invitationDays)), pages.reason(typed, problems),
            ],
            key: pages.key(typed)
        )
    }

    // MARK: - Shut out

    @Sendable private func confirmRevoking(_ request: Request, _ context: ServerContext) async throws -> Response {
        let form = try await revoking(request, context)
        return pages.response(form, form.heading, request, context)
    }

    private func revoking(_ request: Request, _ context: ServerContext) async throws -> FormPage {
        let reader = pages.reader(request)
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
            fields: [pages.reason()],
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

    // MARK: - Used

    @Sendable private func code(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let form = acceptance(pages.reader(request))
        return pages.response(form, form.heading, request, context)
    }

    @Sendable private func accept(_ request: Request, _ context: ServerContext) async throws -> Response {
        let typed = try await request.pageForm()
        let reader = pages.reader(request)
        do {
            let code = typed["code"].trimming(\.isWhitespace)
            let result = try await journal.acceptInvitation(code, context.writer(typed, request))
            return Pages.redirect(to: "/records/\(result.record?.text ?? "")?done=accepted")
        } catch let error as JournalError where error.isOfTheForm || error.code == .notFound {
            let form = acceptance(reader, typed, Sentence(error.message).text)
            return pages.response(form, form.heading, request, context, status: .badRequest)
        }
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
    /// Where the service is, as the browser knows it.
    ///
    /// It says so itself with a form; behind a proxy that speaks TLS the service does not know better.
    fileprivate func origin(isSecure: Bool) -> String {
        if isFromOwnPages == true, let origin = headers[.origin] { return origin }
        return "\(isSecure ? "https" : "http")://\(head.authority ?? "")"
    }
}
