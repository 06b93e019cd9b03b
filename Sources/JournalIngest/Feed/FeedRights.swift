internal import CaregiverPermissions
internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import JournalClinic
internal import JournalCore
internal import JournalEvents

/// The events that a caller may see at present, with one decision of the gate for each record.
struct FeedRights {
    private let journal: Journal
    private let caller: Caller
    private let head: UInt64
    private let today: Day
    private let journalPermission: Permission
    private let memberships: [ActiveMembership]
    private var records: [UUID: Extent] = [:]
    private var practices: [UUID: UUID?] = [:]

    /// The part of a record's events that is visible.
    enum Extent {
        case nothing
        /// The events of its entries, limited to the kinds of the admission.
        case entries(Admission)
        case all(Admission)
        /// Only the event of the record's erasure.
        case tombstone

        /// How much is visible, for a caller who has several rights.
        fileprivate var width: Int {
            switch self {
            case .nothing, .tombstone: 0
            case .entries(let admission): 1 + admission.scope.kinds.count
            case .all: .max
            }
        }
    }

    /// The right by which an event is visible.
    enum Right {
        case record(Admission)
        /// An event of an appointment; whether with the notes that the staff writes for itself.
        case appointment(Admission, withNotes: Bool)
        case tombstone
        /// The event concerns no record.
        case journal
    }

    init(_ journal: Journal, _ caller: Caller) throws {
        self.journal = journal
        self.caller = caller
        head = try journal.log.head()
        today = journal.today
        journalPermission = try journal.access.journalPermission(of: caller)
        memberships = try journal.access.memberships(of: caller)
    }

    /// Returns the right by which an event is visible; nil if it is not visible.
    mutating func right(to header: EventHeader) throws -> Right? {
        switch EventCategory(rawValue: header.category) {
        case .journal, .account: return allows(.oversee) ? .journal : nil
        case .external: return allows(.see) ? .journal : nil
        case .appointment: return try right(toAppointment: header)
        case .claim, .practice, .diary, nil: return nil
        case .record, .entry, .grant, .access, .care: break
        }
        guard let record = header.record else { return nil }
        // Refusals that concern no record are recorded in the journal's own access stream.
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

    /// Returns the right of the practice's staff and of the record's owners to an event of an appointment.
    ///
    /// Triage, waiting lists and registrations are in no feed.
    private mutating func right(toAppointment header: EventHeader) throws -> Right? {
        guard let type = EventType(rawValue: header.type), type.name.hasPrefix("appointment."),
            let record = header.record, let practice = try practice(ofAppointment: header.stream)
        else { return nil }
        let isClient = try journal.permissions.permission(of: caller.account, on: record, asOf: head).isOwner
        let roles = memberships.first { $0.practice == practice }?.roles ?? []
        guard Gate.refusal(of: .seePatient, by: caller, roles: roles, isClient: isClient) == nil else { return nil }
        let right = roles.isEmpty ? AccessRight.owner : .practice(practice)
        let admission = Admission.withoutContents(record, .read([], .events), right)
        return .appointment(admission, withNotes: AppointmentField.notes.permits(.read, to: roles))
    }

    /// Returns the practice of an appointment, which never changes; nil for one of an erased record.
    private mutating func practice(ofAppointment id: UUID) throws -> UUID? {
        if let known = practices[id] { return known }
        let practice = try journal.appointments.appointmentUnlessErased(id, asOf: head)?.details.practice
        practices[id] = .some(practice)
        return practice
    }

    private func allows(_ action: Action) -> Bool {
        if case .allowed = Gate.decide(
            action,
            by: caller,
            permission: journalPermission,
            now: journal.now,
            today: today
        ) {
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
        if let tombstone = try journal.erasure.tombstone(of: record) {
            let mayKnowOfErasure =
                try journal.erasure.mayKnowOfErasure(caller, of: tombstone) && caller.scope.admits(.audit(.events))
            return mayKnowOfErasure ? .tombstone : .nothing
        }
        let permission = try journal.permissions.permission(of: caller.account, on: record, asOf: head)
        let own = FeedRights.extent(of: record) { action in
            Gate.admit(action, on: record, by: caller, permission: permission, now: journal.now, today: today)
        }
        var widest = own
        for membership in memberships {
            let permission = try journal.permissions.permission(of: membership.practice, on: record, asOf: head)
            let found = FeedRights.extent(of: record) { action in
                Gate.admit(action, on: record, by: caller, as: membership, permission: permission)
            }
            if found.width > widest.width { widest = found }
        }
        return widest
    }

    /// Returns the part of a record's events that a caller may see, for whom the gate decides with `decide`.
    static func extent(of record: UUID, _ decide: (Action) -> Result<Admission, Denial>) -> Extent {
        if case .success(let admission) = decide(.audit(.events)) { return .all(admission) }
        if case .success(let admission) = decide(.read(nil, .events)) { return .entries(admission) }
        return .nothing
    }
}
