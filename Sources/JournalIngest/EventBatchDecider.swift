internal import CaregiverPermissions
internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import Interchange
internal import JournalCare
internal import JournalClinic
internal import JournalCore
internal import JournalEvents
internal import MedicalRecords

/// The decisions on a batch of another tool's events.
///
/// Streams, records and authorization decisions are read once and reused for the whole batch.
struct EventBatchDecider {
    private let journal: Journal
    private let caller: Caller
    private let name: String?
    private var streams: [String: Stream] = [:]
    private var records: [UUID: Record] = [:]
    private var decisions: [Asked: AdmissionDecision] = [:]

    /// The entry and the record that an event becomes; both are nil for an event that is stored as received.
    struct Place {
        var entry: UUID?
        var record: UUID?
    }

    enum Decision {
        case ready(Change, Place)
        /// The refusal must be recorded before it is reported.
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
        try event.requireKnownType()
        let key = UUID(nameBased: journal.log.description.id, name(of: event))
        switch event.clinicEvent {
        case .vitalsLogged: return try addVitals(event, key)
        case .appointmentRequested: return try request(event, key)
        case nil: break
        }
        guard let kind = event.kind else { return try keep(event, key) }
        return try add(event, kind, key)
    }

    /// Returns the name by which a repeated event is recognized.
    ///
    /// By the CloudEvents specification, a source and an id identify an event. Here the account is part of the name as
    /// well: otherwise one tool could use another tool's names and so block that tool's readings.
    private func name(of event: CloudEvent) -> String {
        "\(caller.account.text)\n\(event.source)\n\(event.id)"
    }

    /// Stores an event of an unknown type as the bytes that were received.
    private mutating func keep(_ event: CloudEvent, _ key: UUID) throws -> Decision {
        let name = name ?? event.source
        let stream = try self.stream(name)
        if let denial = stream.denial { return .refused(denial) }
        var change = try Change(besides: journal, caller)
        try change.add(
            .receiving(streamName: name, contentType: "application/cloudevents+json", data: event.original),
            id: key,
            in: .own(stream.id)
        )
        return .ready(change, Place())
    }

    private mutating func stream(_ name: String) throws -> Stream {
        if let known = streams[name] { return known }
        let action = Action.append(category: Journal.Ingest.category(ofStream: name))
        var denial: Denial?
        if case .denied(let why) = try journal.access.decision(on: action, by: caller) {
            denial = Denial(action.access, reason: why)
        }
        let stream = Stream(id: try journal.external(name), denial: denial)
        streams[name] = stream
        return stream
    }

    /// Adds an event as an entry, as if its sender had added that entry.
    private mutating func add(_ event: CloudEvent, _ kind: Kind, _ key: UUID) throws -> Decision {
        let id = try event.record()
        switch try decideAdmission(kind, id) {
        case .refused(let denial): return .refused(denial)
        case .answered(let error): throw error
        case .admitted: break
        }
        let now = journal.now
        var content = try event.entry(of: kind, now: now) { try plan(named: $0, in: id) }
        if kind == Dose.kind { try complete(&content, of: id, key, now) }
        try content.requireSubject()
        try content.requireOriginals()
        let record = try self.record(id)
        try journal.entries.requireReferences(of: content, in: id)
        // The id is the same for the same event, so that a repetition is recognized. It cannot be computed without the
        // record's key, so that no one else can take it first.
        let known = try journal.log.event(withKey: key)?.header.entry
        let entry =
            try known ?? journal.entries.derivedID(of: content, in: id)
            ?? journal.log.opaqueID(of: "event:\(name(of: event))", subject: id)
        // A closed record accepts no further events, but repetitions of accepted events still succeed.
        let isClosed = record.isClosed && known == nil
        var change = try Change(besides: journal, caller)
        for decided in try decide(.add(content), nil, isClosed: isClosed, now: now) {
            try change.add(decided, id: key, in: .entry(entry, of: id), expecting: .empty)
        }
        change.expect(id, .exact(record.version))
        return .ready(change, Place(entry: entry, record: id))
    }

    /// Adds one entry for each vital sign that was measured, in one append.
    private mutating func addVitals(_ event: CloudEvent, _ key: UUID) throws -> Decision {
        let id = try event.record()
        let now = journal.now
        // An event that is sent again without a time is of the time when it came first.
        let known = try journal.log.event(withKey: key).flatMap { try journal.log.recorded($0).event.content }
        let contents = try event.vitals(at: known?.instant ?? now, now: now)
        for kind in Set(contents.map(\.kind)) {
            switch try decideAdmission(kind, id) {
            case .refused(let denial): return .refused(denial)
            case .answered(let error): throw error
            case .admitted: break
            }
        }
        let record = try self.record(id)
        var change = try Change(besides: journal, caller)
        var first: UUID?
        for (index, content) in contents.enumerated() {
            let entry = try journal.log.opaqueID(of: "event:\(index):\(name(of: event))", subject: id)
            if known != nil, try journal.log.recordedEvents(of: entry).first?.event.content != content {
                throw JournalError(.conflict, field: "id", "was already used for other vital signs")
            }
            for decided in try decide(.add(content), nil, isClosed: record.isClosed && known == nil, now: now) {
                try change.add(
                    decided,
                    id: first == nil ? key : UUID(nameBased: key, "\(index)"),
                    in: .entry(entry, of: id),
                    expecting: .empty
                )
                first = first ?? entry
            }
        }
        change.expect(id, .exact(record.version))
        return .ready(change, Place(entry: first, record: id))
    }

