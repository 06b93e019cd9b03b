internal import EventLog
internal import FoundationEssentials
package import HealthModel
internal import Interchange
internal import JournalEvents

extension Journal {
    /// Returns all names that the journal has, besides those of records; they contain no personal data.
    package func nameCatalogue() throws(JournalError) -> NameCatalogue {
        do {
            return try nameLists.prepared(in: log, asOf: log.head()) {
                NameCatalogue(loaded: try $0.map { try NameListFile.parse($0) })
            } ?? .bundled
        } catch {
            throw JournalError(error)
        }
    }
}
