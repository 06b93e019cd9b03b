import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// Pages for records: the list, the overview of one, and the forms to create, change and close one.
struct RecordPages: PageGroup {
    let pages: Pages

    func add(to routes: PageRoutes) {
        routes.get("/", start)
        routes.get("records", query: ["done"], home)
        routes.get("records/new", query: ["subject"], new)
        routes.post("records/new", query: ["subject"], create)
        routes.get("records/:record", query: MomentQuery.names + ["done"], show)
        routes.get("records/:record/add", choose)
        routes.get("records/:record/values", query: MomentQuery.names + ["done"], values)
        routes.get("records/:record/edit", edit)
        routes.post("records/:record/edit", change)
        routes.get("records/:record/close", confirmClosing)
        routes.post("records/:record/close", close)
        routes.get("records/:record/reopen", confirmReopening)
        routes.post("records/:record/reopen", reopen)
        routes.post("notices/:position", acknowledge)
    }

    @Sendable private func start(_ visit: PageVisit) async throws -> Response {
        // Only accounts of people have records; other accounts start at the audit trail.
        Pages.redirect(to: try visit.caller.hasRecords ? "/records" : "/trail")
    }

    @Sendable private func home(_ visit: PageVisit) async throws -> Response {
        let caller = try visit.caller
        let reader = visit.reader
        let isPerson = caller.hasRecords
        let notices =
            isPerson ? try await journal.sharing.notices(caller).filter { $0.emergency.acknowledged == nil } : []
        let names = pages.names(notices.map(\.emergency.account))
        var records: [(state: RecordState, card: HomePage.Card)] = []
        for record in isPerson ? try await journal.care.household(caller) : [] {
            records.append((record.state, try await card(record, caller, reader)))
        }
        let mayList = [.person, .auditor].contains(caller.kind)
        let practices = mayList ? try await journal.practices.list(caller) : []
        let page = HomePage(
            records,
            notices: notices.map { notice in
                HomePage.Notice(
                    position: notice.position,
                    record: reader.name(notice.displayName),
                    account: names[notice.emergency.account, reader],
                    opened: notice.emergency.opened.recordedAt,
                    expires: notice.emergency.expires,
                    ended: notice.emergency.ended?.recordedAt,
                    reason: notice.emergency.reason,
                    reader
                )
            },
            isPerson: isPerson,
            needsPassword: try journal.accounts.account(caller.account).password == nil,
            practices: practices.filter { !$0.roles.isEmpty && $0.practice.closed == nil }
                .map { HomePage.Practice($0.practice) },
            seesPractices: seesPractices(practices.map(\.roles), caller),
            today: journal.today,
            key: pages.key(),
            reader
        )
        return visit.response(page, reader.words["home"])
    }

    private func card(
        _ record: HouseholdRecord,
        _ caller: Caller,
        _ reader: Reader
    ) async throws -> HomePage.Card {
        let answer = record.today
        let now = answer.map { $0.clocks.person.wall(at: $0.now) }
        return HomePage.Card(
            record.state,
            answer?.document,
            stocks: answer?.stocks.map(\.document) ?? [],
            asNeeded: answer?.plans.contains { plan in now.map { plan.plan.plan.isPossible(at: $0) } ?? false }
                ?? false,
            contradictions: try answer.map(pages.contradictions) ?? [],
            values: record.values,
            vaccinations: record.vaccinations,
            appointment: record.isOwned ? try await pages.nextAppointment(of: record.state, caller, reader) : nil,
            mayAdd: try await pages.kindsByHand(to: record.state.id, caller),
            today: journal.today,
            reader
        )
    }

    /// Whether the page leads to practices: for their members, and for auditors if there are any.
    private func seesPractices(_ roles: [Set<ClinicRole>], _ caller: Caller) -> Bool {
        switch caller.kind {
        case .person: roles.contains { !$0.isEmpty }
        case .auditor: !roles.isEmpty
        case .tool, .administrator: false
        }
    }

    @Sendable private func show(_ visit: PageVisit) async throws -> Response {
        let moment = try MomentQuery(visit.query)
        let caller = try visit.caller
        let reader = visit.reader
        let answer = try await journal.records.read(
            visit.record(),
            ReadOptions(
                asOf: moment.asOf,
                happenedBy: moment.happenedBy,
                page: .newest(RecordPage.limit, of: RecordPage.limits)
            ),
            caller
        )
        let shown = moment.asOf == nil ? journal.now : answer.asOf.recordedAt
        let isOwned = answer.right == .owner && moment.asOf == nil && moment.happenedBy == nil
        let page = RecordPage(
            pages.head(answer, at: .overview, reader, moment),
            answer.state,
            sees: answer.kinds,
            mayAdd: try await pages.kindsByHand(to: answer.state.id, caller),
            at: reader.wall(at: shown),
            appointment: isOwned ? try await pages.nextAppointment(of: answer.state, caller, reader) : nil,
            pages.names(in: answer.state.entries),
            reader
        )
        return visit.response(page, reader.words["tab.overview"])
    }

