import EventLog
import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import JournalPages

/// Pages for export and import.
struct ExchangePages {
    let pages: Pages
    var journal: Journal { pages.journal }

    /// The largest size of the import form, in bytes: between preview and import, it contains the document in base64.
    static let formBytes = 12 << 20

    init(_ pages: Pages) {
        self.pages = pages
    }

    func add(to group: RouterGroup<ServerContext>) {
        group.get("records/:record/export", use: export)
        group.get("records/:record/export/file", use: file)
        group.get("records/:record/imports", use: imports)
        group.get("records/:record/imports/:position/undo", use: askToUndo)
        group.post("records/:record/imports/:position/undo", use: alone(undo))
        group.get("records/:record/imports/csv", use: newTable)
        group.post("records/:record/imports/csv", use: alone(lookAtTable))
        group.post("records/:record/imports/csv/columns", use: alone(lookAtColumns))
        group.post("records/:record/imports/csv/take", use: alone(takeTable))
        group.get("import", use: new)
        group.post("import", use: alone(look))
        group.post("import/take", use: alone(take))
    }

    /// Processes the requests of an account one after the other, because a document takes much memory and time.
    private func alone(
        _ handler: @escaping @Sendable (Request, ServerContext) async throws -> Response
    ) -> @Sendable (Request, ServerContext) async throws -> Response {
        { [long = pages.long] request, context in
            try await long.run(long.imports, context) { try await handler(request, context) }
        }
    }

    @Sendable private func export(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, MomentQuery.names + [Parameter.kinds.name])
        let moment = try MomentQuery(query)
        let kinds = try query.kinds
        guard kinds.map({ $0.count == 1 }) ?? true else {
            throw JournalError(.invalid, field: Parameter.kinds.name, "must be one kind")
        }
        let reader = pages.reader(request, context)
        let options = ReadOptions(asOf: moment.asOf, happenedBy: moment.happenedBy, page: .newest(0))
        let answer = try await journal.read(context.record(), options, as: .list, context.requireCaller())
        let head = pages.head(answer, at: .export, reader, moment)
        // The documents of other apps are of whole records.
        let formats = ExportFormat.allCases.filter {
            kinds == nil || ![.purus, .mango, .fhirSource, .vcard].contains($0)
        }
        let page = ExportPage(head, formats: formats.map(\.rawValue), of: kinds?.first, reader.words)
        return pages.response(page, reader.words["tab.export"], request, context)
    }

    /// Serves the same document as the API, but errors are shown as a page.
    @Sendable private func file(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, RecordExport.parameters.map(\.name))
        return try await RecordExport(journal, pages.renders, pages.languages).answer(request, context, query)
    }

    // MARK: - Imports of a record

    @Sendable private func imports(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let reader = pages.reader(request, context)
        let imports = try await journal.imports(into: context.record(), context.requireCaller())
        let head = try await head(reader, context)
        let page = ImportsPage(
            head,
            imports.map { item in
                ImportsPage.Item(
                    position: item.position,
                    recordedAt: item.recordedAt,
                    added: item.added,
                    corrected: item.corrected,
                    retracted: item.retracted,
                    isComplete: item.isComplete,
                    isUndone: item.undone != nil,
                    head,
                    reader
                )
            }
        )
        return pages.response(page, reader.words["importsHeading"], request, context)
    }

    @Sendable private func askToUndo(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        try await journal.require(.manage, on: context.record(), context.requireCaller())
        let form = try await undoing(request, context)
        return pages.response(form, form.heading, request, context)
    }

    @Sendable private func undo(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let record = try context.record()
        guard let position = context.parameters.get("position").flatMap({ UInt64($0) }) else {
            throw JournalError(.notFound, "no import into the record ended at that position")
        }
        return try await pages.confirmed(
            request,
            context,
            to: "/records/\(record.text)?done=importUndone",
            asking: { try await undoing(request, context) },
            doing: { _, caller in _ = try await journal.undoImport(into: record, at: position, caller) }
        )
    }

    private func undoing(_ request: Request, _ context: ServerContext) async throws -> FormPage {
        let reader = pages.reader(request, context)
        let head = try await head(reader, context)
        let words = reader.words
        return FormPage(
            head,
            heading: words["importUndoHeading"],
            lead: words["importUndoLead"],
            action: "\(head.address)/imports/\(context.parameters.get("position") ?? "")/undo",
            cancel: "\(head.address)/imports",
            submit: words["importUndo"],
            fields: [reader.reason()],
            key: pages.key()
        )
    }

    func head(_ reader: Reader, _ context: ServerContext) async throws -> RecordHead {
        let options = ReadOptions(page: .newest(0))
        let answer = try await journal.read(context.record(), options, as: .list, context.requireCaller())
        return pages.head(answer, at: .export, reader)
    }

    // MARK: - Importing

    @Sendable private func new(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let form = form(pages.reader(request, context))
        return pages.response(form, form.heading, request, context)
    }

    @Sendable private func look(_ request: Request, _ context: ServerContext) async throws -> Response {
        let reader = pages.reader(request, context)
        let typed = try await request.pageUpload()
        do {
            let bytes = try typed.document()
            let reports = try await take(bytes, typed, isTrial: true, context.requireCaller())
            let page = ImportPage(
                reports.map { $0.item(reader.name($0.displayName), reader) },
                above: ("/import", reader.words["importDocument"]),
                action: "/import/take",
                cancel: "/records",
                isNothingNew: reports.allSatisfy(\.bringsNothing),
                fields: [ImportPage.Hidden("content", Data(bytes).base64EncodedString())]
                    + ExchangePages.options.map { ImportPage.Hidden($0, typed[$0]) },
                key: pages.key(typed)
            )
            return pages.response(page, reader.words["importReport"], request, context)
        } catch {
            let error = JournalError(error)
            guard error.isOfTheForm else { throw error }
            let form = form(reader, typed, error)
            return pages.response(form, form.heading, request, context, status: .badRequest)
        }
    }

    @Sendable private func take(_ request: Request, _ context: ServerContext) async throws -> Response {
        let typed = try await request.pageForm(atMost: ExchangePages.formBytes)
        guard let bytes = Data(base64Encoded: typed["content"]) else { throw Problem.staleForm }
        let reports = try await take(Array(bytes), typed, isTrial: false, context.requireCaller())
        guard reports.count == 1, let record = reports.first?.record else {
            return Pages.redirect(to: "/records?done=imported")
        }
        return Pages.redirect(to: "/records/\(record.text)?done=imported")
    }

    private static let options = ["epoch", "zoneOfBirth", "currencyIfNone"]

    private func take(
        _ bytes: [UInt8],
        _ typed: PageForm,
        isTrial: Bool,
        _ caller: Caller
    ) async throws -> [ImportReport] {
        let currency = typed["currencyIfNone"]
        let document = DocumentImport(
            journal: journal,
            epoch: typed["epoch"] == "reference" ? .reference : .unix,
            zone: TimeZone(identifier: typed["zoneOfBirth"]),
            currency: currency.isEmpty ? nil : currency
        )
        return try await document.take(bytes, isTrial: isTrial, caller)
    }

    private func form(_ reader: Reader, _ typed: PageForm? = nil, _ error: JournalError? = nil) -> FormPage {
        let words = reader.words
        // An error within the document is shown with its path.
        let isOfFile = error?.field == "file"
        var file = FormField(
            "file",
            words["file"],
            .file,
            problem: isOfFile ? error.map { reader.words.sentence($0.text) } : nil
        )
        file.isRequired = true
        var epoch = FormField("epoch", words["epoch"], .choice)
        epoch.hint = words["hint.epoch"]
        epoch.options = ["unix", "reference"]
            .map { name in
                FormOption(name, words["epoch.\(name)"], isChosen: name == typed?["epoch"] ?? "unix")
            }
        var zone = FormField("zoneOfBirth", words["zoneOfBirth"], .choice)
        zone.hint = words["hint.zoneOfBirth"]
        let chosen = typed?["zoneOfBirth"] ?? reader.zone.identifier
        zone.options = TimeZone.knownTimeZoneIdentifiers.sorted()
            .map { name in
                FormOption(name, name.replacing("_", with: " "), isChosen: name == chosen)
            }
        var currency = FormField(
            "currencyIfNone",
            words["currencyIfNone"],
            .line,
            value: typed?["currencyIfNone"] ?? ""
        )
        currency.hint = words["hint.currency"]
        return FormPage(
            heading: words["importHeading"],
            lead: words["importLead"],
            problem: error.map {
                isOfFile ? words.count(1, "fieldsWrong", "1") : words.sentence($0.text, of: $0.field)
            },
            action: "/import",
            cancel: "/records",
            submit: words["importLook"],
            fields: [file, epoch, zone, currency],
            key: pages.key()
        )
    }
}

