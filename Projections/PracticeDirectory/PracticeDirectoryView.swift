package import EventLog
package import FoundationEssentials
internal import LMDB
package import ProjectionKit

/// Queries of the practices, and of their specialists and patients, as known at any position.
package struct PracticeDirectoryView: Sendable {
    private let views: ViewStore
    private let log: EventLog
    private let projection = PracticeDirectory()

    package init(views: ViewStore, log: EventLog) {
        self.views = views
        self.log = log
    }

    /// Returns the practices in the order in which they were created.
    package func practices(asOf position: UInt64) throws -> [UUID] {
        try views.query(projection) { tables, transaction in
            try PracticeDirectory.practices(tables, transaction, asOf: position)
        }
    }

    /// Returns the specialists who work or worked in a practice, in the order of their ids.
    package func specialists(of practice: UUID, asOf position: UInt64) throws -> [UUID] {
        try listed(Key(practice), PracticeDirectory.Rows.specialists, asOf: position)
    }

    /// Returns the records of the animals that are or were patients of a practice, in the order of their ids.
    package func patients(of practice: UUID, asOf position: UInt64) throws -> [UUID] {
        let key = try PracticeDirectory.patientsKey(of: practice, log)
        return try listed(Key(key), PracticeDirectory.Rows.patients, asOf: position)
    }

    /// Returns the clients of a practice, also former ones, in the order of their ids.
    package func clients(of practice: UUID, asOf position: UInt64) throws -> [UUID] {
        let key = try PracticeDirectory.clientsKey(of: practice, log)
        return try listed(Key(key), PracticeDirectory.Rows.clients, asOf: position)
    }

    /// Returns the entries of a practice's waiting list, whatever their state.
    package func waiting(of practice: UUID, asOf position: UInt64) throws -> [UUID] {
        let key = try PracticeDirectory.waitingKey(of: practice, log)
        return try listed(Key(key), PracticeDirectory.Rows.waiting, at: 32, asOf: position)
    }

    /// Returns the ids at an offset of the keys under a prefix.
    private func listed(
        _ prefix: Key,
        _ table: Int,
        at offset: Int = 16,
        asOf position: UInt64
    ) throws -> [UUID] {
        try views.query(projection) { tables, transaction in
            var found: [UUID] = []
            let cursor = try transaction.cursor(in: tables[table])
            var row = try cursor.seek(prefix)
            while let current = row, current.key.starts(with: prefix) {
                if try current.value.position(at: 0) <= position { found.append(try current.key.id(at: offset)) }
                row = try cursor.next()
            }
            return found
        }
    }
}
