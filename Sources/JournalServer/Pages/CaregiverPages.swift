import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// Pages for a record's caregivers: list, invite and revoke them; and the page on which an invitation is accepted.
struct CaregiverPages: PageGroup {
    let pages: Pages

    func add(to routes: PageRoutes) {
        let caregivers = routes.group("records/:record/caregivers")
        caregivers.get("", query: MomentQuery.names + ["done"], list)
        caregivers.get("invite", new)
        caregivers.post("invite", invite)
        caregivers.get("practice", query: ["practice"], newPractice)
        caregivers.post("practice", grantPractice)
        caregivers.get(":account/revoke", confirmRevoking)
        caregivers.post(":account/revoke", revoke)
        routes.post("records/:record/invitations/:invitation/withdraw", withdraw)
        routes.get("invitation", code)
        routes.post("invitation", accept)
    }

    @Sendable private func list(_ visit: PageVisit) async throws -> Response {
        let moment = try MomentQuery(visit.query)
        let (record, caller) = (try visit.record(), try visit.caller)
        let reader = visit.reader
        let grants = try await journal.sharing.grants(of: record, asOf: moment.asOf, caller)
        let invitations = try await journal.sharing.invitations(to: record, caller)
            .filter { $0.isOpen(at: journal.now) }
        let page = CaregiversPage(
            try await visit.frame(record, at: .caregivers, moment: moment),
            grants,
            invitations,
            // Whether a grant was active on that day, not whether it is active today.
            today: try moment.asOf.map { try journal.trail.day(asOf: $0) } ?? journal.today,
            pages.names(grants.map(\.account) + grants.map(\.givenBy)),
            reader
        )
        return visit.response(page, reader.words["caregivers"])
    }

    // MARK: - Inviting

    @Sendable private func new(_ visit: PageVisit) async throws -> Response {
        let reader = visit.reader
        // Authorization: an account that may not see the invitations may not create one.
        _ = try await journal.sharing.invitations(to: visit.record(), visit.caller)
        let head = try await visit.frame(visit.record(), at: .caregivers)
        let form = form(head, reader)
        return visit.response(form, form.heading)
    }

    @Sendable private func invite(_ visit: PageVisit) async throws -> Response {
        let typed = try await visit.form()
        let reader = visit.reader
        let head = try await visit.frame(visit.record(), at: .caregivers)
        var problems: [String: String] = [:]
        let terms = terms(typed, &problems, reader)
        let days = Int(typed["days"]) ?? 0
        var message: String?
        if problems.isEmpty {
            do {
                let made = try await journal.sharing.invite(
                    terms,
                    to: visit.record(),
                    days: days,
                    visit.writer(typed, reason: typed["reason"])
                )
                let page = InvitationPage(
                    head,
                    code: made.code,
                    // The code is in the fragment, which browsers do not send to servers.
                    address: "\(visit.request.origin(isSecure: pages.cookie.isSecure))/invitation#code=\(made.code)",
                    expires: made.expires,
                    reader
                )
                return visit.response(page, reader.words["invitationMade"])
            } catch let error as JournalError where error.isOfTheForm {
                message = reader.message(for: error, &problems)
            }
        }
        let form = form(head, reader, typed, problems, message)
        return visit.response(form, form.heading, status: .badRequest)
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
                field("days", .number, String(Journal.Sharing.invitationDays)), reader.reason(typed, problems),
            ],
            key: pages.key(typed)
        )
    }

    // MARK: - Revoking

    @Sendable private func confirmRevoking(_ visit: PageVisit) async throws -> Response {
        let form = try await revoking(visit)
        return visit.response(form, form.heading)
    }

    private func revoking(_ visit: PageVisit) async throws -> FormPage {
        let reader = visit.reader
        let account = try visit.account()
        let record = try visit.record()
        let grants = try await journal.sharing.grants(of: record, visit.caller)
        guard grants.contains(where: { $0.account == account && $0.revoked == nil }) else {
            throw JournalError(.notFound, "there is no such grant")
        }
        let head = try await visit.frame(record, at: .caregivers)
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

    @Sendable private func revoke(_ visit: PageVisit) async throws -> Response {
        let record = try visit.record()
        return try await visit.confirmed(
            to: "/records/\(record.text)/caregivers?done=revokedNow",
            asking: { try await revoking(visit) },
            doing: { _, caller in _ = try await journal.sharing.revoke(visit.account(), on: record, caller) }
        )
    }

    @Sendable private func withdraw(_ visit: PageVisit) async throws -> Response {
        let typed = try await visit.form()
        let record = try visit.record()
        _ = try await journal.sharing.withdrawInvitation(visit.invitation(), of: record, visit.writer(typed))
        return Pages.redirect(to: "/records/\(record.text)/caregivers?done=withdrawnNow")
    }

    // MARK: - Accepting an invitation

    @Sendable private func code(_ visit: PageVisit) async throws -> Response {
        let form = acceptance(visit.reader)
        return visit.response(form, form.heading)
    }

    @Sendable private func accept(_ visit: PageVisit) async throws -> Response {
        let typed = try await visit.form()
        let reader = visit.reader
        let code = typed["code"].trimming(\.isWhitespace)
        do {
            // The hidden field `version` identifies the grant that the page showed as the one to be replaced.
            let replaced = UInt64(typed["version"]).map { GrantReplacement.given(at: $0) } ?? .none
            let caller = try visit.writer(typed)
            let result = try await journal.sharing.acceptInvitation(code, replacing: replaced, caller)
            return Pages.redirect(to: "/records/\(result.record?.text ?? "")?done=accepted")
        } catch let error as JournalError where error.code == .stale || error.field == "grant" {
            let preview = try await journal.sharing.previewInvitation(code, visit.caller)
            let form = replacement(of: preview, code, reader)
            return visit.response(form, form.heading, status: .conflict)
        } catch let error as JournalError where error.isOfTheForm || error.code == .notFound {
            let form = acceptance(reader, typed, reader.words.sentence(error.text))
            return visit.response(form, form.heading, status: .badRequest)
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
