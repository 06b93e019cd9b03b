internal import EventLog
package import FoundationEssentials
internal import HealthModel
package import Interchange
package import JournalCore

/// What readers of documents must know of the journal.
extension Journal.Imports {
    /// Returns what the reader of a FHIR document must know.
    ///
    /// `record` is the record that the document is about; nil if it names its Patients. With `isTrial`, the namespace of a
    /// record that does not exist yet is a random one.
    package func fhirOptions(
        of record: UUID? = nil,
        source: String = "",
        isTrial: Bool
    ) throws(JournalError) -> FHIROptions {
        var options = FHIROptions(
            record: record,
            source: source,
            now: journal.now,
            namespaces: try namespaces(of: "fhir", isTrial: isTrial)
        )
        let journal = journal
        options.hasRecord = { try journal.log.version(of: $0) > 0 }
        // What is read here decides only how the document is read: the import asks the gate before it compares or appends.
        options.held = { record, entries in
            guard try journal.log.version(of: record) > 0 else { return [] }
            let (contents, head) = (journal.contents(for: .importing), try journal.log.head())
            guard let entries else { return try contents.record(record, asOf: head)?.entries ?? [] }
            return try contents.entries(entries, asOf: head).filter { $0.record == record }
        }
        return options
    }

    /// Returns the namespaces from which the ids of a Purus document are derived, which are secrets of this journal.
    ///
    /// On a trial run no key is created: a record that does not exist yet has no entries to compare with.
    package func purusNamespaces(isTrial: Bool) throws(JournalError) -> PurusNamespaces {
        try namespaces(of: "purus", isTrial: isTrial)
    }

    /// Returns the namespaces from which the ids of a document of a format are derived.
    package func namespaces(of format: String, isTrial: Bool) throws(JournalError) -> PurusNamespaces {
        do {
            let log = journal.log
            return PurusNamespaces(records: try log.opaqueID(of: format, subject: log.description.id)) {
                record in
                if isTrial, try log.version(of: record) == 0 { return UUID() }
                do {
                    return try log.opaqueID(of: format, subject: record)
                } catch let error as EventLogError where error.code == .subjectErased {
                    // Its entries have no ids any more; the import decides whether the caller may know of the erasure.
                    return UUID()
                }
            }
        } catch {
            throw JournalError(error)
        }
    }
}
