import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// Pages that render a record as a PDF, show the progress, and serve the file.
///
/// The page reloads itself with a `Refresh` header, without a script.
struct PDFPages: PageGroup {
    let pages: Pages

    /// How long the first request waits; most records are rendered by then.
    private static let firstWait: Duration = .seconds(1)
    /// The interval at which the page reloads, in seconds.
    private static let interval = 2

    func add(to routes: PageRoutes) {
        let export = routes.group("records/:record/export/pdf")
        export.get("", query: RecordExport.parameters.map(\.name), begin)
        export.get(":job", show)
        export.get(":job/file", save)
    }

    @Sendable private func begin(_ visit: PageVisit) async throws -> Response {
        guard visit.query[.exportAs] == ExportFormat.pdf.rawValue else {
            throw JournalError(.invalid, field: "as", "must be \(ExportFormat.pdf.rawValue)")
        }
        let (record, caller) = (try visit.record(), try visit.caller)
        let options = try RecordExport.options(visit.query)
        let order = PDFJobs.Order(
            account: caller.account,
            record: record,
            options: options,
            settings: pages.readerSettings(visit.request, visit.context),
            right: try await journal.exports.exportRight(to: record, options, caller)
        )
        let job = try pages.pdfs.begin(order) { [journal, renders = pages.renders] in
            let head = try journal.head()
            let export = RecordExport(journal, renders, pages.languages)
            var response = try await export.answer(visit.request, visit.context, visit.query)
            let headers = response.headers
            response.headers = [:]
            return PDFJobs.Document(bytes: try await response.collected(), headers: headers, head: head)
        }
        return try await page(job.id, visit, waiting: PDFPages.firstWait)
    }

    @Sendable private func show(_ visit: PageVisit) async throws -> Response {
        try await page(visit.job(), visit, waiting: .zero)
    }

    private func page(
        _ id: UUID,
        _ visit: PageVisit,
        waiting limit: Duration
    ) async throws -> Response {
        let record = try visit.record()
        guard let job = try await pages.pdfs.wait(for: id, of: visit.caller.account, atMost: limit),
            job.order.record == record
        else { throw JournalError.noPDF }
        let reader = visit.reader
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
        var response = visit.response(page, page.heading)
        response.headers[.refresh] = next
        return response
    }

    /// Checks the access right again: it may have ended or changed since the document was rendered.
    @Sendable private func save(_ visit: PageVisit) async throws -> Response {
        let (record, caller) = (try visit.record(), try visit.caller)
        guard let job = pages.pdfs.job(try visit.job(), of: caller.account), job.order.record == record,
            case .done(let document) = job.state
        else { throw JournalError.noPDF }
        guard try await journal.exports.exportRight(to: record, job.order.options, caller) == job.order.right else {
            pages.pdfs.forget(job)
            throw JournalError.noPDF
        }
        // The document may contain an entry that was erased since.
        guard try !journal.entries.hasErasedEntries(in: record, after: document.head) else {
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
