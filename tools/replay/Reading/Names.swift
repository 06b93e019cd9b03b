import EventLog
import Foundation
import HealthModel

/// The names of accounts and records, as known at the last event that was read.
struct Names {
    private var accounts: [UUID: String] = [:]
    private var records: [UUID: String] = [:]

    /// Whether an event of this type sets or removes a name.
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

    /// Returns an account's name, or the first characters of its id.
    func shown(_ account: UUID) -> String {
        // The actor of an attempt to sign in as an account that does not exist.
        account == .zero ? "unknown" : accounts[account] ?? account.short
    }
}

extension OpenJournal {
    /// Returns the names that were set up to a position.
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
