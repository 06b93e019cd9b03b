import EventLog
import Foundation
import HealthModel
import JournalEvents

extension OpenJournal {
    /// Returns the record of an entry, and the history of the entry.
    func history(ofEntry id: UUID) throws -> (record: UUID, events: EntryHistory) {
        var changes: [EntryHistory.Change] = []
        var place: (record: UUID, kind: Kind)?
        try log.forEachEvent(
            through: log.head(),
            where: { $0.entry == id && $0.category == EventCategory.entry.rawValue },
            { event in
                if place == nil { place = Kind.coded(event.header.kind).map { (event.header.subject, $0) } }
                if let change = EntryHistory.Change(event) { changes.append(change) }
                return true
            }
        )
        guard let place, let history = EntryHistory(of: id, kind: place.kind, changes) else {
            throw Failure(.notFound, "the log has no event that adds this entry")
        }
        return (place.record, history)
    }
}
