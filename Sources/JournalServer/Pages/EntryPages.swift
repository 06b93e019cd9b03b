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
struct EntryPages: PageGroup {
    let pages: Pages

    func add(to routes: PageRoutes) {
        let kind = routes.group("records/:record/entries/:kind")
        kind.get("", query: MomentQuery.names + PeriodQuery.names + ["before", "retracted", "done"], list)
        kind.get("new", query: ["of"], new)
        kind.post("new", query: ["of"], add)
        kind.get(":entry", query: ["done"], show)
        kind.get(":entry/correct", edit)
        kind.post(":entry/correct", correct)
        kind.get(":entry/retract", confirmRetraction)
        kind.post(":entry/retract", retract)
        kind.get(":entry/restore", confirmRestoring)
        kind.post(":entry/restore", restore)
        kind.get(":entry/move", askWhere)
        kind.post(":entry/move", move)
        kind.get(":entry/erase", confirmErasure)
        kind.post(":entry/erase", erase)
        kind.post(":entry/undo", undo)
    }

    // MARK: - Showing

    @Sendable private func list(_ visit: PageVisit) async throws -> Response {
        let (moment, kind) = (try MomentQuery(visit.query), try visit.kind())
        let days = try PeriodQuery(visit.query)
        let before = try visit.query.integer("before", in: 0...Int.max).map { UInt64($0) } ?? .max
        let showsRetracted = try visit.query.flag("retracted")
        let caller = try visit.caller
        let reader = visit.reader
        let answer = try await journal.records.read(
            visit.record(),
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
            pages.head(answer, at: .of(kind), reader, moment),
            answer.state.entries,
            mayAdd: try await pages.kindsByHand(to: answer.state.id, caller).contains(kind),
            showsRetracted: showsRetracted,
            period: days.typed,
            today: journal.today,
            pages.names(answer.state.entries.actors, plans: plans),
            reader
        )
        return visit.response(page, page.label)
    }

    /// Returns the medications of the doses among the entries, because a dose has only the id; each read is audited.
    private func plans(of entries: [EntryState], asOf moment: AsOf?, _ caller: Caller) async -> [EntryState] {
        let ids = Set(entries.compactMap { $0.kind == Dose.kind ? $0.content.body.id(Dose.of)?.text : nil })
        var plans: [EntryState] = []
        for id in ids.sorted() {
            // The dose of a plan that the account may not see, or that was erased, is shown without its name.
            if let plan = try? await journal.entries.entry(named: id, asOf: moment, caller) { plans.append(plan) }
        }
        return plans
    }

    @Sendable private func show(_ visit: PageVisit) async throws -> Response {
        let caller = try visit.caller
        let reader = visit.reader
        let (entry, head) = try await entry(visit)
        // With emergency access, the history is not requested: the request would be refused and recorded as an attempt.
        let history =
            head.isEmergency
            ? []
            : try await journal.trail.history(
                ofEntry: entry.id,
                expecting: ExpectedEntry(record: entry.record, kind: entry.kind),
                caller
            )
        let mayAdd = try await journal.access.contributions(to: entry.record, caller).contains(entry.kind)
        let page = EntryPage(
            head,
            entry,
            history,
            mayChange: mayAdd && (head.mayEdit || entry.added.actor == caller.account),
            isJustChanged: visit.query["done"].map(EntryPages.undoable.contains) ?? false,
            showsImage: entry.content.hasImage,
            key: pages.key(),
            pages.names(history.map(\.stamp.actor) + [entry].actors),
            reader
        )
        return visit.response(page, page.kindLabel)
    }

    /// The notices of changes after which the page offers to undo them.
    private static let undoable: Set<String> = [
        "added", "changed", "retractedNow", "restoredNow", "movedNow", "undone",
    ]

    /// Returns the entry that the address names, and the head of its pages.
    func entry(_ visit: PageVisit) async throws -> (EntryState, RecordHead) {
        let (record, kind) = (try visit.record(), try visit.kind())
        let entry = try await journal.entries.entry(visit.entry(), of: kind, in: record, visit.caller)
        return (entry, try await visit.frame(record, at: .of(kind), kinds: [kind]))
    }

    // MARK: - Adding

    @Sendable private func new(_ visit: PageVisit) async throws -> Response {
        let kind = try kindByHand(visit)
        let reader = visit.reader
        let measurement = try measurement(kind, visit)
        let head = try await visit.frame(visit.record(), kinds: [kind])
        if kind == MeasuredValue.kind, visit.query["of"] == nil {
            return visit.response(MeasurePage(head, reader), reader.words["addTo", reader.words.label(kind.label)])
        }
        let fields = try await entryForm(kind, visit, measuring: measurement)
        var form = form(head, fields, fields.fields(try fields.begun(at: journal.now), isNew: true), reader)
        if Plan.kinds.contains(kind) { try await pages.complete(&form, visit) }
        return visit.response(form, reader.words["addTo", reader.words.label(kind.label)])
    }