    /// The newest value of each name.
    @Sendable private func values(_ visit: PageVisit) async throws -> Response {
        let moment = try MomentQuery(visit.query)
        let (record, caller) = (try visit.record(), try visit.caller)
        let reader = visit.reader
        let seen = try await journal.records.read(record, ReadOptions(page: .newest(0)), as: .list, caller).kinds
        let kinds = Kind.values.filter(seen.contains)
        let options = ReadOptions(
            asOf: moment.asOf,
            happenedBy: moment.happenedBy,
            kinds: kinds.isEmpty ? Kind.values : kinds,
            page: .newest(ValuesPage.entries)
        )
        let answer = try await journal.records.read(record, options, caller)
        let page = ValuesPage(
            pages.head(answer, at: .values, reader, moment),
            answer.state,
            sees: answer.kinds,
            mayAdd: try await journal.access.contributions(to: record, caller),
            reader
        )
        return visit.response(page, reader.words["tab.values"])
    }

    /// The kinds of entries to add, those first of which the record has most.
    @Sendable private func choose(_ visit: PageVisit) async throws -> Response {
        let (record, caller) = (try visit.record(), try visit.caller)
        let reader = visit.reader
        let mayAdd = try await pages.kindsByHand(to: record, caller)
        guard !mayAdd.isEmpty else { throw JournalError(.refused, "nothing may be added to the record") }
        let page = AddPage(
            try await visit.frame(record),
            mayAdd: mayAdd,
            counts: try await journal.records.counts(in: record, caller),
            reader
        )
        return visit.response(page, reader.words["addWhat"])
    }

    // MARK: - Creating and changing

    @Sendable private func new(_ visit: PageVisit) async throws -> Response {
        let subject = try subject(visit)
        let form = form(RecordProfile(subject: subject), visit.reader, new: subject)
        return visit.response(form, form.heading)
    }

    @Sendable private func create(_ visit: PageVisit) async throws -> Response {
        let subject = try subject(visit)
        let typed = try await visit.form()
        let reader = visit.reader
        var profile = RecordProfile(subject: subject)
        var problems = ProfileForm(reader).take(typed.values, into: &profile)
        var message: String?
        var sure = ""
        if problems.isEmpty, profile.displayName == RecordProfile(subject: subject).displayName {
            message = reader.words["nameNeeded"]
        } else if problems.isEmpty {
            do {
                let result = try await journal.records.createRecord(
                    profile,
                    refusingSimilar: typed["sure"] != profile.displayName,
                    visit.writer(typed)
                )
                return Pages.redirect(to: "/records/\(result.record?.text ?? "")?done=recordMade")
            } catch let error as JournalError where error.field == Journal.Records.similarRecord {
                message = reader.words["similarRecordAsk"]
                sure = profile.displayName
            } catch let error as JournalError where error.isOfTheForm {
                message = reader.message(for: error, &problems)
            }
        }
        var form = form(profile, reader, typed, problems, message, new: subject)
        if !sure.isEmpty {
            form.hidden.append(.init("sure", sure))
            form.submit = reader.words["saveAnyway"]
        }
        return visit.response(form, form.heading, status: .badRequest)
    }

    private func subject(_ visit: PageVisit) throws -> Subject {
        do {
            return try Subject(named: visit.query["subject"] ?? "human")
        } catch {
            throw JournalError(error)
        }
    }

    @Sendable private func edit(_ visit: PageVisit) async throws -> Response {
        let answer = try await ownRecord(visit)
        let reader = visit.reader
        let form = form(
            answer.state.profile,
            reader,
            head: pages.head(answer, at: .overview, reader),
            seen: answer.version
        )
        return visit.response(form, form.heading)
    }

    @Sendable private func change(_ visit: PageVisit) async throws -> Response {
        let typed = try await visit.form()
        let reader = visit.reader
        let answer = try await ownRecord(visit)
        var profile = answer.state.profile
        var problems = ProfileForm(reader).take(typed.values, into: &profile)
        var message: String?
        var (seen, values) = (UInt64(typed["version"]), typed.values)
        var before = answer.state.profile
        if let position = seen, position != answer.version {
            before = try await ownRecord(visit, asOf: position).state.profile
            // An entry that was added meanwhile does not conflict with a change of the profile.
            if before == answer.state.profile { seen = answer.version }
        }
        if problems.isEmpty {
            do {
                let changed = profile
                let result = try await journal.records.changeRecord(
                    answer.state.id,
                    expecting: seen,
                    visit.writer(typed, reason: typed["reason"])
                ) { profile throws(ModelError) in profile = changed }
                return Pages.redirect(
                    to: "/records/\(answer.state.id.text)?done=\(result.isChanged ? "changed" : "unchanged")"
                )
            } catch let error as JournalError where error.isOfTheForm {
                message = reader.message(for: error, &problems)
                if error.code == .stale {
                    let fields = ProfileForm(reader)
                    values = fields.fields(before).rebased(values, onto: fields.fields(answer.state.profile))
                    message =
                        reader.words[
                            "staleEntry",
                            reader.summary(of: answer.state.profile.shownChanges(from: before, reader))
                        ]
                    seen = answer.version
                }
            }
        }
        let form = form(
            answer.state.profile,
            reader,
            typed,
            values: values,
            problems,
            message,
            head: pages.head(answer, at: .overview, reader),
            seen: seen
        )
        return visit.response(form, form.heading, status: .badRequest)
    }

