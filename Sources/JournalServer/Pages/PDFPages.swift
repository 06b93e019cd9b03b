import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// Pages that render a record as a PDF, show the progress, and serve the file.
///
/// The page reloads itself with a `Refresh` header, without a script.
struct PDFPages {
    let pages: Pages
    private var journal: Journal { pages.journal }

    /// How long the first request waits; most records are rendered by then.
    private static let firstWait: Duration = .seconds(1)
    /// The interval at which the page reloads, in seconds.
    private static let interval = 2

    init(_ pages: Pages) {
        self.pages = pages
    }

    func add(to group: RouterGroup<ServerContext>) {
        let export = group.group("records/:record/export/pdf")
        export.get(use: begin)
        export.get(":job", use: show)
        export.get(":job/file", use: save)
    }

    @Sendable private func begin(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, RecordExport.parameters.map(\.name))
        guard query[.exportAs] == ExportFormat.pdf.rawValue else {
            throw JournalError(.invalid, field: "as", "must be \(ExportFormat.pdf.rawValue)")
        }
        let (record, caller) = (try context.record(), try context.requireCaller())
        let options = try RecordExport.options(query)
        let order = PDFJobs.Order(
            account: caller.account,
            record: record,
            options: options,
            settings: pages.readerSettings(request, context),
            right: try await journal.exportRight(to: record, options, caller)
        )
        let job = try pages.pdfs.begin(order) { [journal, renders = pages.renders] in
            let head = try journal.head()
            var response = try await RecordExport(journal, renders, pages.languages).answer(request, context, query)
            let headers = response.headers
            response.headers = [:]
            return PDFJobs.Document(bytes: try await response.collected(), headers: headers, head: head)
        }
        return try await page(job.id, request, context, waiting: PDFPages.firstWait)
    }

    @Sendable private func show(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        return try await page(context.job(), request, context, waiting: .zero)
    }

    private func page(
        _ id: UUID,
        _ request: Request,
        _ context: ServerContext,
        waiting limit: Duration
    ) async throws -> Response {
        let record = try context.record()
        guard let job = try await pages.pdfs.wait(for: id, of: context.requireCaller().account, atMost: limit),
            job.order.record == record
        else { throw JournalError.noPDF }
        let reader = pages.reader(request, context)
        let address = "/records/\(record.text)/export/pdf/\(id.text)"
        let page: PreparingPage
        let next: String
        switch job.state {
        case .failed(let error):
            pages.pdfs.forget(job)
            throw error
        case .done:
            page = PreparingPage(record: record, file: "\(address)/file", reader)
            next = "0; url=\(address)/file"
        case .running:
            page = PreparingPage(record: record, seconds: job.seconds, atMost: PDFPrinter.seconds, reader)
            next = "\(PDFPages.interval); url=\(address)"
        }
        var response = pages.response(page, page.heading, request, context)
        response.headers[.refresh] = next
        return response
    }

    /// Checks the access right again: it may have ended or changed since the document was rendered.
    @Sendable private func save(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let (record, caller) = (try context.record(), try context.requireCaller())
        guard let job = pages.pdfs.job(try context.job(), of: caller.account), job.order.record == record,
            case .done(let document) = job.state
        else { throw JournalError.noPDF }
        guard try await journal.exportRight(to: record, job.order.options, caller) == job.order.right else {
            pages.pdfs.forget(job)
            throw JournalError.noPDF
        }
        // The document may contain an entry that was erased since.
        guard try !journal.hasErasedEntries(in: record, after: document.head) else {
            pages.pdfs.forget(job)
            throw JournalError.noPDF
        }
        var response = Response(document.bytes, type: .pdf)
        for name in [HTTPField.Name.contentType, .contentDisposition] {
            response.headers[name] = document.headers[name]
        }
        return response
    }
}

extension JournalError {
    fileprivate static let noPDF = JournalError(
        .notFound,
        "there is no such PDF: PDFs are available for a few minutes only; create it again"
    )
}

extension HTTPField.Name {
    /// Makes a browser load an address after a delay, without a script.
    static let refresh = HTTPField.Name("Refresh") ?? .retryAfter
}
