import Crypto
import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import JournalPages

/// Pages for a record's entries: those of a kind, one entry with its history, and the forms to add, correct, retract
/// and restore entries.
struct EntryPages {
    let pages: Pages
    var journal: Journal { pages.journal }

    init(_ pages: Pages) {
        self.pages = pages
    }

    func add(to group: RouterGroup<ServerContext>) {
        let kind = group.group("records/:record/entries/:kind")
        kind.get(use: list)
        kind.get("new", use: new)
        kind.post("new", use: add)
        kind.get(":entry", use: show)
        kind.get(":entry/correct", use: edit)
        kind.post(":entry/correct", use: correct)
        kind.get(":entry/retract", use: confirmRetraction)
        kind.post(":entry/retract", use: retract)
        kind.get(":entry/restore", use: confirmRestoring)
        kind.post(":entry/restore", use: restore)
        kind.get(":entry/move", use: askWhere)
        kind.post(":entry/move", use: move)
        kind.get(":entry/erase", use: confirmErasure)
        kind.post(":entry/erase", use: erase)
        kind.post(":entry/undo", use: undo)
    }

    // MARK: - Showing

    @Sendable private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, MomentQuery.names + PeriodQuery.names + ["before", "retracted", "done"])
        let (moment, kind) = (try MomentQuery(query), try context.kind())
        let days = try PeriodQuery(query)
        let before = try query.integer("before", in: 0...Int.max).map { UInt64($0) } ?? .max
        let showsRetracted = try query.flag("retracted")
        let caller = try context.requireCaller()
        let reader = pages.reader(request, context)
        let answer = try await journal.read(
            context.record(),
            days.options(
                moment,
                kinds: [kind],
                includesRetracted: showsRetracted,
                page: .newest(KindPage.entries + 1, before: before)
            ),
            caller
        )
        let plans = await plans(of: answer.state.entries, asOf: moment.asOf, caller)
        let page = KindPage(
            kind,
            pages.head(answer, at: .overview, reader, moment),
            answer.state.entries,
            mayAdd: try await journal.contributions(to: answer.state.id, caller).contains(kind),
            showsRetracted: showsRetracted,
            period: days.typed,
            today: journal.today,
            pages.names(answer.state.entries.actors, plans: plans),
            reader
        )
        return pages.response(page, page.label, request, context, notice: pages.notice(query, request, context))
    }

    /// Returns the medications of the doses among the entries, because a dose has only the id; each read is audited.
    private func plans(of entries: [EntryState], asOf moment: AsOf?, _ caller: Caller) async -> [EntryState] {
        let ids = Set(entries.compactMap { $0.kind == Dose.kind ? $0.content.body.id(Dose.of)?.text : nil })
        var plans: [EntryState] = []
        for id in ids.sorted() {
            // The dose of a plan that the account may not see, or that was erased, is shown without its name.
            if let plan = try? await journal.entry(named: id, asOf: moment, caller) { plans.append(plan) }
        }
        return plans
    }

    @Sendable private func show(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["done"])
        let caller = try context.requireCaller()
        let reader = pages.reader(request, context)
        let (entry, head) = try await entry(context, reader)
        // With emergency access, the history is not requested: the request would be refused and recorded as an attempt.
        let history =
            head.isEmergency
            ? []
            : try await journal.history(
                ofEntry: entry.id,
                expecting: ExpectedEntry(record: entry.record, kind: entry.kind),
                caller
            )
        let mayAdd = try await journal.contributions(to: entry.record, caller).contains(entry.kind)
        let page = EntryPage(
            head,
            entry,
            history,
            mayChange: mayAdd && (head.mayEdit || entry.added.actor == caller.account),
            isJustChanged: query["done"].map(EntryPages.undoable.contains) ?? false,
            key: pages.key(),
            pages.names(history.map(\.stamp.actor) + [entry].actors),
            reader
        )
        return pages.response(page, page.kindLabel, request, context, notice: pages.notice(query, request, context))
    }

    /// The notices of changes after which the page offers to undo them.
    private static let undoable: Set<String> = [
        "added", "changed", "retractedNow", "restoredNow", "movedNow", "undone",
    ]

    /// Returns the entry that the address names, and the head of its pages.
    func entry(_ context: ServerContext, _ reader: Reader) async throws -> (EntryState, RecordHead) {
        let (record, kind) = (try context.record(), try context.kind())
        let entry = try await journal.entry(context.entry(), of: kind, in: record, context.requireCaller())
        return (entry, try await pages.frame(record, kinds: [kind], reader, context))
    }

    // MARK: - Adding

    @Sendable private func new(_ request: Request, _ context: ServerContext) async throws -> Response {
        let kind = try context.kind()
        let reader = pages.reader(request, context)
        let head = try await pages.frame(context.record(), kinds: [kind], reader, context)
        let fields = EntryForm(kind, reader)
        var form = form(head, kind, fields.fields(try fields.begun(at: journal.now), isNew: true), reader)
        if Plan.kinds.contains(kind) { try await pages.complete(&form, context) }
        return pages.response(form, reader.words["addTo", reader.words.label(kind.label)], request, context)
    }

    @Sendable private func add(_ request: Request, _ context: ServerContext) async throws -> Response {
        let (record, kind) = (try context.record(), try context.kind())
        let hasFile = kind == Document.kind
        if hasFile { try await journal.admitDocument(to: record, context.requireCaller()) }
        let slot = hasFile ? try pages.uploads.acquire(for: context.requireCaller().account) : nil
        defer { withExtendedLifetime(slot) {} }
        let typed = hasFile ? try await request.pageUpload() : try await request.pageForm()
        let reader = pages.reader(request, context)
        let fields = EntryForm(kind, reader)
        var content = EntryContent(kind: kind)
        var problems = fields.take(typed.values, into: &content)
        content.voiceEntryUsed = typed["voice"] == "true"
        var message: String?
        var sure = ""
        if hasFile, !typed["sure"].isEmpty, typed.file == nil {
            // A browser does not send the file again that was doubted.
            message = reader.words["chooseFileAgain"]
        } else if problems.isEmpty, EntryForm.isEmpty(content), typed.file == nil {
            message = reader.words["nothingFilledIn"]
        } else if problems.isEmpty {
            do {
                let caller = try context.writer(typed, request)
                if let file = typed.file {
                    if typed["name"].isEmpty { try content.set(Document.name.name, text: file.filename ?? "") }
                    if let type = file.mediaType { try content.set(Document.mediaType.name, text: type) }
                }
                let whole = typed.file.map { content.naming(Array($0.bytes)) } ?? content
                let mark = EntryPages.mark(of: whole)
                var doubts: [EntryDoubt] = []
                if typed["sure"] != mark, try await !journal.isRepeated(caller) {
                    doubts = try await journal.doubts(about: whole, in: record, context.requireCaller())
                }
                if doubts.isEmpty {
                    let result =
                        if let file = typed.file {
                            try await journal.attachDocument(Array(file.bytes), content, to: record, caller)
                        } else {
                            try await journal.addEntry(content, to: record, caller)
                        }
                    let address = "/records/\(record.text)/entries/\(kind.name)/\(result.entry?.text ?? "")"
                    return Pages.redirect(to: address + "?done=added")
                }
                message = (doubts.map(reader.doubt) + [reader.words[hasFile ? "doubtAskFile" : "doubtAsk"]])
                    .joined(separator: " ")
                sure = mark
            } catch {
                let error = JournalError(error)
                guard error.isOfTheForm else { throw error }
                message = reader.message(for: error, &problems)
            }
        }
        var form = form(
            try await pages.frame(context.record(), kinds: [kind], reader, context),
            kind,
            fields.fields(EntryContent(kind: kind), typed: typed.values, problems: problems, isNew: true),
            reader,
            message ?? reader.summary(problems),
            typed
        )
        if content.voiceEntryUsed { form.hidden.append(.init("voice", "true")) }
        if !sure.isEmpty {
            form.hidden.append(.init("sure", sure))
            form.submit = reader.words["saveAnyway"]
        }
        if Plan.kinds.contains(kind) { try await pages.complete(&form, offersSentence: false, context) }
        return pages.response(
            form,
            reader.words["addTo", reader.words.label(kind.label)],
            request,
            context,
            status: .badRequest
        )
    }

    /// Identifies what the person was asked about, so that a value that is edited afterwards is doubted again.
    private static func mark(of content: EntryContent) -> String {
        SHA256.hash(data: JSONWriter.bytes(NativeDocument.write(content))).prefix(8)
            .map { String($0, radix: 36) }.joined(separator: ".")
    }

    private func form(
        _ head: RecordHead,
        _ kind: Kind,
        _ fields: [FormField],
        _ reader: Reader,
        _ problem: String? = nil,
        _ typed: PageForm? = nil
    ) -> FormPage {
        let address = "\(head.address)/entries/\(kind.name)"
        return FormPage(
            head,
            heading: reader.words["addHeading", reader.words.label(kind.label)],
            problem: problem,
            action: "\(address)/new",
            cancel: head.address,
            submit: reader.words["save"],
            fields: fields,
            key: pages.key(typed)
        )
    }

    // MARK: - Correcting

    @Sendable private func edit(_ request: Request, _ context: ServerContext) async throws -> Response {
        let reader = pages.reader(request, context)
        let (entry, head) = try await entry(context, reader)
        let fields = EntryForm(entry.kind, reader).fields(entry.content)
        let form = correction(entry, head, fields + [reader.reason()], reader, version: entry.latest.position)
        return pages.response(form, reader.words["correct"], request, context)
    }

    // Swift 6.3.1 crashes when it optimises this function.
    @_optimize(none)
    @Sendable private func correct(_ request: Request, _ context: ServerContext) async throws -> Response {
        let typed = try await request.pageForm()
        let reader = pages.reader(request, context)
        let (entry, head) = try await entry(context, reader)
        let fields = EntryForm(entry.kind, reader)
        var content = entry.content
        var problems = fields.take(typed.values, into: &content)
        var message: String?
        var (seen, values) = (UInt64(typed["version"]) ?? 0, typed.values)
        if problems.isEmpty {
            do {
                let changed = content
                let result = try await journal.correctEntry(
                    entry.id,
                    expecting: ExpectedEntry(record: entry.record, kind: entry.kind, position: seen),
                    context.writer(typed, request, reason: typed["reason"])
                ) { $0 = changed }
                let address = "\(head.address)/entries/\(entry.kind.name)/\(entry.id.text)"
                return Pages.redirect(to: "\(address)?done=\(result.isChanged ? "changed" : "unchanged")")
            } catch let error as JournalError where error.isOfTheForm {
                message = reader.message(for: error, &problems)
                if error.code == .stale {
                    // Fields that this user left unchanged get the values that the other user has saved.
                    let before = try await entryContent(of: entry, asOf: seen, context)
                    values = fields.fields(before).rebased(values, onto: fields.fields(entry.content))
                    let changes = reader.summary(of: entry.content.shownChanges(from: before, reader))
                    message = reader.words["staleEntry", changes.isEmpty ? reader.words["staleOther"] : changes]
                    seen = entry.latest.position
                }
            }
        }
        let shown = fields.fields(entry.content, typed: values, problems: problems)
        let form = correction(
            entry,
            head,
            shown + [reader.reason(typed, problems)],
            reader,
            message ?? reader.summary(problems),
            typed,
            version: seen
        )
        return pages.response(form, reader.words["correct"], request, context, status: .badRequest)
    }

    private func entryContent(
        of entry: EntryState,
        asOf position: UInt64,
        _ context: ServerContext
    ) async throws -> EntryContent {
        let caller = try context.requireCaller()
        return try await journal.entry(entry.id, of: entry.kind, in: entry.record, asOf: .position(position), caller)
            .content
    }

    private func correction(
        _ entry: EntryState,
        _ head: RecordHead,
        _ fields: [FormField],
        _ reader: Reader,
        _ problem: String? = nil,
        _ typed: PageForm? = nil,
        version: UInt64
    ) -> FormPage {
        let address = "\(head.address)/entries/\(entry.kind.name)/\(entry.id.text)"
        return FormPage(
            head,
            heading: reader.words["correctHeading", entry.content.shown(reader).what],
            lead: reader.words["correctLead"],
            problem: problem,
            action: "\(address)/correct",
            cancel: address,
            submit: reader.words["save"],
            fields: fields,
            key: pages.key(typed),
            version: version
        )
    }

    // MARK: - Retracting and restoring

    @Sendable private func confirmRetraction(_ request: Request, _ context: ServerContext) async throws -> Response {
        try await confirm("retract", request, context)
    }

    @Sendable private func confirmRestoring(_ request: Request, _ context: ServerContext) async throws -> Response {
        try await confirm("restore", request, context)
    }

    private func confirm(_ what: String, _ request: Request, _ context: ServerContext) async throws -> Response {
        let form = try await confirmation(of: what, request, context)
        return pages.response(form, form.submit, request, context)
    }

    private func confirmation(
        of what: String,
        _ request: Request,
        _ context: ServerContext
    ) async throws -> FormPage {
        let reader = pages.reader(request, context)
        let (entry, head) = try await entry(context, reader)
        let address = "\(head.address)/entries/\(entry.kind.name)/\(entry.id.text)"
        return FormPage(
            head,
            heading: reader.words["\(what)Heading"],
            lead: reader.words["labelled", entry.content.shown(reader).what, reader.words["\(what)Lead"]],
            action: "\(address)/\(what)",
            cancel: address,
            submit: reader.words[what],
            fields: [reader.reason()],
            key: pages.key(),
            version: entry.latest.position
        )
    }

    @Sendable private func retract(_ request: Request, _ context: ServerContext) async throws -> Response {
        try await confirmed("retract", "retractedNow", request, context) { entry, expected, caller in
            _ = try await journal.retractEntry(entry, expecting: expected, caller)
        }
    }

    @Sendable private func restore(_ request: Request, _ context: ServerContext) async throws -> Response {
        try await confirmed("restore", "restoredNow", request, context) { entry, expected, caller in
            _ = try await journal.restoreEntry(entry, expecting: expected, caller)
        }
    }

    private func confirmed(
        _ what: String,
        _ done: String,
        _ request: Request,
        _ context: ServerContext,
        _ change: (UUID, ExpectedEntry, Caller) async throws -> Void
    ) async throws -> Response {
        let (record, kind, entry) = (try context.record(), try context.kind(), try context.entry())
        return try await pages.confirmed(
            request,
            context,
            to: "/records/\(record.text)/entries/\(kind.name)/\(entry.text)?done=\(done)",
            asking: { try await confirmation(of: what, request, context) },
            doing: { typed, caller in
                let position = UInt64(typed["version"]) ?? 0
                try await change(entry, ExpectedEntry(record: record, kind: kind, position: position), caller)
            }
        )
    }
}
