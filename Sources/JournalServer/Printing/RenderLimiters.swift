import HealthJournal

/// Limits how many records a service renders as documents at once, by how much a format costs.
struct RenderLimiters: Sendable {
    /// Printable pages: seconds for a large record.
    private let pages = ConcurrencyLimiter("printable pages", total: 2, perAccount: 1, retryAfter: 10)
    /// PDFs: seconds for a large record, on a processor of their own.
    private let documents = ConcurrencyLimiter("PDF documents", total: 2, perAccount: 1, retryAfter: 10)
    /// Data formats, and whole records that are sent in parts.
    let data = ConcurrencyLimiter("exports", total: 4, perAccount: 2, retryAfter: 10)

    func limiter(for format: ExportFormat) -> ConcurrencyLimiter {
        switch format {
        case .html: pages
        case .pdf: documents
        default: data
        }
    }
}
