import EventLog
import Foundation
import HealthModel
import JournalEvents

extension OpenJournal {
    /// Returns the record of an entry, and the history of the entry.
    func history(ofEntry id: UUID) throws -> (record: UUID, events: EntryHistory) {
        var events: [RecordedEvent] = []
        try log.forEachEvent(
            through: log.head(),
            where: { $0.entry == id && $0.category == EventCategory.entry.rawValue },
            { event in
                if case .read(let recorded) = log.content(of: event) { events.append(recorded) }
                return true
            }
        )
        guard let record = events.first?.subject, let history = EntryHistory(events) else {
            throw Failure(.notFound, "the entry's content cannot be read: it was erased, or is damaged")
        }
        return (record, history)
    }
}