    /// Returns the kind that the address names, if people add its entries with a form.
    private func kindByHand(_ visit: PageVisit) throws -> Kind {
        let kind = try visit.kind()
        guard EntryFormLayout.isByHand(kind) else {
            throw JournalError(.notFound, "entries of this kind are not added with a form")
        }
        return kind
    }

    /// Returns the form for entries of a kind, with the medications of the record if one is to be chosen.
    private func entryForm(
        _ kind: Kind,
        _ visit: PageVisit,
        measuring measurement: CommonMeasurement? = nil
    ) async throws -> EntryForm {
        var products: [UUID: PlanProduct] = [:]
        if [Dose.kind, Supply.kind].contains(kind) {
            products = try await journal.care.productsForForm(of: visit.record(), visit.caller)
        }
        return EntryForm(kind, visit.reader, measuring: measurement, products: products)
    }

    /// Returns the common measurement that the address names; nil if it names another one.
    private func measurement(_ kind: Kind, _ visit: PageVisit) throws -> CommonMeasurement? {
        guard let name = visit.query["of"], name != MeasurePage.other || kind != MeasuredValue.kind else { return nil }
        guard kind == MeasuredValue.kind, let measurement = CommonMeasurement(rawValue: name) else {
            throw JournalError(.notFound, "there is no such form")
        }
        return measurement
    }

