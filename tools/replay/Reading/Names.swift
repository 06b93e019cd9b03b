import EventLog
import Foundation
import HealthModel

/// What accounts and records are called, as known at the event that was read last.
struct Names {
    private var accounts: [UUID: String] = [:]
    private var records: [UUID: String] = [:]

    /// Whether an event of this type gives a name or takes one away.
    static func matter(in type: UInt16) -> Bool {
        switch EventType(rawValue: type) {
        case .accountAdded, .recordCreated, .recordChanged, .recordErased: true
        default: false
        }
    }

    mutating func take(_ event: RecordedEvent) {
        switch event.event {
        case .accountAdded(let profile): accounts[event.subject] = profile.name
        case .recordCreated(let profile, _), .recordChanged(let profile): records[event.subject] = profile.displayName
        case .recordErased: records[event.subject] = nil
        default: break
        }
    }

    func account(_ id: UUID) -> String? { accounts[id] }
    func record(_ id: UUID) -> String? { records[id] }

    /// An account's name, or as much of its id as tells it from others.
    func shown(_ account: UUID) -> String {
        // Whoever tried to sign in as nobody that there is.
        account == .zero ? "unknown" : accounts[account] ?? account.short
    }
}

extension OpenJournal {
    /// The names that were given up to a position.
    func names(through position: UInt64) throws -> Names {
        var names = Names()
        guard log.keys.hasMasterKey else { return names }
        try log.forEachEvent(
            through: position,
            where: { Names.matter(in: $0.type) },
            { event in
                if case .read(let recorded) = log.content(of: event) { names.take(recorded) }
                return true
            }
        )
        return names
    }
}
