internal import CaregiverPermissions
internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import Interchange
internal import JournalEvents
internal import MedicalRecords

/// Events of another tool on their way in, decided on what the journal held when the first of them came.
struct Delivery {
    private let journal: Journal
    private let caller: Caller
    private let name: String?
    private var streams: [String: Stream] = [:]
    private var records: [UUID: Record] = [:]
    private var judgements: [Asked: Journal.Judgement] = [:]

    /// What an event becomes; neither for one that is kept as it came.
    struct Place {
        var entry: UUID?
        var record: UUID?
    }

    enum Decision {
        case ready(Change, Place)
        /// To be kept on record before it is answered.
        case refused(Denial)
    }

    private struct Stream {
        let id: UUID
        let denial: Denial?
    }

    private struct Record {
        let version: UInt64
        let isClosed: Bool
    }

    private struct Asked: Hashable {
        let record: UUID
        let kind: Kind
    }

    init(_ journal: Journal, _ caller: Caller, stream name: String?) {
        self.journal = journal
        self.caller = caller
        self.name = name
    }

    mutating func prepare(_ event: CloudEvent) throws -> Decision {
        let key = UUID(nameBased: journal.log.description.id, name(of: event))
        guard let kind = event.kind else { return try keep(event, key) }
        return try add(event, kind, key)
    }

    /// By which an event is known again.
    ///
    /// As the specification has it, a source and an id name an event for good; here each account has its own, for else one
    /// tool could send in another's name what keeps its readings out.
    private func name(of event: CloudEvent) -> String {
        "\(caller.account.text)\n\(event.source)\n\(event.id)"
    }

    /// An event of a type that the journal does not know, as the bytes that came.
    private mutating func keep(_ event: CloudEvent, _ key: UUID) throws -> Decision {
        let name = name ?? event.source
        let stream = try self.stream(name)
        if let denial = stream.denial { return .refused(denial) }
        var change = try Change(besides: journal, caller)
        try change.add(
            .receiving(streamName: name, contentType: "application/cloudevents+json", data: event.original),
            id: key,
            stream: stream.id,
            subject: stream.id
        )
        return .ready(change, Place())
    }

    private mutating func stream(_ name: String) throws -> Stream {
        if let known = streams[name] { return known }
        let action = Action.append(category: Journal.category(ofStream: name))
        let isOwner = try caller.account == journal.account(named: Journal.ownerName)?.id
        let verdict = Gate.decide(
            action,
            by: caller,
            permission: Permission(isOwner: isOwner),
            now: journal.now,
            today: journal.today
        )
        var denial: Denial?
        if case .denied(let why) = verdict { denial = Denial(action.access, because: why) }
        let stream = Stream(id: try journal.external(name), denial: denial)
        streams[name] = stream
        return stream
    }

    /// An event that becomes an entry, as if its sender had added that.
    private mutating func add(_ event: CloudEvent, _ kind: Kind, _ key: UUID) throws -> Decision {
        let id = try event.record()
        switch try judge(kind, id) {
        case .refused(let denial): return .refused(denial)
        case .answered(let error): throw error
        case .admitted: break
        }
        let now = journal.now
        let content = try event.entry(of: kind, now: now)
        let record = try self.record(id)
        // The same for the same event, so that it is known again; and nobody who lacks the record's key can take it first.
        let entry = try journal.log.opaqueID(of: "event:\(name(of: event))", subject: id)
        // A closed record takes nothing more, but what it took is still answered.
        let isClosed = try record.isClosed && journal.log.event(withKey: key) == nil
        var change = try Change(besides: journal, caller)
        for decided in try decide(.add(content), nil, isClosed: isClosed, now: now) {
            try change.add(decided, id: key, stream: entry, subject: id, entry: entry, expecting: .empty)
        }
        change.expect(id, .exact(record.version))
        return .ready(change, Place(entry: entry, record: id))
    }

    private mutating func judge(_ kind: Kind, _ record: UUID) throws -> Journal.Judgement {
        let asked = Asked(record: record, kind: kind)
        if let known = judgements[asked] { return known }
        let judgement = try journal.judge(caller, .contribute(kind, .adding), on: record)
        judgements[asked] = judgement
        return judgement
    }

    private mutating func record(_ id: UUID) throws -> Record {
        if let known = records[id] { return known }
        // Before the header: what is changed in between must be found out.
        let version = try journal.log.version(of: id)
        guard let header = try journal.records.header(of: id, asOf: journal.log.head()) else {
            throw JournalError.noRecord
        }
        let record = Record(version: version, isClosed: header.isClosed)
        records[id] = record
        return record
    }
}

extension Journal {
    /// What a token's scope names: a stream's name up to its first hyphen.
    static func category(ofStream name: String) -> String { String(name.prefix { $0 != "-" }) }
}
