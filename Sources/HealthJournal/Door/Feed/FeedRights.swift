internal import CaregiverPermissions
internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import JournalEvents

/// Which events a caller may see: what the gate says at this moment, asked once for each record.
struct FeedRights {
    private let journal: Journal
    private let caller: Caller
    private let head: UInt64
    private let today: Day
    private let ownStanding: Permission
    private var records: [UUID: Extent] = [:]

    /// How much of a record's events is seen.
    enum Extent {
        case nothing
        /// Its entries' events, of the sections of the admission.
        case entries(Admission)
        case all(Admission)
        /// That there was something, and nothing of what it said.
        case tombstone
    }

    /// By what right an event is seen.
    enum Right {
        case record(Admission)
        case tombstone
        /// It concerns no record.
        case journal
    }

    init(_ journal: Journal, _ caller: Caller) throws {
        self.journal = journal
        self.caller = caller
        head = try journal.log.head()
        today = journal.today
        ownStanding = Permission(isOwner: try caller.account == journal.account(named: Journal.ownerName)?.id)
    }

    /// The right by which an event is seen; nil for none.
    mutating func right(to header: EventHeader) throws -> Right? {
        switch EventCategory(rawValue: header.category) {
        case .journal, .account: return allows(.oversee) ? .journal : nil
        case .external: return allows(.see) ? .journal : nil
        case .claim, nil: return nil
        case .record, .entry, .grant, .access: break
        }
        guard let record = header.record else { return nil }
        // What was refused and concerns no record is kept with the journal.
        if record == journal.log.description.id { return allows(.oversee) ? .journal : nil }
        switch try extent(of: record) {
        case .nothing: return nil
        case .tombstone: return .tombstone
        case .all(let admission): return .record(admission)
        case .entries(let admission):
            guard header.category == EventCategory.entry.rawValue, let kind = Kind.coded(header.kind),
                admission.sees(kind)
            else { return nil }
            return .record(admission)
        }
    }

    private func allows(_ action: Action) -> Bool {
        if case .allowed = Gate.decide(action, by: caller, permission: ownStanding, now: journal.now, today: today) {
            true
        } else {
            false
        }
    }

    private mutating func extent(of record: UUID) throws -> Extent {
        if let known = records[record] { return known }
        let extent = try look(at: record)
        records[record] = extent
        return extent
    }

    private func look(at record: UUID) throws -> Extent {
        if let tombstone = try journal.tombstone(of: record) {
            let mayKnow = try journal.mayKnow(caller, of: tombstone) && caller.scope.admits(.audit(.events))
            return mayKnow ? .tombstone : .nothing
        }
        let permission = try journal.permissions.permission(of: caller.account, on: record, asOf: head)
        return FeedRights.extent(of: record, permission, caller, journal.now, today)
    }

    /// How much somebody sees who stands to a record as `permission` says.
    static func extent(
        of record: UUID,
        _ permission: Permission,
        _ caller: Caller,
        _ now: Instant,
        _ today: Day
    ) -> Extent {
        let verdict = { (action: Action) in
            (action, Gate.decide(action, by: caller, permission: permission, now: now, today: today))
        }
        if case (let action, .allowed(let right, let sight)) = verdict(.audit(.events)) {
            return .all(Admission(record: record, action: action, right: right, sight: sight))
        }
        if case (let action, .allowed(let right, let sight)) = verdict(.read(nil, .events)) {
            return .entries(Admission(record: record, action: action, right: right, sight: sight))
        }
        return .nothing
    }
}
