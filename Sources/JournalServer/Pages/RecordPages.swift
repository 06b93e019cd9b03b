import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// Pages for records: the list, the overview of one, and the forms to create, change and close one.
struct RecordPages {
    let pages: Pages
    private var journal: Journal { pages.journal }

    init(_ pages: Pages) {
        self.pages = pages
    }

    func add(to group: RouterGroup<ServerContext>) {
        group.get("/", use: start)
        group.get("records", use: list)
        group.get("records/new", use: new)
        group.post("records/new", use: create)
        group.get("records/:record", use: show)
        group.get("records/:record/edit", use: edit)
        group.post("records/:record/edit", use: change)
        group.get("records/:record/close", use: confirmClosing)
        group.post("records/:record/close", use: close)
        group.get("records/:record/reopen", use: confirmReopening)
        group.post("records/:record/reopen", use: reopen)
        group.post("notices/:position", use: acknowledge)
    }

    @Sendable private func start(_ request: Request, _ context: ServerContext) async throws -> Response {
        // Only accounts of people have records; other accounts start at the audit trail.
        Pages.redirect(to: try context.requireCaller().hasRecords ? "/records" : "/trail")
    }

    @Sendable private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["done"])
        let caller = try context.requireCaller()
        let reader = pages.reader(request, context)
        let isPerson = caller.hasRecords
        let records = isPerson ? try await journal.listRecords(caller) : []
        let notices = isPerson ? try await journal.notices(caller).filter { $0.emergency.acknowledged == nil } : []
        let names = pages.names(notices.map(\.emergency.account))
        let page = RecordsPage(
            records,
            withPlans: try await journal.recordsWithPlans(among: records.map(\.id), caller),
            notices: notices.map { notice in
                RecordsPage.Notice(
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
            needsPassword: try journal.account(caller.account).password == nil,
            hasPractices: try await seesPractices(caller),
            account: caller.account,
            today: journal.today,
            reader
        )
        return pages.response(
            page,
            reader.words["records"],
            request,
            context,
            notice: pages.notice(query, request, context)
        )
    }

    /// Whether the page leads to practices: for their members, and for auditors if there are any.
    private func seesPractices(_ caller: Caller) async throws -> Bool {
        switch caller.kind {
        case .person: try await journal.practices(caller).contains { !$0.roles.isEmpty }
        case .auditor: try await !journal.practices(caller).isEmpty
        case .tool, .administrator: false
        }
    }

    @Sendable private func show(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, MomentQuery.names + ["done"])
        let moment = try MomentQuery(query)
        let caller = try context.requireCaller()
        let reader = pages.reader(request, context)
        let answer = try await journal.read(
            context.record(),
            ReadOptions(
                asOf: moment.asOf,
                happenedBy: moment.happenedBy,
                page: .newest(RecordPage.entries + 1, ofUrgent: RecordPage.urgentEntries + 1)
            ),
            caller
        )
        let page = RecordPage(
            pages.head(answer, at: .overview, reader, moment),
            answer.state,
            sees: answer.kinds,
            mayAdd: try await journal.contributions(to: answer.state.id, caller),
            pages.names(in: answer.state.entries),
            reader
        )
        return pages.response(
            page,
            reader.words["tab.overview"],
            request,
            context,
            notice: pages.notice(query, request, context)
        )
    }

    // MARK: - Creating and changing

    @Sendable private func new(_ request: Request, _ context: ServerContext) async throws -> Response {
        let subject = try subject(request)
        let form = form(RecordProfile(subject: subject), pages.reader(request, context), new: subject)
        return pages.response(form, form.heading, request, context)
    }

    @Sendable private func create(_ request: Request, _ context: ServerContext) async throws -> Response {
        let subject = try subject(request)
        let typed = try await request.pageForm()
        let reader = pages.reader(request, context)
        var profile = RecordProfile(subject: subject)
        var problems = ProfileForm(reader).take(typed.values, into: &profile)
        var message: String?
        var sure = ""
        if problems.isEmpty, profile.displayName == RecordProfile(subject: subject).displayName {
            message = reader.words["nameNeeded"]
        } else if problems.isEmpty {
            do {
                let result = try await journal.createRecord(
                    profile,
                    refusingSimilar: typed["sure"] != profile.displayName,
                    context.writer(typed, request)
                )
                return Pages.redirect(to: "/records/\(result.record?.text ?? "")?done=recordMade")
            } catch let error as JournalError where error.field == Journal.similarRecord {
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
        return pages.response(form, form.heading, request, context, status: .badRequest)
    }

    private func subject(_ request: Request) throws -> Subject {
        let query = try Query(request, ["subject"])
        do {
            return try Subject(named: query["subject"] ?? "human")
        } catch {
            throw JournalError(error)
        }
    }

    @Sendable private func edit(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let answer = try await ownRecord(context)
        let reader = pages.reader(request, context)
        let form = form(
            answer.state.profile,
            reader,
            head: pages.head(answer, at: .overview, reader),
            seen: answer.version
        )
        return pages.response(form, form.heading, request, context)
    }

    @Sendable private func change(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let typed = try await request.pageForm()
        let reader = pages.reader(request, context)
        let answer = try await ownRecord(context)
        var profile = answer.state.profile
        var problems = ProfileForm(reader).take(typed.values, into: &profile)
        var message: String?
        var (seen, values) = (UInt64(typed["version"]), typed.values)
        var before = answer.state.profile
        if let position = seen, position != answer.version {
            before = try await ownRecord(context, asOf: position).state.profile
            // An entry that was added meanwhile does not conflict with a change of the profile.
            if before == answer.state.profile { seen = answer.version }
        }
        if problems.isEmpty {
            do {
                let changed = profile
                let result = try await journal.changeRecord(
                    answer.state.id,
                    expecting: seen,
                    context.writer(typed, request, reason: typed["reason"])
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
        return pages.response(form, form.heading, request, context, status: .badRequest)
    }

    /// Reads a record for a form that only those may use who may perform an action; throws `refused` for other callers.
    private func ownRecord(
        _ context: ServerContext,
        to action: Action = .editProfile,
        asOf position: UInt64? = nil
    ) async throws -> RecordAnswer {
        let (record, caller) = (try context.record(), try context.requireCaller())
        try await journal.require(action, on: record, caller)
        let options = ReadOptions(asOf: position.map { .position($0) }, page: .newest(0))
        return try await journal.read(record, options, caller)
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

    @Sendable private func confirmClosing(_ request: Request, _ context: ServerContext) async throws -> Response {
        try await confirm("close", request, context)
    }

    @Sendable private func confirmReopening(_ request: Request, _ context: ServerContext) async throws -> Response {
        try await confirm("reopen", request, context)
    }

    private func confirm(_ what: String, _ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let form = try await confirmation(of: what, request, context)
        return pages.response(form, form.heading, request, context)
    }

    private func confirmation(
        of what: String,
        _ request: Request,
        _ context: ServerContext
    ) async throws -> FormPage {
        let answer = try await ownRecord(context, to: .manage)
        let reader = pages.reader(request, context)
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

    @Sendable private func close(_ request: Request, _ context: ServerContext) async throws -> Response {
        try await confirmed("close", "recordClosedNow", request, context) { record, version, caller in
            _ = try await journal.closeRecord(record, expecting: version, caller)
        }
    }

    @Sendable private func reopen(_ request: Request, _ context: ServerContext) async throws -> Response {
        try await confirmed("reopen", "recordReopenedNow", request, context) { record, version, caller in
            _ = try await journal.reopenRecord(record, expecting: version, caller)
        }
    }

    private func confirmed(
        _ what: String,
        _ done: String,
        _ request: Request,
        _ context: ServerContext,
        _ change: (UUID, UInt64?, Caller) async throws -> Void
    ) async throws -> Response {
        _ = try Query(request, [])
        let record = try context.record()
        return try await pages.confirmed(
            request,
            context,
            to: "/records/\(record.text)?done=\(done)",
            asking: { try await confirmation(of: what, request, context) },
            doing: { typed, caller in try await change(record, UInt64(typed["version"]), caller) }
        )
    }

    @Sendable private func acknowledge(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let typed = try await request.pageForm()
        guard let position = context.parameters.get("position").flatMap({ UInt64($0) }) else {
            throw JournalError(.notFound, "there is no such notice")
        }
        _ = try await journal.acknowledgeNotice(position, context.writer(typed, request))
        return Pages.redirect(to: "/records")
    }
}