    /// Reads a record for a form that only those may use who may perform an action; throws `refused` for other callers.
    private func ownRecord(
        _ visit: PageVisit,
        to action: Action = .editProfile,
        asOf position: UInt64? = nil
    ) async throws -> RecordAnswer {
        let (record, caller) = (try visit.record(), try visit.caller)
        try await journal.access.require(action, on: record, caller)
        let options = ReadOptions(asOf: position.map { .position($0) }, page: .newest(0))
        return try await journal.records.read(record, options, caller)
    }

    private func form(
        _ profile: RecordProfile,
        _ reader: Reader,
        _ typed: PageForm? = nil,
        values: [String: String]? = nil,
        _ problems: [String: String] = [:],
        _ message: String? = nil,
        head: RecordHead? = nil,
        seen: UInt64? = nil,
        new subject: Subject? = nil
    ) -> FormPage {
        let words = reader.words
        var fields = ProfileForm(reader).fields(profile, typed: values ?? typed?.values, problems: problems)
        var heading = words["editHeading"]
        if let subject { heading = words[subject == .human ? "addPersonHeading" : "addAnimalHeading"] }
        if head != nil { fields.append(reader.reason(typed, problems)) }
        let address = head.map { "\($0.address)/edit" } ?? "/records/new?subject=\(subject?.name ?? "human")"
        return FormPage(
            head,
            heading: heading,
            problem: message ?? reader.summary(problems),
            action: address,
            cancel: head?.address ?? "/records",
            submit: words[head == nil ? "createRecord" : "save"],
            fields: fields,
            key: pages.key(typed),
            version: seen
        )
    }

    // MARK: - Closing

    @Sendable private func confirmClosing(_ visit: PageVisit) async throws -> Response {
        try await confirm("close", visit)
    }

    @Sendable private func confirmReopening(_ visit: PageVisit) async throws -> Response {
        try await confirm("reopen", visit)
    }

    private func confirm(_ what: String, _ visit: PageVisit) async throws -> Response {
        let form = try await confirmation(of: what, visit)
        return visit.response(form, form.heading)
    }

    private func confirmation(
        of what: String,
        _ visit: PageVisit
    ) async throws -> FormPage {
        let answer = try await ownRecord(visit, to: .manage)
        let reader = visit.reader
        let (head, words) = (pages.head(answer, at: .overview, reader), reader.words)
        let isClosing = what == "close"
        return FormPage(
            head,
            heading: words[isClosing ? "closeHeading" : "reopenHeading"],
            lead: words[isClosing ? "closeLead" : "reopenLead"],
            action: "\(head.address)/\(what)",
            cancel: head.address,
            submit: words[isClosing ? "closeRecord" : "reopenRecord"],
            fields: [reader.reason()],
            key: pages.key(),
            version: answer.version,
            isGrave: isClosing
        )
    }

    @Sendable private func close(_ visit: PageVisit) async throws -> Response {
        try await confirmed("close", "recordClosedNow", visit) { record, version, caller in
            _ = try await journal.records.closeRecord(record, expecting: version, caller)
        }
    }

    @Sendable private func reopen(_ visit: PageVisit) async throws -> Response {
        try await confirmed("reopen", "recordReopenedNow", visit) { record, version, caller in
            _ = try await journal.records.reopenRecord(record, expecting: version, caller)
        }
    }

    private func confirmed(
        _ what: String,
        _ done: String,
        _ visit: PageVisit,
        _ change: (UUID, UInt64?, Caller) async throws -> Void
    ) async throws -> Response {
        let record = try visit.record()
        return try await visit.confirmed(
            to: "/records/\(record.text)?done=\(done)",
            asking: { try await confirmation(of: what, visit) },
            doing: { typed, caller in try await change(record, UInt64(typed["version"]), caller) }
        )
    }

    @Sendable private func acknowledge(_ visit: PageVisit) async throws -> Response {
        let typed = try await visit.form()
        guard let position = visit.parameters.get("position").flatMap({ UInt64($0) }) else {
            throw JournalError(.notFound, "there is no such notice")
        }
        _ = try await journal.sharing.acknowledgeNotice(position, visit.writer(typed))
        return Pages.redirect(to: "/records")
    }
}
