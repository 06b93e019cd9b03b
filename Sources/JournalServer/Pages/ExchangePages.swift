import EventLog
import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import JournalPages

/// Pages for export and import.
struct ExchangePages: PageGroup {
    let pages: Pages

    /// The largest size of the import form, in bytes: between preview and import, it contains the document in base64.
    static let formBytes = 12 << 20

    func add(to routes: PageRoutes) {
        routes.get("records/:record/export", query: MomentQuery.names + [Parameter.kinds.name], export)
        routes.get("records/:record/export/file", query: RecordExport.parameters.map(\.name), file)
        routes.get("records/:record/imports", imports)
        routes.get("records/:record/imports/:position/undo", askToUndo)
        routes.post("records/:record/imports/:position/undo", alone(undo))
        routes.get("records/:record/imports/csv", newTable)
        routes.post("records/:record/imports/csv", alone(lookAtTable))
        routes.post("records/:record/imports/csv/columns", alone(lookAtColumns))
        routes.post("records/:record/imports/csv/take", alone(takeTable))
        routes.get("import", new)
        routes.post("import", alone(look))
        routes.post("import/take", alone(take))
    }

    /// Processes the requests of an account one after the other, because a document takes much memory and time.
    private func alone(
        _ handler: @escaping PageRoutes.Handler
    ) -> PageRoutes.Handler {
        { [long = pages.long] visit in
            try await long.run(long.imports, visit.context) { try await handler(visit) }
        }
    }

    @Sendable private func export(_ visit: PageVisit) async throws -> Response {
        let moment = try MomentQuery(visit.query)
        let kinds = try visit.query.kinds
        guard kinds.map({ $0.count == 1 }) ?? true else {
            throw JournalError(.invalid, field: Parameter.kinds.name, "must be one kind")
        }
        let reader = visit.reader
        let options = ReadOptions(asOf: moment.asOf, happenedBy: moment.happenedBy, page: .newest(0))
        let answer = try await journal.records.read(visit.record(), options, as: .list, visit.caller)
        let head = pages.head(answer, at: .export, reader, moment)
        // The documents of other apps are of whole records.
        let formats = ExportFormat.allCases.filter {
            kinds == nil || ![.purus, .mango, .fhirSource, .vcard].contains($0)
        }
        let page = ExportPage(head, formats: formats.map(\.rawValue), of: kinds?.first, reader.words)
        return visit.response(page, reader.words["tab.export"])
    }

    /// Serves the same document as the API, but errors are shown as a page.
    @Sendable private func file(_ visit: PageVisit) async throws -> Response {
        try await RecordExport(journal, pages.renders, pages.languages)
            .answer(visit.request, visit.context, visit.query)
    }

    // MARK: - Imports of a record

    @Sendable private func imports(_ visit: PageVisit) async throws -> Response {
        let reader = visit.reader
        let imports = try await journal.imports.list(into: visit.record(), visit.caller)
        let head = try await head(visit)
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
        return visit.response(page, reader.words["importsHeading"])
    }

    @Sendable private func askToUndo(_ visit: PageVisit) async throws -> Response {
        try await journal.access.require(.manage, on: visit.record(), visit.caller)
        let form = try await undoing(visit)
        return visit.response(form, form.heading)
    }

    @Sendable private func undo(_ visit: PageVisit) async throws -> Response {
        let record = try visit.record()
        guard let position = visit.parameters.get("position").flatMap({ UInt64($0) }) else {
            throw JournalError(.notFound, "no import into the record ended at that position")
        }
        return try await visit.confirmed(
            to: "/records/\(record.text)?done=importUndone",
            asking: { try await undoing(visit) },
            doing: { _, caller in _ = try await journal.imports.undoImport(into: record, at: position, caller) }
        )
    }

    private func undoing(_ visit: PageVisit) async throws -> FormPage {
        let reader = visit.reader
        let head = try await head(visit)
        let words = reader.words
        return FormPage(
            head,
            heading: words["importUndoHeading"],
            lead: words["importUndoLead"],
            action: "\(head.address)/imports/\(visit.parameters.get("position") ?? "")/undo",
            cancel: "\(head.address)/imports",
            submit: words["importUndo"],
            fields: [reader.reason()],
            key: pages.key()
        )
    }

    func head(_ visit: PageVisit) async throws -> RecordHead {
        let reader = visit.reader
        let options = ReadOptions(page: .newest(0))
        let answer = try await journal.records.read(visit.record(), options, as: .list, visit.caller)
        return pages.head(answer, at: .export, reader)
    }

    // MARK: - Importing

    @Sendable private func new(_ visit: PageVisit) async throws -> Response {
        let form = form(visit.reader)
        return visit.response(form, form.heading)
    }

    @Sendable private func look(_ visit: PageVisit) async throws -> Response {
        let reader = visit.reader
        let typed = try await visit.upload()
        do {
            let bytes = try typed.document()
            let reports = try await take(bytes, typed, isTrial: true, visit.caller)
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
            return visit.response(page, reader.words["importReport"])
        } catch {
            let error = JournalError(error)
            guard error.isOfTheForm else { throw error }
            let form = form(reader, typed, error)
            return visit.response(form, form.heading, status: .badRequest)
        }
    }

    @Sendable private func take(_ visit: PageVisit) async throws -> Response {
        let typed = try await visit.form(atMost: ExchangePages.formBytes)
        guard let bytes = Data(base64Encoded: typed["content"]) else { throw Problem.staleForm }
        let reports = try await take(Array(bytes), typed, isTrial: false, visit.caller)
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
            faults: faults,
            changes: changes.prefix(ImportPage.Item.mostChanges + 1)
                .map { reader.importChange($0.what.rawValue, $0.kind, $0.fields, isAlike: $0.sameAs != nil) },
            reader
        )
    }

    var bringsNothing: Bool { !isNewRecord && !isProfileChanged && added + corrected + retracted == 0 }
}
