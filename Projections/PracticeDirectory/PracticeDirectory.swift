package import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import JournalEvents
package import LMDB
package import ProjectionKit

/// The practices of the journal, and the specialists, the patients, the clients and the waiting list of each, as known at
/// any position.
///
/// It only lists them: what they are is folded from their own streams, which are short.
package struct PracticeDirectory: Projection {
    package static let name = "PracticeDirectory"
    package static let version: UInt64 = 2
    package static let tables = ["practices", "specialists", "patients", "clients", "waiting"]

    enum Rows {
        /// Position of its creation → practice.
        static let practices = 0
        /// Practice, specialist → position from which on the specialist is known there.
        static let specialists = 1
        /// Id that is derived with the practice's key (``patientsKey``), record → position of the first registration.
        static let patients = 2
        /// Id that is derived with the practice's key (``clientsKey``), client → position.
        static let clients = 3
        /// Id that is derived with the practice's key (``waitingKey``), record, waiting entry → position.
        static let waiting = 4
    }

    package init() {}

    package func handles(type: UInt16) -> Bool {
        guard let type = EventType(rawValue: type) else { return false }
        return switch type {
        case PracticeCreated.type, SpecialistAdded.type, SpecialistJoined.type, RegistrationMade.type,
            ClientAdded.type, WaitAdded.type, RecordErased.type:
            true
        default: false
        }
    }

    package func apply(
        _ frame: Frame,
        _ tables: ViewTables,
        _ transaction: borrowing WriteTransaction,
        _ log: EventLog
    ) throws {
        if frame.type == PracticeCreated.type.rawValue {
            try transaction.put(Key(frame.position), frame.subject.bytes.raw, in: tables[Rows.practices])
            return
        }
        if frame.type == RecordErased.type.rawValue { return try erase(frame.entry, tables, transaction, log) }
        let data: any EventData
        do {
            data = try log.recorded(frame).event.data
        } catch let error as EventLogError where error.code == .subjectErased {
            // An erasure that may still be undone must not be skipped: the caller waits or retries.
            guard try log.isPermanentlyErased(frame) else { throw error }
            return
        }
        switch data {
        case let added as SpecialistAdded:
            try list(Key(added.practice), frame, Rows.specialists, tables, transaction)
        case let joined as SpecialistJoined:
            try list(Key(joined.practice), frame, Rows.specialists, tables, transaction)
        case let made as RegistrationMade:
            let key = Key(try PracticeDirectory.patientsKey(of: made.practice, log))
            try list(key, frame, Rows.patients, tables, transaction)
        case let added as ClientAdded:
            let key = Key(try PracticeDirectory.clientsKey(of: added.practice, log))
            try list(key, frame, Rows.clients, tables, transaction)
        case let added as WaitAdded:
            let key = Key(try PracticeDirectory.waitingKey(of: added.practice, log))
            var value: [UInt8] = []
            value.append(littleEndian: frame.position)
            let row = key.appending(frame.subject).appending(frame.entry)
            try transaction.put(row, value.raw, in: tables[Rows.waiting])
        default:
            break
        }
    }

    /// Derives the id under which the patients of a practice are found.
    static func patientsKey(of practice: UUID, _ log: EventLog) throws -> UUID {
        try log.opaqueID(of: "patients", subject: practice)
    }

    /// Derives the id under which the clients of a practice are found.
    static func clientsKey(of practice: UUID, _ log: EventLog) throws -> UUID {
        try log.opaqueID(of: "clients", subject: practice)
    }

    /// Derives the id under which the waiting list of a practice is found.
    static func waitingKey(of practice: UUID, _ log: EventLog) throws -> UUID {
        try log.opaqueID(of: "waiting", subject: practice)
    }

    /// Adds the event's subject to a list, unless it is there.
    private func list(
        _ prefix: Key,
        _ frame: Frame,
        _ table: Int,
        _ tables: ViewTables,
        _ transaction: borrowing WriteTransaction
    ) throws {
        let key = prefix.appending(frame.subject)
        guard try transaction.reading.get(key, in: tables[table]) == nil else { return }
        var value: [UInt8] = []
        value.append(littleEndian: frame.position)
        try transaction.put(key, value.raw, in: tables[table])
    }

    /// Removes the rows of an erased record, client or specialist.
    private func erase(
        _ record: UUID,
        _ tables: ViewTables,
        _ transaction: borrowing WriteTransaction,
        _ log: EventLog
    ) throws {
        for practice in try PracticeDirectory.practices(tables, transaction.reading, asOf: .max) {
            let key = Key(try PracticeDirectory.patientsKey(of: practice, log)).appending(record)
            try transaction.deleteAll(startingWith: key, in: tables[Rows.patients])
            let waiting = Key(try PracticeDirectory.waitingKey(of: practice, log)).appending(record)
            try transaction.deleteAll(startingWith: waiting, in: tables[Rows.waiting])
            let client = Key(try PracticeDirectory.clientsKey(of: practice, log)).appending(record)
            try transaction.deleteAll(startingWith: client, in: tables[Rows.clients])
            let specialist = Key(practice).appending(record)
            try transaction.deleteAll(startingWith: specialist, in: tables[Rows.specialists])
        }
    }

    /// Returns the practices in the order in which they were created.
    static func practices(
        _ tables: ViewTables,
        _ transaction: borrowing ReadTransaction,
        asOf position: UInt64
    ) throws -> [UUID] {
        var practices: [UUID] = []
        try TemporalIndex.forEach(Key(), through: position, in: tables[Rows.practices], transaction) { _, value in
            practices.append(try value.id(at: 0))
            return true
        }
        return practices
    }
}
