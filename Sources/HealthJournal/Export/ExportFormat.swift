internal import HealthModel
package import Interchange

/// The format of an exported record.
package enum ExportFormat: String, CaseIterable, Sendable {
    /// The journal's own format, with all data of the record.
    case native
    /// The CloudKit JSON format of Purus Health.
    case purus
    /// The tree of users of Mango Health, with the owner's settings and the caregivers.
    case mango
    /// Resources of FHIR R4 in a Bundle of the type `collection`.
    case fhir
    /// The same resources in a Bundle that a server of FHIR can take.
    case fhirTransaction = "fhir-transaction"
    /// An International Patient Summary, for a doctor who does not know the patient.
    case patientSummary = "fhir-ips"
    /// The Bundle of FHIR that was imported last, with what was corrected since.
    case fhirSource = "fhir-source"
    /// A table of the entries for spreadsheets, in which no value is a formula.
    case spreadsheet
    /// The same table with unchanged values.
    case csv
    /// A self-contained page for a browser or a printer.
    case html
    /// The same page as a PDF.
    case pdf
}

extension RecordAnswer {
    /// The part of the record that a document may contain.
    package var scope: ExportScope {
        ExportScope(
            sections: sections == Set(Section.allCases) ? nil : sections,
            kinds: kinds == Set(Kind.all) ? nil : kinds
        )
    }
}