    @Sendable private func add(_ visit: PageVisit) async throws -> Response {
        let (record, kind) = (try visit.record(), try kindByHand(visit))
        let measurement = try measurement(kind, visit)
        let hasFile = kind == Document.kind
        if hasFile { try await journal.entries.admitDocument(to: record, visit.caller) }
        let slot = hasFile ? try pages.uploads.acquire(for: visit.caller.account) : nil
        defer { withExtendedLifetime(slot) {} }
        let typed = hasFile ? try await visit.upload() : try await visit.form()
        let reader = visit.reader
        let fields = try await entryForm(kind, visit, measuring: measurement)
        if fields.addsLine(typed.values) {
            let shown = fields.fields(EntryContent(kind: kind), typed: typed.values, isNew: true)
            var form = form(try await visit.frame(record, kinds: [kind]), fields, shown, reader, nil, typed)
            if typed["voice"] == "true" { form.hidden.append(.init("voice", "true")) }
            return visit.response(form, reader.words["addTo", reader.words.label(kind.label)])
        }
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
                let caller = try visit.writer(typed)
                if let file = typed.file {
                    if typed["name"].isEmpty { try content.set(Document.name.name, text: file.filename ?? "") }
                    if let type = file.mediaType { try content.set(Document.mediaType.name, text: type) }
                }
                let whole = typed.file.map { content.naming(Array($0.bytes)) } ?? content
                let mark = EntryPages.mark(of: whole)
                var doubts: [EntryDoubt] = []
                if typed["sure"] != mark, try await !journal.isRepeated(caller) {
                    doubts = try await journal.entries.doubts(about: whole, in: record, visit.caller)
                }
                if doubts.isEmpty {
                    let result =
                        if let file = typed.file {
                            try await journal.entries.attachDocument(Array(file.bytes), content, to: record, caller)
                        } else {
                            try await journal.entries.addEntry(content, to: record, caller)
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
            try await visit.frame(visit.record(), kinds: [kind]),
            fields,
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
        if Plan.kinds.contains(kind) { try await pages.complete(&form, offersSentence: false, visit) }
        return visit.response(form, reader.words["addTo", reader.words.label(kind.label)], status: .badRequest)
    }

    /// Identifies what the person was asked about, so that a value that is edited afterwards is doubted again.
    private static func mark(of content: EntryContent) -> String {
        SHA256.hash(data: JSONWriter.bytes(NativeDocument.write(content))).prefix(8)
            .map { String($0, radix: 36) }.joined(separator: ".")
    }

    private func form(
        _ head: RecordHead,
        _ form: EntryForm,
        _ fields: [FormField],
        _ reader: Reader,
        _ problem: String? = nil,
        _ typed: PageForm? = nil
    ) -> FormPage {
        let address = "\(head.address)/entries/\(form.kind.name)/new"
        let label =
            form.measurement.map { reader.words["measure.\($0.rawValue)"] } ?? reader.words.label(form.kind.label)
        return FormPage(
            head,
            heading: reader.words["addHeading", label],
            problem: problem,
            action: form.measurement.map { "\(address)?of=\($0.rawValue)" } ?? address,
            cancel: head.address,
            submit: reader.words["save"],
            fields: fields,
            key: pages.key(typed)
        )
    }

    // MARK: - Correcting

    @Sendable private func edit(_ visit: PageVisit) async throws -> Response {
        let reader = visit.reader
        let (entry, head) = try await entry(visit)
        let fields = try await entryForm(entry.kind, visit).fields(entry.content)
        let form = correction(entry, head, fields + [reader.reason()], reader, version: entry.latest.position)
        return visit.response(form, reader.words["correct"])
    }

    // Swift 6.3.1 crashes when it optimises this function.
    @_optimize(none)
    @Sendable private func correct(_ visit: PageVisit) async throws -> Response {
        let typed = try await visit.form()
        let reader = visit.reader
        let (entry, head) = try await entry(visit)
        let fields = try await entryForm(entry.kind, visit)
        if fields.addsLine(typed.values) {
            let shown = fields.fields(entry.content, typed: typed.values) + [reader.reason(typed, [:])]
            let seen = UInt64(typed["version"]) ?? 0
            let form = correction(entry, head, shown, reader, nil, typed, version: seen)
            return visit.response(form, reader.words["correct"])
        }
        var content = entry.content
        var problems = fields.take(typed.values, into: &content)
        var message: String?
        var (seen, values) = (UInt64(typed["version"]) ?? 0, typed.values)
        if problems.isEmpty {
            do {
                let changed = content
                let result = try await journal.entries.correctEntry(
                    entry.id,
                    expecting: ExpectedEntry(record: entry.record, kind: entry.kind, position: seen),
                    visit.writer(typed, reason: typed["reason"])
                ) { $0 = changed }
                let address = "\(head.address)/entries/\(entry.kind.name)/\(entry.id.text)"
                return Pages.redirect(to: "\(address)?done=\(result.isChanged ? "changed" : "unchanged")")
            } catch let error as JournalError where error.isOfTheForm {
                message = reader.message(for: error, &problems)
                if error.code == .stale {
                    // Fields that this user left unchanged get the values that the other user has saved.
                    let before = try await entryContent(of: entry, asOf: seen, visit)
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
        return visit.response(form, reader.words["correct"], status: .badRequest)
    }

    private func entryContent(
        of entry: EntryState,
        asOf position: UInt64,
        _ visit: PageVisit
    ) async throws -> EntryContent {
        let caller = try visit.caller
        return try await journal.entries
            .entry(entry.id, of: entry.kind, in: entry.record, asOf: .position(position), caller)
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

    @Sendable private func confirmRetraction(_ visit: PageVisit) async throws -> Response {
        try await confirm("retract", visit)
    }

    @Sendable private func confirmRestoring(_ visit: PageVisit) async throws -> Response {
        try await confirm("restore", visit)
    }

    private func confirm(_ what: String, _ visit: PageVisit) async throws -> Response {
        let form = try await confirmation(of: what, visit)
        return visit.response(form, form.submit)
    }

    private func confirmation(
        of what: String,
        _ visit: PageVisit
    ) async throws -> FormPage {
        let reader = visit.reader
        let (entry, head) = try await entry(visit)
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

    @Sendable private func retract(_ visit: PageVisit) async throws -> Response {
        try await confirmed("retract", "retractedNow", visit) { entry, expected, caller in
            _ = try await journal.entries.retractEntry(entry, expecting: expected, caller)
        }
    }

    @Sendable private func restore(_ visit: PageVisit) async throws -> Response {
        try await confirmed("restore", "restoredNow", visit) { entry, expected, caller in
            _ = try await journal.entries.restoreEntry(entry, expecting: expected, caller)
        }
    }

    private func confirmed(
        _ what: String,
        _ done: String,
        _ visit: PageVisit,
        _ change: (UUID, ExpectedEntry, Caller) async throws -> Void
    ) async throws -> Response {
        let (record, kind, entry) = (try visit.record(), try visit.kind(), try visit.entry())
        return try await visit.confirmed(
            to: "/records/\(record.text)/entries/\(kind.name)/\(entry.text)?done=\(done)",
            asking: { try await confirmation(of: what, visit) },
            doing: { typed, caller in
                let position = UInt64(typed["version"]) ?? 0
                try await change(entry, ExpectedEntry(record: record, kind: kind, position: position), caller)
            }
        )
    }
}

extension EntryContent {
    /// Whether the entry is a document whose file is an image that browsers show without running anything.
    fileprivate var hasImage: Bool {
        kind == Document.kind
            && body.text(Document.mediaType).flatMap(AttachedFile.harmlessType)?.hasPrefix("image/") == true
    }
}