extension PageForm {
    /// The bytes of the document that was uploaded.
    func document() throws(JournalError) -> [UInt8] {
        guard let file else { throw JournalError(.invalid, field: "file", "choose a file") }
        guard file.bytes.count <= DocumentImport.documentBytes else {
            throw JournalError(
                .invalid,
                field: "file",
                "is larger than \(DocumentImport.documentBytes >> 20) MiB: import it on the command line"
            )
        }
        return Array(file.bytes)
    }
}

extension ImportReport {
    /// The report as the preview shows it.
    func item(_ name: String, _ reader: Reader) -> ImportPage.Item {
        ImportPage.Item(
            name: name,
            isNew: isNewRecord,
            isChanged: isProfileChanged,
            added: added,
            corrected: corrected,
            unchanged: unchanged,
            unrepresented: unrepresented,
            contradictions: contradictions,
            kept: kept,
            retracted: retracted,
            older: older,
            foreign: foreign,
            unresolved: unresolved,
            missingFiles: missingFiles.count,
            doubts: doubts.count,
            partialDates: partialDates,
            possibleDuplicates: possibleDuplicates,
            changes: changes.prefix(ImportPage.Item.mostChanges + 1)
                .map { reader.importChange($0.what.rawValue, $0.kind, $0.fields, isAlike: $0.sameAs != nil) },
            reader
        )
    }

    var bringsNothing: Bool { !isNewRecord && !isProfileChanged && added + corrected + retracted == 0 }
}
