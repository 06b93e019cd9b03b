import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages
import NIOCore

/// A record as a document to download, for the API and for pages.
struct RecordExport {
    /// The parameters of the query.
    static let parameters: [Parameter] = [.exportAs, .kinds, .asOf, .language] + Parameter.period

    /// The media type of each document, with the name of its schema.
    static let content: [(mediaType: String, schema: String)] = [
        (AnswerType.json.essence, "Copy"), (AnswerType.csv.essence, "Text"), (AnswerType.html.essence, "Text"),
        (AnswerType.pdf.essence, "Bytes"), (AnswerType.cards.essence, "Text"), (AnswerType.zip.essence, "Bytes"),
    ]

    private let journal: Journal
    private let renders: RenderLimiters
    private let languages: Languages

    init(_ journal: Journal, _ renders: RenderLimiters, _ languages: Languages) {
        (self.journal, self.renders, self.languages) = (journal, renders, languages)
    }

    /// Returns what the query asks for: a moment, days and kinds.
    static func options(_ query: Query) throws -> ReadOptions {
        var options = try query.readOptions
        options.kinds = try query.kinds
        return options
    }

    func answer(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        guard let format = ExportFormat(rawValue: query[.exportAs] ?? "") else {
            let names = ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw JournalError(.invalid, field: "as", "must be one of \(names)")
        }
        // Takes a slot first: a caller who is turned away has seen nothing, and no read is recorded.
        let caller = try context.requireCaller()
        var options = try RecordExport.options(query)
        options.includesRetracted = format.includesRetracted
        let slot = try renders.limiter(for: format).acquire(for: caller.account)
        let exported = try await journal.exports.export(context.record(), options, by: caller)
        // The status of an answer cannot change any more once its body is being sent.
        try await exported.requireContent(of: format)
        let settings = ReaderSettings(
            request,
            journal.accounts.knownPreferences(of: caller.account),
            language: query[.language]
        )
        let document = Document(
            record: exported,
            format: format,
            language: settings.language(languages),
            zone: settings.timeZone,
            slot: slot
        )
        // The record's id, because a file name must not contain a person's name.
        let name = "\(exported.answer.state.id.text).\(format.answerType.ending)"
        return Response(
            status: .ok,
            headers: [
                .contentType: format.answerType.rawValue, .contentDisposition: "attachment; filename=\"\(name)\"",
            ],
            body: try await document.body()
        )
    }

    /// A document that is being sent to a client.
    private struct Document: Sendable {
        let record: ExportedRecord
        let format: ExportFormat
        let language: ReaderLanguage
        let zone: TimeZone?
        /// Held until the document has been made.
        let slot: ConcurrencyLimiter.Slot

        /// Renders a PDF completely before the response starts, because rendering can fail, and the length is known
        /// then.
        func body() async throws -> ResponseBody {
            guard format == .pdf else { return ResponseBody(parts: { sink in try await write(to: sink) }) }
            var bytes = ByteBuffer()
            try await write { bytes.writeBytes($0) }
            return ResponseBody(byteBuffer: bytes)
        }

        private func write(to sink: ExportedRecord.Sink) async throws {
            try await record.write(as: format, in: language, zone: zone, to: sink)
            slot.end()
        }
    }
}

extension ExportFormat {
    fileprivate var answerType: AnswerType {
        switch self {
        case .native, .purus, .mango, .fhir, .fhirTransaction, .patientSummary, .fhirSource, .fhirHistory: .json
        case .fhirFiles: .zip
        case .vcard: .cards
        case .csv, .spreadsheet: .csv
        case .html: .html
        case .pdf: .pdf
        }
    }
}

extension AnswerType {
    /// The ending of the name of a file.
    fileprivate var ending: String {
        switch self {
        case .cards: "vcf"
        case .csv: "csv"
        case .html: "html"
        case .pdf: "pdf"
        case .zip: "zip"
        default: "json"
        }
    }
}
