internal import HealthModel
internal import Interchange
internal import JournalCore

/// The format of an exported record, in the order in which a page offers them: what a person reads comes first.
package enum ExportFormat: String, CaseIterable, Sendable {
    /// A self-contained page for a browser or a printer.
    case html
    /// The same page as a PDF.
    case pdf
    /// A table of the entries for spreadsheets, in which no value is a formula.
    case spreadsheet
    /// The same table with unchanged values.
    case csv
    /// The doctors and emergency contacts as cards of an address book.
    case vcard
    /// An International Patient Summary, for a doctor who does not know the patient.
    case patientSummary = "fhir-ips"
    /// The journal's own format, with all data of the record.
    case native
    /// Resources of FHIR R4 in a Bundle of the type `collection`.
    case fhir
    /// The same resources in a Bundle that a server of FHIR can take.
    case fhirTransaction = "fhir-transaction"
    /// The Bundle of FHIR that was imported last, with the corrections made since.
    case fhirSource = "fhir-source"
    /// All versions as a Bundle of FHIR, with who made them and who looked.
    case fhirHistory = "fhir-history"
    /// The resources of FHIR in files by their types, in a zip archive.
    case fhirFiles = "fhir-ndjson"
    /// The CloudKit JSON format of Purus Health.
    case purus
    /// The tree of users of Mango Health, with the owner's settings and the caregivers.
    case mango

    /// Whether retracted entries are part of the document.
    package var includesRetracted: Bool { self == .fhirHistory }

    /// Whether the files of documents are part of the document.
    package var containsFiles: Bool {
        switch self {
        case .fhir, .fhirTransaction, .fhirSource, .fhirFiles, .purus: true
        case .html, .pdf, .spreadsheet, .csv, .vcard, .patientSummary, .native, .fhirHistory, .mango: false
        }
    }
}