    /// Puts a patient on the waiting list of a practice.
    private func request(_ event: CloudEvent, _ key: UUID) throws -> Decision {
        let record = try event.record()
        let (practice, wish) = try event.requestedAppointment()
        guard case .found(let access) = try journal.access.recordAccess(of: caller.account, to: record) else {
            throw JournalError.noRecord
        }
        let isClient = try journal.access.actsForOwner(caller, access, of: .request)
        let decision = try journal.access.decideAdmission(
            caller,
            .request,
            in: practice,
            on: record,
            isClient: isClient
        )
        let admission: PracticeAdmission
        switch decision {
        case .success(let admitted): admission = admitted
        case .failure(let denial): return .refused(denial)
        }
        let wait = try journal.log.opaqueID(of: "event:\(name(of: event))", subject: record)
        var change = try Change(besides: journal, caller)
        if let known = try journal.log.event(withKey: key) {
            let stored = try journal.log.recorded(known).event
            guard let added = stored.data as? WaitAdded, added.practice == practice, added.profile == wish else {
                throw JournalError(.conflict, field: "id", "was already used for another request")
            }
            // It was possible when it came first.
            try change.add(stored, id: key, in: .entry(wait, of: record), expecting: .empty)
            return .ready(change, Place(entry: wait, record: record))
        }
        do {
            try journal.clients.check(wish, admission)
        } catch let error as ModelError {
            throw ModelError(error.code, field: error.field.map { "data.wish.\($0)" }, error.text)
        }
        try journal.clients.add(wish, of: record, at: practice, id: wait, event: key, &change)
        return .ready(change, Place(entry: wait, record: record))
    }

    /// Returns the medication or supplement of a record with a name that only one of them has.
    private func plan(named name: String, in record: UUID) throws -> UUID {
        let plans = try journal.care.careState(of: record, asOf: journal.log.head()).plans
        let named = plans.filter { FoldedName($0.name) == FoldedName(name) }
        guard let plan = named.first, named.count == 1 else {
            let why: Message =
                named.isEmpty ? "no medication or supplement has this name" : "several have this name: send an id"
            throw ModelError(.invalid, field: "data.of", why)
        }
        return plan.id
    }

    /// Completes a dose that does not say which planned one it is: it is the only one that was open then, if there is
    /// one.
    ///
    /// A tool that sends what happened long ago, such as an import, has to name the planned dose.
    private func complete(_ dose: inout EntryContent, of record: UUID, _ key: UUID, _ now: Instant) throws {
        guard dose.body.text(Dose.slot) == nil, let plan = dose.body.id(Dose.of), let at = dose.instant,
            at > now.adding(minutes: -EventBatchDecider.openFor)
        else { return }
        if let known = try journal.log.event(withKey: key) {
            // A repetition is the same dose, although it is not open any more.
            if let content = try journal.log.recorded(known).event.content { dose.plan(as: content) }
        } else if let planned = try journal.care.openDose(of: plan, at: at, in: record) {
            dose.plan(as: planned)
        }
    }

    /// For how many minutes after its time a dose may still be open.
    private static let openFor = 8 * 1_440

    private mutating func decideAdmission(_ kind: Kind, _ record: UUID) throws -> AdmissionDecision {
        let asked = Asked(record: record, kind: kind)
        if let known = decisions[asked] { return known }
        let decision = try journal.access.decideAdmission(caller, .contribute(kind, .adding), on: record)
        decisions[asked] = decision
        return decision
    }

    private mutating func record(_ id: UUID) throws -> Record {
        if let known = records[id] { return known }
        // Read before the header, so that a change in between is detected.
        let version = try journal.log.version(of: id)
        guard let header = try journal.medicalRecords.header(of: id, asOf: journal.log.head()) else {
            throw JournalError.noRecord
        }
        let record = Record(version: version, isClosed: header.isClosed)
        records[id] = record
        return record
    }
}

extension EntryContent {
    /// Takes over which planned dose another content is; an amount that is stated already is kept.
    fileprivate mutating func plan(as other: EntryContent) {
        for field in [Dose.slot, Dose.planned, Dose.plannedAmount] { body[field] = other.body[field] }
        // Of a dose that was skipped there is no amount.
        let isTaken = body.text(Dose.status) == LoggedDose.Status.taken.rawValue
        if isTaken, body[Dose.amount] == nil { body[Dose.amount] = other.body[Dose.amount] }
    }
}

extension Journal.Ingest {
    /// Returns the category that a token's scope names: the stream's name up to its first hyphen.
    static func category(ofStream name: String) -> String { String(name.prefix { $0 != "-" }) }
}
