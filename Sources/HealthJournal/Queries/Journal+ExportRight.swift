package import FoundationEssentials
package import HealthModel

extension Journal {
    /// Returns the right by which a caller may export a record at present; a refusal is recorded and thrown.
    ///
    /// For a document that is produced before it is delivered: the right may have ended in between.
    package func exportRight(
        to record: UUID,
        _ options: ReadOptions,
        _ caller: Caller
    ) async throws(JournalError) -> AccessRight {
        try await retrying { try await admit(caller, to: .reading(options, .export), on: record).right }
    }
}
