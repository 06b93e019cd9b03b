package import Foundation
import EventLog
package import HealthJournal
package import HealthModel
import Interchange
import JournalPages

extension Journal {
    /// What somebody was shown of a record, as a document in any of the formats.
    ///
    /// Dates and numbers of what is printed are written as `locale` has them.
    package func exported(
        _ answer: RecordAnswer,
        as format: ExportFormat,
        happenedBy: Day? = nil,
        locale: Locale = Locale(identifier: "en-GB"),
        zone: TimeZone? = nil
    ) async throws -> [UInt8] {
        switch format {
        case .native, .purus, .csv: return Array(try document(of: answer, as: format).utf8)
        case .html, .pdf:
            guard format == .html || answer.state.entries.count <= PDFPrinter.mostEntries else {
                throw JournalError(
                    .conflict,
                    "a PDF is made of \(PDFPrinter.mostEntries) entries at most, and here are more: take HTML"
                )
            }
            let renderer = try PageRenderer()
            let reader = Reader(renderer.words, locale: locale, zone: zone ?? self.zone)
            let page = try printing(answer, happenedBy, reader)
            let html = await PrintingPress.run { renderer.render(page(), in: PageFrame(title: "")) }
            return format == .html ? Array(html.utf8) : try await PDFPrinter.pdf(of: html)
        }
    }

    /// What is printed, made when it is called for: a large record is written out by whoever prints it.
    private func printing(
        _ answer: RecordAnswer,
        _ happenedBy: Day?,
        _ reader: Reader
    ) throws -> @Sendable () -> PrintedRecord {
        var names: [UUID: String] = [:]
        for account in Set(answer.state.entries.actors) { names[account] = name(of: account) }
        // What an owner may hand over to be held against the log; to others it would say how much there is.
        let signed = answer.right == .owner ? try log.checkpoint().checkpoint : nil
        let (now, today, known) = (now, today, Names(names))
        return {
            PrintedRecord(
                answer.state,
                PrintedRecord.Extent(
                    kinds: answer.kinds,
                    showsProfile: answer.showsProfile,
                    isOwner: answer.right == .owner,
                    happenedBy: happenedBy
                ),
                asOf: answer.asOf,
                printed: now,
                today: today,
                signed.map { PrintedRecord.Signature(size: $0.size, root: $0.root.hexadecimal, origin: $0.origin) },
                known,
                reader
            )
        }
    }
}
