internal import EventLog
internal import FoundationEssentials
internal import HealthModel
package import Interchange
package import JournalCore
internal import JournalEvents

extension Journal.NameSuggestions {
    /// The maximum number of lists of names that a journal uses at the same time.
    package static let maximumNameLists = 16

    /// Loads a list of names; a newer one replaces an earlier one of its name.
    ///
    /// The file is kept sealed as an attachment of the journal.
    package func loadNames(
        _ bytes: [UInt8],
        named name: String,
        version: String = "",
        _ caller: Caller
    ) async throws(JournalError) -> (write: WriteResult, names: LoadedNamesDocument) {
        let count: Int
        do {
            try await journal.access.admit(caller, to: .administer(.manage))
            guard !name.isEmpty else { throw ModelError(.invalid, field: "name", "is required") }
            try TextCheck.check(name, field: "name", maximum: Limits.line)
            try TextCheck.check(version, field: "version", maximum: Limits.line)
            count = try NameListFile.parse(bytes).count
        } catch {
            throw JournalError(error)
        }
        let file = NamesLoaded(name: name, version: version, digest: BlobStore.digest(of: bytes), count: count)
        let write = try await journal.once(caller) {
            try await journal.load(
                file,
                bytes,
                into: journal.nameLists,
                limit: Self.maximumNameLists,
                caller
            )
        }
        guard let document = try loadedNames().first(where: { $0.position == write.position }) else {
            throw JournalError(.failed, "the list that was loaded cannot be found")
        }
        return (write, document)
    }

    /// Returns the lists of names that were loaded, in that order; they contain no personal data.
    package func loadedNames() throws(JournalError) -> [LoadedNamesDocument] {
        do {
            let loaded = try journal.nameLists.loaded(in: journal.log, asOf: journal.log.head())
            let current = LoadedFiles<NamesLoaded, NameCatalogue>.current(loaded)
            return loaded.map { LoadedNamesDocument($0.file, $0.stamp, isCurrent: current.contains($0)) }
        } catch {
            throw JournalError(error)
        }
    }
}
