import EventLog
import Foundation
import HealthModel

/// The names of accounts, records and the parts of practices, as known at the last event that was read.
struct ShownNames {
    private var accounts: [UUID: String] = [:]
    private var records: [UUID: String] = [:]
    /// The names of practices, specialists, clients, services and rooms.
    private var clinic: [UUID: String] = [:]

    private static let types = Set(
        ([
            AccountAdded.type, RecordCreated.type, RecordChanged.type, RecordErased.type, PracticeCreated.type,
            PracticeChanged.type, SpecialistAdded.type, SpecialistChanged.type, ClientAdded.type, ClientChanged.type,
            ServiceSet.type, PlaceSet.type,
        ] as [EventType])
        .map(\.rawValue)
    )

    /// Whether an event of this type sets or removes a name.
    static func matter(in type: UInt16) -> Bool { types.contains(type) }

    mutating func take(_ event: RecordedEvent) {
        switch event.event.data {
        case let added as AccountAdded: accounts[event.subject] = added.profile.name
        case let created as RecordCreated: records[event.subject] = created.profile.displayName
        case let changed as RecordChanged: records[event.subject] = changed.profile.displayName
        // A record, a client or a specialist was erased.
        case is RecordErased: (records[event.stream], clinic[event.stream]) = (nil, nil)
        case let created as PracticeCreated: clinic[event.stream] = created.profile.name
        case let changed as PracticeChanged: clinic[event.stream] = changed.profile.name
        case let added as SpecialistAdded: clinic[event.stream] = added.profile.name
        case let changed as SpecialistChanged: clinic[event.stream] = changed.profile.name
        case let added as ClientAdded: clinic[event.stream] = added.profile.fullName
        case let changed as ClientChanged: clinic[event.stream] = changed.profile.fullName
        case let set as ServiceSet: clinic[set.service] = set.profile.name
        case let set as PlaceSet: clinic[set.place] = set.profile.name
        default: break
        }
    }

    func account(_ id: UUID) -> String? { accounts[id] }
    func record(_ id: UUID) -> String? { records[id] }

    /// The records with their names, in the order of their ids.
    var allRecords: [(id: UUID, name: String)] {
        records.sorted { $0.key < $1.key }.map { (id: $0.key, name: $0.value) }
    }

    /// Returns the name of an account, a record or a part of a practice.
    func name(_ id: UUID) -> String? { accounts[id] ?? records[id] ?? clinic[id] }

    /// Returns an account's name, or the first characters of its id.
    func shown(_ account: UUID) -> String {
        // The actor of an attempt to sign in as an account that does not exist.
        account == .zero ? "unknown" : accounts[account] ?? clinic[account] ?? account.beginning
    }
}

extension OpenJournal {
    /// Returns the names that were set up to a position.
    func names(through position: UInt64) throws -> ShownNames {
        var names = ShownNames()
        guard log.keys.hasMasterKey else { return names }
        try log.forEachEvent(
            through: position,
            where: { ShownNames.matter(in: $0.type) },
            { event in
                if case .read(let recorded) = log.content(of: event) { names.take(recorded) }
                return true
            }
        )
        return names
    }
}
