import EventLog
import FoundationEssentials
import HealthModel
import JournalEvents

/// A synthetic history of records: weights, illnesses and costs, some of them corrected or retracted.
struct HealthEvents: Sendable {
    private let owner: UUID
    private let records: [UUID]
    private var random: Random
    private var created = 0
    private var day: Int32 = 18_000
    /// Recent entries, to which corrections refer.
    private var recent: [(record: UUID, entry: UUID, kind: Kind)] = []

    /// Creates a source whose records and owner are the same for every seed; with a seed other than 0, the records
    /// exist already.
    init(records count: Int, seed: UInt64 = 0) {
        random = Random(seed: 7)
        owner = random.id()
        var ids: [UUID] = []
        for _ in 0..<count { ids.append(random.id()) }
        records = ids
        if seed != 0 {
            random = Random(seed: seed)
            created = count
        }
    }

    mutating func next(_ count: Int) throws -> [NewEvent] {
        var events: [NewEvent] = []
        events.reserveCapacity(count)
        for _ in 0..<count { events.append(try next()) }
        return events
    }

    private mutating func next() throws -> NewEvent {
        if created < records.count { return try creation() }
        day += random.below(400) == 0 ? 1 : 0
        return random.below(10) == 0 && !recent.isEmpty ? try correction() : try addition()
    }

    private mutating func creation() throws -> NewEvent {
        var profile = RecordProfile(subject: .human)
        profile.values[RecordProfile.givenName] = .text("Ida")
        profile.values[RecordProfile.familyName] = .text("Example")
        let record = records[created]
        created += 1
        return try event(.recordCreated(profile, owners: [owner]), record: record, stream: record)
    }

    private mutating func addition() throws -> NewEvent {
        let record = records[random.below(records.count)]
        let content = content()
        let entry = random.id()
        if recent.count < 256 {
            recent.append((record, entry, content.kind))
        } else {
            recent[random.below(256)] = (record, entry, content.kind)
        }
        return try event(.entryAdded(content), record: record, stream: entry, entry: entry, kind: content.kind)
    }

    private mutating func correction() throws -> NewEvent {
        let (record, entry, kind) = recent[random.below(recent.count)]
        if random.below(4) == 0 {
            return try event(.entryRetracted, record: record, stream: entry, entry: entry, kind: kind)
        }
        var content = content()
        while content.kind != kind { content = self.content() }
        return try event(.entryCorrected(content), record: record, stream: entry, entry: entry, kind: kind)
    }

    private mutating func content() -> EntryContent {
        let date = OccurredDate.day(Day(daysSince1970: day))
        switch random.below(20) {
        case 0:
            var body = FieldValues()
            body[Cost.year] = .integer(2026)
            body[Cost.amount] = .decimal(ExactDecimal(coefficient: Int64(random.below(90_000)), scale: 2))
            body[Cost.currency] = .text("EUR")
            body[Cost.category] = .text(["medication", "visits", "food"][random.below(3)])
            body[Cost.basis] = .text(Cost.item)
            return EntryContent(kind: Cost.kind, date: date, body: body, comment: "paid by card")
        case 1, 2:
            var body = FieldValues()
            body[Illness.name] = .text("Seasonal cold")
            return EntryContent(
                kind: Illness.kind,
                date: date,
                body: body,
                comment: "a cough, no fever; better after three days"
            )
        default:
            var body = FieldValues()
            body[Weight.value] = .decimal(ExactDecimal(coefficient: 600 + Int64(random.below(300)), scale: 1))
            body[Weight.unit] = .text("kg")
            return EntryContent(
                kind: Weight.kind,
                date: date,
                body: body,
                comment: "in the morning, before breakfast, on the scale in the bathroom"
            )
        }
    }

    private mutating func event(
        _ event: JournalEvent,
        record: UUID,
        stream: UUID,
        entry: UUID? = nil,
        kind: Kind? = nil
    ) throws -> NewEvent {
        let origin = EventOrigin(actor: owner, source: .commandLine, correlation: random.id())
        return try NewEvent(
            event,
            id: random.id(),
            stream: stream,
            subject: record,
            entry: entry,
            kind: kind,
            origin: origin
        )
    }
}
