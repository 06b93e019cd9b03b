import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import JournalPages

/// Pages about due doses: the day, the month, the adherence and the stock, and the forms that log doses.
struct CarePages: PageGroup {
    let pages: Pages

    func add(to routes: PageRoutes) {
        routes.get("records/:record/today", query: ["day", "asOf", "done"], today)
        routes.post("records/:record/today", log)
        routes.get("records/:record/today/ahead", ahead)
        routes.post("records/:record/today/undo", undo)
        routes.post("records/:record/today/snooze", snooze)
        routes.get("records/:record/calendar", query: ["month", "asOf"], calendar)
        routes.get("records/:record/adherence", query: ["from", "last", "by", "asOf"], adherence)
        routes.get("records/:record/stock", query: ["asOf", "done"], stock)
        routes.get("records/:record/sheet", query: ["from", "asOf"], sheet)
    }

    /// The kinds that a reader of these pages must be allowed to see.
    static let kinds = [Dose.kind]

    // MARK: - The day

    @Sendable private func today(_ visit: PageVisit) async throws -> Response {
        let moment = try asOf(visit.query)
        let caller = try visit.caller
        let reader = visit.reader
        let record = try visit.record()
        var question = CareQuestion(asOf: moment.asOf)
        question.from = try visit.query.value("day") { text throws(ModelError) in try Day(parsing: text) }
        let answer = try await journal.care.today(of: record, question, includesStock: true, caller)
        let head = try await visit.frame(record, at: .today, moment: moment, kinds: CarePages.kinds)
        let now = answer.clocks.person.wall(at: answer.now)
        let seesFindings = try await journal.interactionChecks.mayKnowFindings(of: record, caller)
        let page = TodayPage(
            head,
            answer.document,
            asNeeded: answer.plans.filter { $0.plan.plan.isPossible(at: now) }.map { ($0.plan.id, $0.plan.name) },
            stocks: answer.stocks.map(\.document),
            vaccinations: answer.vaccinations,
            findings: seesFindings
                ? try await journal.interactionChecks.findings(of: record, isOpen: true, asOf: moment.asOf, caller)
                : [],
            versions: try pages.contradictions(answer),
            today: now.day,
            zone: answer.zone,
            mayLog: try await journal.access.contributions(to: record, caller).contains(Dose.kind),
            lateReminders: !pages.reminders.monitor.troubles(of: caller.account).isEmpty,
            key: pages.key(),
            account: caller.account,
            reader
        )
        return visit.response(page, reader.words["tab.today"])
    }

    /// The days that a device keeps, from today on.
    @Sendable private func ahead(_ visit: PageVisit) async throws -> Response {
        let caller = try visit.caller
        let reader = visit.reader
        let record = try visit.record()
        let today = try await journal.care.today(of: record, CareQuestion(), caller)
        let question = CareQuestion(from: today.from, to: today.from.adding(days: PlanLimits.daysKept))
        let answer = try await journal.care.due(of: record, question, caller)
        let now = answer.clocks.person.wall(at: answer.now)
        let page = AheadPage(
            try await visit.frame(record, at: .today, kinds: CarePages.kinds),
            answer.document,
            asNeeded: answer.plans.filter { $0.plan.plan.isPossible(at: now) }.map { ($0.plan.id, $0.plan.name) },
            mayLog: try await journal.access.contributions(to: record, caller).contains(Dose.kind),
            endOf: { answer.clocks.person.moment(of: WallMoment(day: $0.adding(days: 1))).instant },
            key: pages.key(),
            account: caller.account,
            reader
        )
        return visit.response(page, reader.words["tab.today"])
    }

    /// Logs one dose, or all doses of one time of day.
    @Sendable private func log(_ visit: PageVisit) async throws -> Response {
        let typed = try await visit.form()
        let record = try visit.record()
        let reader = visit.reader
        let doses = typed.several("dose")
        guard (1...PlanLimits.dosesPerForm).contains(doses.count) else {
            throw JournalError(.invalid, field: "dose", "must name a planned dose")
        }
        var warnings: Set<DoseWarning> = []
        var isChanged = false
        var refused: [(dose: String, error: JournalError)] = []
        for (index, dose) in doses.enumerated() {
            do {
                let request = try self.dose(dose, typed, reader)
                var writer = try visit.writer(typed, request: index)
                writer.reason = ""
                let result = try await journal.care.logDose(request, in: record, writer)
                warnings.formUnion(result.warnings)
                isChanged = isChanged || result.write.isChanged
            } catch {
                // The other doses of the form are logged all the same: they were taken.
                let error = JournalError(error)
                guard error.isOfTheForm else { throw error }
                refused.append((dose, error))
            }
        }
        let doubtful = refused.filter { !$0.error.doubts.isEmpty }
        // The question names all of them; another refusal is shown first, because it needs more than an answer.
        if !doubtful.isEmpty, doubtful.count == refused.count {
            let form = try await question(about: doubtful, typed, visit)
            return visit.response(form, form.heading, status: .conflict)
        }
        if let (dose, error) = refused.first(where: { $0.error.doubts.isEmpty }) {
            let form = try await correction(
                of: dose,
                besides: refused.map(\.dose).filter { $0 != dose },
                typed,
                error,
                visit
            )
            return visit.response(form, form.heading, status: .badRequest)
        }
        if typed.wasKeptOffline { return Response(status: .noContent) }
        let recorded = typed["status"] == "skipped" ? "doseSkipped" : "doseTaken"
        let done = warnings.isEmpty ? isChanged ? recorded : "doseUnchanged" : Pages.notice(of: warnings)
        return Pages.redirect(to: address(record, typed) + "done=\(done)")
    }

