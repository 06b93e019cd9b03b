import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird

/// A record as a document to save, for a program or from a page.
struct RecordExport {
    private let journal: Journal

    init(_ journal: Journal) {
        self.journal = journal
    }

    func answer(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["as", "asOf", "happenedBy"])
        guard let format = ExportFormat(rawValue: query["as"] ?? "") else {
            let names = ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw JournalError(.invalid, field: "as", "must be one of \(names)")
        }
        // A place first: who is sent away was shown nothing, and nothing of it is on record.
        guard let press = PrintingPress.press(for: format) else {
            return try await document(format, query, request, context)
        }
        return try await press.withPlace { try await document(format, query, request, context) }
    }

    private func document(
        _ format: ExportFormat,
        _ query: Query,
        _ request: Request,
        _ context: ServerContext
    ) async throws -> Response {
        let answer = try await journal.read(
            context.record(),
            ReadOptions(asOf: query.asOf, happenedBy: query.happenedBy),
            as: .export,
            context.requireCaller()
        )
        let settings = ReaderSettings(request)
        let document = try await journal.exported(
            answer,
            as: format,
            happenedBy: query.happenedBy,
            locale: settings.preferredLocale,
            zone: settings.zone.flatMap(TimeZone.init(identifier:))
        )
        var response = Response(document, type: format.answerType)
        // Named by its id: a file's name is no place for a person's.
        let name = "\(answer.state.id.text).\(format.ending)"
        response.headers[.contentDisposition] = "attachment; filename=\"\(name)\""
        return response
    }
}

extension ExportFormat {
    fileprivate var answerType: AnswerType {
        switch self {
        case .native, .purus: .json
        case .csv: .csv
        case .html: .html
        case .pdf: .pdf
        }
    }

    fileprivate var ending: String {
        switch self {
        case .native, .purus: "json"
        case .csv, .html, .pdf: rawValue
        }
    }
}
