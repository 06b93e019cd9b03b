internal import HealthModel
package import Interchange

/// A format in which a record is given out.
package enum ExportFormat: String, CaseIterable, Sendable {
    /// All that the journal knows.
    case native
    /// The CloudKit JSON of Purus Health.
    case purus
    /// The entries as a table.
    case csv
    /// A page that needs nothing else, for a browser or a printer.
    case html
    /// The same, printed.
    case pdf
}

extension RecordAnswer {
    /// What a document may hold of it.
    package var scope: ExportScope {
        ExportScope(
            sections: sections == Set(Section.allCases) ? nil : sections,
            kinds: kinds == Set(Kind.all) ? nil : kinds
        )
    }
}

extension Journal {
    /// What somebody was shown of a record, as a document of data.
    package func document(of answer: RecordAnswer, as format: ExportFormat) throws -> String {
        switch format {
        case .native:
            JSONWriter.text(NativeDocument.write(answer.state, asOf: answer.asOf, scope: answer.scope), .pretty) + "\n"
        case .purus:
            try JSONWriter.text(purusDocument(of: answer, scope: answer.scope), .pretty) + "\n"
        case .csv:
            CSVTable.write(answer.state, scope: answer.scope)
        case .html, .pdf:
            throw JournalError(.failed, "a page is printed, and not written as a document of data")
        }
    }
}