    /// Parses the dose that a form names: the plan and, for a planned dose, a space and the name of the slot; for one
    /// that is taken when needed, a suffix.
    private func dose(_ name: String, _ typed: PageForm, _ reader: Reader) throws -> DoseRequest {
        let isNeeded = name.hasSuffix(DoseLine.needed)
        let parts = (isNeeded ? String(name.dropLast(DoseLine.needed.count)) : name).split(separator: " ", maxSplits: 1)
            .map(String.init)
        guard let plan = parts.first.flatMap(UUID.init(uuidString:)),
            let status = LoggedDose.Status(rawValue: typed["status"])
        else { throw JournalError(.invalid, field: "dose", "must name a planned dose") }
        var request = DoseRequest(plan: plan, status: status)
        if isNeeded { request.target = .asNeeded }
        if parts.count > 1 { request.target = .slot(try Slot(parsing: parts[1])) }
        func given(_ field: String) -> String? { typed[field].isEmpty ? nil : typed[field] }
        do {
            let at = given("at") ?? (typed.wasKeptOffline ? given("tapped") : nil)
            request.at = try at.map { text in try DoseRequest.Moment(parsing: text) }
        } catch {
            throw JournalError(.invalid, field: "at", Message(verbatim: reader.words["startNeeded"]))
        }
        if status == .taken, let amount = given("amount") {
            guard let amount = reader.amount(typed: amount) else {
                throw JournalError(.invalid, field: "amount", Message(verbatim: reader.words["amountNeeded"]))
            }
            request.amount = amount
        }
        if status == .skipped { request.reason = LoggedDose.Reason(rawValue: typed["why"]) }
        request.comment = given("comment")
        request.voiceEntryUsed = typed["voice"] == "true"
        request.repetition = DoseRepetition(rawValue: typed["repetition"]) ?? .refuse
        // A tap that waited on a device was made when the person could not be asked: it is recorded, and shown as
        // unusual.
        request.isConfirmed = typed["confirmed"] == "true" || typed.wasKeptOffline
        request.shownOn = typed.wasKeptOffline ? nil : try? Day(parsing: typed["day"])
        return request
    }

    /// Asks whether doses were really taken that are more than their plans allow or have.
    private func question(
        about doses: [(dose: String, error: JournalError)],
        _ typed: PageForm,
        _ visit: PageVisit
    ) async throws -> FormPage {
        let reader = visit.reader
        let words = reader.words
        let record = try visit.record()
        let answer = try await journal.care.today(of: record, CareQuestion(), visit.caller)
        let plans = answer.plansByID
        let head = try await visit.frame(record, at: .today, kinds: CarePages.kinds)
        var form = FormPage(
            head,
            heading: words["doseDoubtHeading"],
            lead: words["doseDoubtLead"],
            facts: doses.flatMap { dose, error in
                let plan = UUID(uuidString: String(dose.prefix(36))).flatMap { plans[$0] }
                return error.doubts.map { doubt in
                    FormPage.Fact(
                        plan?.name ?? words.label(Dose.kind.label),
                        doubt.text(unit: plan?.unit, answer.clocks, reader)
                    )
                }
            },
            action: "\(head.address)/today",
            cancel: address(record, typed),
            submit: words["doseDoubtConfirm"],
            fields: [],
            key: pages.key()
        )
        form.isGrave = true
        form.hidden = doses.map { .init("dose", $0.dose) } + [.init("day", typed["day"]), .init("confirmed", "true")]
        for name in ["status", "at", "amount", "voice", "comment", "repetition", "from"] where !typed[name].isEmpty {
            form.hidden.append(.init(name, typed[name]))
        }
        return form
    }

