import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import JournalPages

/// Documents in and out.
struct ExchangePages {
    let pages: Pages
    private var journal: Journal { pages.journal }

    /// A document with its encoding: a form holds it between the look and the taking in.
    static let documentBytes = 6 << 20
    static let formBytes = 12 << 20

    init(_ pages: Pages) {
        self.pages = pages
    }

    func add(to group: RouterGroup<ServerContext>) {
        group.get("records/:record/export", use: export)
        group.get("records/:record/export/file", use: file)
        group.get("import", use: new)
        group.post("import", use: look)
        group.post("import/take", use: take)
    }

    @Sendable private func export(_ request: Request, _ context: ServerContext) async throws -> Response {
        let moment = try MomentQuery(try Query(request, MomentQuery.names))
        let reader = pages.reader(request)
        let options = ReadOptions(asOf: moment.asOf, happenedBy: moment.happenedBy, page: .newest(0))
        let answer = try await journal.read(context.record(), options, as: .list, context.requireCaller())
        let head = pages.head(answer, at: .export, reader, moment)
        let page = ExportPage(head, formats: ExportFormat.allCases.map(\.rawValue), reader.words)
        return pages.response(page, reader.words["tab.export"], request, context)
    }

    /// The same as the service gives to programs; but what goes wrong is told on a page.
    @Sendable private func file(_ request: Request, _ context: ServerContext) async throws -> Response {
        try await RecordExport(journal).answer(request, context)
    }

    // MARK: - Taken in

    @Sendable private func new(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let form = form(pages.reader(request))
        return pages.response(form, form.heading, request, context)
    }

    @Sendable private func look(_ request: Request, _ context: ServerContext) async throws -> Response {
        let reader = pages.reader(request)
        let place = try pages.uploads.enter(context.requireCaller().account)
        defer { withExtendedLifetime(place) {} }
        let typed = try await request.pageUpload()
        do {
            guard let file = typed.file else { throw JournalError(.invalid, field: "file", "choose a file") }
            guard file.bytes.count <= ExchangePages.documentBytes else {
                throw JournalError(
                    .invalid,
                    field: "file",
                    "is larger than \(ExchangePages.documentBytes >> 20) MiB: import it by the command line"
                )
            }
            let reports = try await take(Array(file.bytes), typed, isTrial: true, context.requireCaller())
            let page = ImportPage(
                reports.map { report in
                    ImportPage.Item(
                        name: report.displayName,
                        isNew: report.isNewRecord,
                        isChanged: report.isProfileChanged,
                        added: report.added,
                        corrected: report.corrected,
                        unchanged: report.unchanged,
                        unrepresented: report.unrepresented,
                        reader
                    )
                },
                isNothingNew: reports.allSatisfy(\.bringsNothing),
                fields: [ImportPage.Hidden("content", Data(file.bytes).base64EncodedString())]
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
        let place = try pages.uploads.enter(context.requireCaller().account)
        defer { withExtendedLifetime(place) {} }
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
        var caller = caller
        caller.source = .import
        if try JSONReader.read(bytes).isNative {
            return try await journal.take(
                NativeDocument.readAll(bytes, now: journal.now),
                isTrial: isTrial,
                caller
            )
        }
        let options = PurusOptions(
            epoch: typed["epoch"] == "reference" ? .reference : .unix,
            zone: TimeZone(identifier: typed["zoneOfBirth"]) ?? journal.zone,
            now: journal.now,
            namespaces: try journal.purusNamespaces(isTrial: isTrial)
        )
        let document = try PurusDocument.read(bytes, options: options)
        let currency = typed["currencyIfNone"]
        return [
            try await journal.take(document, currency: currency.isEmpty ? nil : currency, isTrial: isTrial, caller)
        ]
    }

    private func form(_ reader: Reader, _ typed: PageForm? = nil, _ error: JournalError? = nil) -> FormPage {
        let words = reader.words
        // What is wrong within the document is told with where it stands there.
        let isOfFile = error?.field == "file"
        var file = FormField(
            "file",
            words["file"],
            .file,
            problem: isOfFile ? error.map { Sentence($0.message).text } : nil
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
            problem: error.map { isOfFile ? words.count(1, "fieldsWrong", "1") : Sentence($0.description).text },
            action: "/import",
            cancel: "/records",
            submit: words["importLook"],
            fields: [file, epoch, zone, currency],
            key: pages.key()
        )
    }
}

extension JSONValue {
    /// Whether a document, or the first of several, says that it is one of ours.
    fileprivate var isNative: Bool {
        if case .array(let items) = self { return items.first?.isNative ?? false }
        return self["format"] == .string(NativeDocument.format)
    }
}

extension ImportReport {
    fileprivate var bringsNothing: Bool { !isNewRecord && !isProfileChanged && added == 0 && corrected == 0 }
}
