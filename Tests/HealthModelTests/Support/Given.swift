import FoundationEssentials

@testable import HealthModel

/// The earlier events of a decider test; `when` returns the events that a command then produces.
struct Given {
    private let events: [RecordedEvent]

    init(_ events: JournalEvent..., entry: UUID? = Example.id(9)) {
        self.init(events, entry: entry)
    }

    init(_ events: [JournalEvent], entry: UUID? = Example.id(9)) {
        self.events = events.enumerated()
            .map { offset, event in
                RecordedEvent(
                    stamp: Example.stamp(UInt64(offset) + 1),
                    subject: Example.record,
                    stream: Example.record,
                    entry: entry,
                    event: event
                )
            }
    }

    func when(_ command: RecordCommand) throws(ModelError) -> [JournalEvent] {
        var state: RecordState?
        for event in events { evolve(&state, event) }
        return try decide(command, state, now: Example.now)
    }

    func when(_ command: EntryCommand, isClosed: Bool = false) throws(ModelError) -> [JournalEvent] {
        var state: EntryState?
        for event in events { evolve(&state, event) }
        return try decide(command, state, isClosed: isClosed, now: Example.now)
    }

    func when(
        _ command: GrantCommand,
        owners: [UUID] = [],
        grantees: [UUID: Grantee] = [:],
        isClosed: Bool = false,
        today: Day = Example.today
    ) throws(ModelError) -> [JournalEvent] {
        var state = GrantsState()
        for event in events { evolve(&state, event) }
        return try decide(command, state, owners: owners, grantees: grantees, isClosed: isClosed, today: today)
    }

    func when(_ command: OwnerCommand) throws(ModelError) -> [JournalEvent] {
        var state: RecordState?
        var grants = GrantsState()
        for event in events {
            evolve(&state, event)
            evolve(&grants, event)
        }
        let decided = try decide(command, state, grants, now: Example.now)
        return decided.record + decided.grants
    }

    func when(
        _ command: InvitationCommand,
        owners: [UUID] = [],
        isClosed: Bool = false,
        now: Instant = Example.now
    ) throws(ModelError) -> [JournalEvent] {
        var state = GrantsState()
        for event in events { evolve(&state, event) }
        return try decide(command, state, owners: owners, isClosed: isClosed, now: now, today: Day(of: now))
    }

    func when(_ command: EmergencyCommand) throws(ModelError) -> [JournalEvent] {
        var state = GrantsState()
        for event in events { evolve(&state, event) }
        return try decide(command, state, now: Example.now, today: Day(of: Example.now))
    }

    func when(_ command: RetentionCommand, today: Day = Example.today) throws(ModelError) -> [JournalEvent] {
        var state: RecordState?
        for event in events { evolve(&state, event) }
        return try decide(command, state, today: today)
    }

    func when(_ command: AccountCommand) throws(ModelError) -> [JournalEvent] {
        var state: AccountState?
        for event in events { evolve(&state, event) }
        return try decide(command, state, now: Example.now)
    }

    func when(_ command: ClaimCommand) throws(ModelError) -> [JournalEvent] {
        var state = ClaimState()
        for event in events { evolve(&state, event) }
        return try decide(command, state)
    }
}
