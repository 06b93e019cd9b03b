internal import EventLog
package import FoundationEssentials
package import HealthModel
package import Interchange
package import JournalCore
internal import MedicalRecords

extension Journal.Imports {
    /// Reads the cards of an address book for a record, as entries of a kind, and appends nothing.
    ///
    /// Throws if the caller may not import into the record, if no card can be read or, with `isStrict`, if one cannot.
    package func readCards(
        _ bytes: [UInt8],
        as kind: Kind,
        into record: UUID,
        isTrial: Bool,
        isStrict: Bool = false,
        _ caller: Caller
    ) async throws(JournalError) -> ImportedRecord {
        try await journal.retrying {
            try await journal.access.admit(caller, to: .importRecords)
            _ = try await journal.access.admit(caller, to: .manage, on: record)
            let entries = try journal.contents(for: .importing).record(record, asOf: journal.log.head())?.entries ?? []
            let cards = try VCardDocument.read(
                bytes,
                as: kind,
                known: Dictionary(entries.map { ($0.id, $0) }) { first, _ in first },
                isOurs: { (try? journal.medicalRecords.place(ofEntry: $0))?.record == record },
                namespace: journal.imports.namespaces(of: "vcard", isTrial: isTrial).entries(record),
                now: journal.now,
                isStrict: isStrict
            )
            return VCardDocument.record(record, cards)
        }
    }
}