    /// The form that is shown again if a dose cannot be logged as it was sent; it names the others that were not either.
    private func correction(
        of dose: String,
        besides others: [String],
        _ typed: PageForm,
        _ error: JournalError,
        _ visit: PageVisit
    ) async throws -> FormPage {
        let reader = visit.reader
        let words = reader.words
        var problems: [String: String] = [:]
        let message = reader.message(for: error, &problems)
        var status = FormField("status", words["doseStatus"], .choice)
        status.options = LoggedDose.Status.allCases.map {
            FormOption($0.rawValue, reader.words["state.\($0.rawValue)"], isChosen: $0.rawValue == typed["status"])
        }
        let at = FormField(
            "at",
            words["whenTaken"],
            .moment,
            value: typed["at"],
            problem: problems["at"] ?? problems["date"]
        )
        let amount = FormField("amount", words["amount"], .number, value: typed["amount"], problem: problems["amount"])
        var repetition = FormField("repetition", words["repetition"], .choice, problem: problems["slot"])
        repetition.options = DoseRepetition.allCases.map {
            FormOption($0.rawValue, words["repetition.\($0.rawValue)"], isChosen: $0.rawValue == typed["repetition"])
        }
        let head = try await visit.frame(visit.record(), at: .today, kinds: CarePages.kinds)
        // A device that had no connection sends the exact time, which is not asked again.
        let exact = try? Instant(parsing: typed["at"])
        var facts: [FormPage.Fact] = exact.map { [.init(words["whenLogged"], reader.moment($0))] } ?? []
        if !others.isEmpty {
            let plans = try await journal.care.today(of: visit.record(), CareQuestion(), visit.caller).plansByID
            let names = others.compactMap { UUID(uuidString: String($0.prefix(36))).flatMap { plans[$0]?.name } }
            facts.append(.init(words["notRecordedEither"], names.joined(separator: ", ")))
        }
        var form = FormPage(
            head,
            heading: words["doseHeading"],
            facts: facts,
            problem: message,
            action: "\(head.address)/today",
            cancel: address(try visit.record(), typed),
            submit: words["save"],
            fields: [status] + (exact == nil ? [at] : []) + [amount] + (error.code == .conflict ? [repetition] : []),
            key: pages.key()
        )
        form.hidden = [.init("dose", dose), .init("day", typed["day"])]
        if exact != nil { form.hidden.append(.init("at", typed["at"])) }
        for name in ["voice", "comment", "why", "from"] where !typed[name].isEmpty {
            form.hidden.append(.init(name, typed[name]))
        }
        return form
    }

    @Sendable private func undo(_ visit: PageVisit) async throws -> Response {
        let typed = try await visit.form()
        let record = try visit.record()
        guard let entry = UUID(uuidString: typed["entry"]) else {
            throw JournalError(.invalid, field: "entry", "must be the id of a dose")
        }
        _ = try await journal.entries.retractEntry(
            entry,
            expecting: ExpectedEntry(record: record, kind: Dose.kind),
            visit.writer(typed)
        )
        if typed.wasKeptOffline { return Response(status: .noContent) }
        return Pages.redirect(to: address(record, typed) + "done=doseUndone")
    }

    /// Postpones the reminders of a dose by some minutes.
    @Sendable private func snooze(_ visit: PageVisit) async throws -> Response {
        let typed = try await visit.form()
        let record = try visit.record()
        let parts = typed["dose"].split(separator: " ", maxSplits: 1).map(String.init)
        guard parts.count == 2, let plan = UUID(uuidString: parts[0]) else {
            throw JournalError(.invalid, field: "dose", "must name a planned dose")
        }
        guard let minutes = Int(typed["minutes"]), (1...1_440).contains(minutes) else {
            throw JournalError(.invalid, field: "minutes", "must be from 1 to 1440")
        }
        _ = try await journal.care.snoozeDose(
            .slot(Slot(parsing: parts[1])),
            of: plan,
            until: .instant(journal.now.adding(minutes: minutes)),
            in: record,
            visit.writer(typed)
        )
        return Pages.redirect(to: address(record, typed) + "done=doseSnoozed")
    }

    /// The page to which a form returns, ready for another parameter: that of the day, or the first page.
    private func address(_ record: UUID, _ typed: PageForm) -> String {
        if typed.isOfHome { return "/records?" }
        let day = (try? Day(parsing: typed["day"])).map { "day=\($0)&" } ?? ""
        return "/records/\(record.text)/today?\(day)"
    }

    // MARK: - Periods

    @Sendable private func calendar(_ visit: PageVisit) async throws -> Response {
        let moment = try asOf(visit.query)
        let reader = visit.reader
        let record = try visit.record()
        let month =
            try visit.query.value("month") { text throws(ModelError) in try Day(parsing: "\(text)-01") }
            ?? journal.today
        let (from, to) = CalendarPage.period(of: month)
        let answer = try await journal.care.due(
            of: record,
            CareQuestion(from: from, to: to, asOf: moment.asOf),
            visit.caller
        )
        let page = CalendarPage(
            try await visit.frame(record, at: .calendar, moment: moment, kinds: CarePages.kinds),
            month: month,
            answer.document,
            today: answer.clocks.person.day(at: answer.now),
            reader
        )
        return visit.response(page, reader.words["tab.calendar"])
    }

