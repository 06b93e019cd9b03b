import EventLog
package import Foundation
package import HealthJournal
import HealthModel
import Interchange
package import JournalPages
internal import Platform

extension ExportedRecord {
    /// Writes the record as a document in any of the formats, in parts.
    ///
    /// Memory holds at most the largest entry and one page of entries. A PDF is the exception, and is therefore limited
    /// to ``PDFPrinter/maximumEntries`` entries.
    ///
    /// HTML and PDF are in a language, and format dates and numbers according to a locale.
    package func write(
        as format: ExportFormat,
        in language: ReaderLanguage,
        zone: TimeZone? = nil,
        to sink: Sink
    ) async throws {
        switch format {
        case .native: try await writeNative(to: sink)
        case .purus: try await writePurus(to: sink)
        case .mango: try await writeMango(to: sink)
        case .fhir: try await writeFHIR(as: .collection, to: sink)
        case .fhirTransaction: try await writeFHIR(as: .transaction, to: sink)
        case .patientSummary: try await writePatientSummary(to: sink)
        case .fhirSource: try await writeFHIRSource(to: sink)
        case .fhirHistory: try await writeFHIRHistory(to: sink)
        case .fhirFiles: try await writeFHIRArchive(to: sink)
        case .vcard: try await writeCards(to: sink)
        case .csv: try await writeTable(to: sink)
        case .spreadsheet: try await writeTable(isForSpreadsheets: true, to: sink)
        case .html: try await writePage(language, zone, to: sink)
        case .pdf:
            guard count <= PDFPrinter.maximumEntries else {
                throw JournalError(
                    .conflict,
                    "a PDF has at most \(PDFPrinter.maximumEntries) entries, and this record has more: export HTML"
                )
            }
            try await sink(try await PDFPrinter.pdf(of: source(language, zone)))
        }
    }

    /// Writes an HTML page for display or printing.
    private func writePage(
        _ language: ReaderLanguage,
        _ zone: TimeZone?,
        to sink: Sink
    ) async throws {
        let renderer = try PageRenderer()
        let words = language.words
        var printed = try printed(language, zone)
        let frame = PageFrame(title: "")
        try await sink(
            Array(renderer.render(printed.opening(printed: journal.now, today: journal.today), in: frame, words).utf8)
        )
        try await forEachRows(of: &printed) { rows in
            try await sink(await BlockingWork.run { Array(renderer.render(rows, in: frame, words).utf8) })
        }
        try await sink(Array(renderer.render(printed.closing, in: frame, words).utf8))
    }

    /// Returns the program that sets the record as a PDF.
    private func source(_ language: ReaderLanguage, _ zone: TimeZone?) async throws -> String {
        var printed = try printed(language, zone)
        let opening = printed.opening(printed: journal.now, today: journal.today)
        var sheet = PrintedRecord.Sheet(opening, language.words)
        try await forEachRows(of: &printed) { sheet.add($0) }
        let (whole, closing) = (sheet, printed.closing)
        return await BlockingWork.run { whole.source(closing) }
    }

    private func printed(_ language: ReaderLanguage, _ zone: TimeZone?) throws -> PrintedRecord {
        // The checkpoint with which an owner can verify the log. Other readers do not get it, because it reveals the
        // log's size.
        let signed = answer.right == .owner ? try journal.checkpoint().checkpoint : nil
        return PrintedRecord(
            answer.state,
            PrintedRecord.Extent(
                kinds: answer.kinds,
                chosen: options.kinds.map { Set($0) },
                counts: counts,
                showsProfile: answer.showsProfile,
                isOwner: answer.right == .owner,
                period: options.period
            ),
            asOf: answer.asOf,
            signed.map { PrintedRecord.Signature(size: $0.size, root: $0.root.hexadecimal, origin: $0.origin) },
            Reader(language, zone: zone ?? journal.zone)
        )
    }

    /// Calls `body` with the entries of each kind, some at a time.
    private func forEachRows(
        of printed: inout PrintedRecord,
        _ body: (PrintedRecord.Rows) async throws -> Void
    ) async throws {
        var names: [UUID: String] = [:]
        var plans: [UUID: PlanProduct] = [:]
        for kind in printed.kinds {
            var done = 0
            try await forEachPage(of: kind, descendingBy: PrintedRecord.order) { entries in
                for account in Set(entries.actors) where names[account] == nil {
                    names[account] = journal.accounts.name(of: account)
                }
                if kind == Dose.kind { plans.merge(try planProducts(of: entries)) { $1 } }
                let isFirst = done == 0
                done += entries.count
                let isLast = done == counts[kind]
                try await body(
                    printed.rows(entries, of: kind, isFirst: isFirst, isLast: isLast, Names(names, plans: plans))
                )
            }
        }
    }
}