    @Sendable private func adherence(_ visit: PageVisit) async throws -> Response {
        let moment = try asOf(visit.query)
        let reader = visit.reader
        let record = try visit.record()
        func day(_ name: String) throws -> Day? {
            try visit.query.value(name) { text throws(ModelError) in text.isEmpty ? nil : try Day(parsing: text) }
                ?? nil
        }
        let last = try day("last") ?? journal.today
        let from = try day("from") ?? last.adding(days: -27)
        let answer = try await journal.care.due(
            of: record,
            CareQuestion(from: from, to: last.adding(days: 1), asOf: moment.asOf),
            visit.caller
        )
        let grouping = AdherenceGrouping(rawValue: visit.query["by"] ?? "") ?? .day
        let page = AdherencePage(
            try await visit.frame(record, at: .adherence, moment: moment, kinds: CarePages.kinds),
            answer.adherence(by: grouping),
            by: grouping,
            reader
        )
        return visit.response(page, reader.words["tab.adherence"])
    }

    @Sendable private func stock(_ visit: PageVisit) async throws -> Response {
        let moment = try asOf(visit.query)
        let reader = visit.reader
        let (record, caller) = (try visit.record(), try visit.caller)
        let answers = try await journal.care.stock(of: record, CareQuestion(asOf: moment.asOf), caller)
        let page = StockPage(
            try await visit.frame(record, at: .stock, moment: moment, kinds: CarePages.kinds),
            answers.map(\.document),
            mayAdd: try await journal.access.contributions(to: record, caller).contains(Supply.kind),
            reader
        )
        return visit.response(page, reader.words["tab.stock"])
    }

    /// A page to print: the list of medication for a doctor, and a week to tick off.
    @Sendable private func sheet(_ visit: PageVisit) async throws -> Response {
        let moment = try asOf(visit.query)
        let reader = visit.reader
        let record = try visit.record()
        let from =
            try visit.query.value("from") { text throws(ModelError) in text.isEmpty ? nil : try Day(parsing: text) }
            ?? nil
        let first = from ?? journal.today
        let answer = try await journal.care.due(
            of: record,
            CareQuestion(from: first, to: first.adding(days: 7), asOf: moment.asOf),
            visit.caller
        )
        let page = MedicationSheet(
            try await visit.frame(record, at: .sheet, moment: moment, kinds: CarePages.kinds),
            answer.plans.map { ($0.plan.state, $0.plan.plan) },
            answer.document,
            now: answer.clocks.person.wall(at: answer.now),
            zone: answer.zone,
            reader
        )
        return visit.response(page, reader.words["tab.sheet"])
    }

    private func asOf(_ query: Query) throws -> MomentQuery {
        let asOf =
            try query.value("asOf") { text throws(ModelError) in text.isEmpty ? nil : try AsOf(parsing: text) } ?? nil
        return MomentQuery(asOf: asOf, happenedBy: nil)
    }
}

/// Limits of forms about plans.
enum PlanLimits {
    /// The most doses that one form logs: those of one time of day.
    static let dosesPerForm = 64
    /// How many days a device keeps to be used without a connection.
    static let daysKept = 14
}

extension Pages {
    /// The names of plans with two contradicting versions; also of plans whose doses have them.
    func contradictions(_ answer: DueAnswer) throws -> [String] {
        try answer.plans
            .filter { plan in
                let doses = answer.document.doses.filter { $0.plan == plan.plan.id }.compactMap(\.dose)
                return try ([plan.plan.id] + doses).contains { try !journal.sync.divergences(ofEntry: $0).isEmpty }
            }
            .map(\.plan.name)
    }
}

extension DueAnswer {
    fileprivate var plansByID: [UUID: CarePlan] {
        Dictionary(plans.map { ($0.plan.id, $0.plan) }) { first, _ in first }
    }
}

extension PageForm {
    /// Whether a service worker sends the form, which waited on a device without a connection.
    fileprivate var wasKeptOffline: Bool { self["offline"] == "true" }
    /// Whether the form is one of the first page, to which it returns.
    fileprivate var isOfHome: Bool { self["from"] == "home" }
}

extension Plan {
    /// Whether doses may be taken when needed at a time of the clock.
    func isPossible(at wall: WallMoment) -> Bool {
        !isPaused(at: wall) && rules(at: wall).contains { if case .asNeeded = $0.pattern { true } else { false } }
    }
}
