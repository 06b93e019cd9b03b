import EventLog
import Foundation
import ProjectionKit
import TestSupport
import Workload

/// Checks a journal after a fault, based only on what was written and acknowledged.
struct Aftermath {
    let journal: FaultJournal
    let acknowledged: [Acknowledgement]
    /// Whether the views are checked too.
    var hasViews = false
    /// What was to be erased, and what was erased, as was acknowledged.
    var erasing = Targets()
    var erased = Targets()
    /// A description of the fault for failure messages.
    let what: String

    /// Subjects, and entries with the subject of each.
    struct Targets: Equatable {
        var subjects: Set<UUID> = []
        var entries: [UUID: UUID] = [:]

        var isEmpty: Bool { self == Targets() }

        func contain(_ header: EventHeader) -> Bool {
            subjects.contains(header.subject)
                || header.type != EventLog.entryErasedType && entries[header.entry] == header.subject
        }

        func contain(_ number: Int, of workload: Workload) -> Bool {
            subjects.contains(workload.subject(of: number))
                || workload.entry(of: number).map { entries[$0] != nil } == true
        }
    }

    /// Opens the journal, compares its content with what was written, appends to it, and counts errors in `row`, which says
    /// in words what was wrong.
    func examine(_ row: inout FaultRow) async {
        row.tried += 1
        row.acknowledged += acknowledged.reduce(0) { $0 + $1.count }
        do {
            let log = try journal.open()
            defer { log.close() }
            let found = try read(log, &row)
            try check(found, against: log, &row)
            try await goOn(log, found, &row)
            row.survived += 1
        } catch {
            // The acknowledged events cannot be read.
            row.lost += acknowledged.reduce(0) { $0 + $1.count }
            complain("\(error)", &row)
        }
    }

    /// The content of the log, read event by event.
    private struct Found {
        var positions: [WorkloadPlace: UInt64] = [:]
        var recordedAt: [UInt64: Int64] = [:]
        var versions: [UUID: UInt64] = [:]
        var digest: UInt64 = 0
        var head: UInt64 = 0
        var erasures: Set<UUID> = []
    }

    /// Returns the payload of an event, or nil if its subject was erased.
    ///
    /// Throws if the erasure was not requested.
    private func read(_ event: StoredEvent, _ log: EventLog, _ row: inout FaultRow) throws -> [UInt8]? {
        do throws(EventLogError) {
            let payload = try log.open(event)
            if erased.contain(event.header) {
                row.lies += 1
                complain("position \(event.position) can be read, though it was erased", &row)
            }
            return payload
        } catch {
            guard error.code == .subjectErased, erasing.contain(event.header) else { throw error }
            return nil
        }
    }

    private func read(_ log: EventLog, _ row: inout FaultRow) throws -> Found {
        var found = Found()
        var recordedAt = Int64.min
        while case let page = try log.events(after: found.head), !page.isEmpty {
            for event in page {
                found.head += 1
                found.versions[event.header.stream, default: 0] += 1
                let payload = try read(event, log, &row)
                found.digest = DigestView.step(found.digest, event.position, payload ?? [])
                found.recordedAt[event.position] = event.recordedAt
                if event.position != found.head || event.recordedAt < recordedAt
                    || event.streamPosition != found.versions[event.header.stream]
                {
                    row.lies += 1
                    complain("position \(found.head) does not follow from what is before it", &row)
                }
                recordedAt = event.recordedAt
                if [EventLog.erasedType, EventLog.entryErasedType].contains(event.header.type) {
                    found.erasures.insert(event.header.entry)
                    continue
                }
                guard let place = WorkloadPlace(event.header.id), isTrue(event, payload, place),
                    found.positions.updateValue(event.position, forKey: place) == nil
                else {
                    row.lies += 1
                    complain("position \(event.position) is not what was written, or is there twice", &row)
                    continue
                }
            }
        }
        return found
    }

    private func isTrue(_ event: StoredEvent, _ payload: [UInt8]?, _ place: WorkloadPlace) -> Bool {
        let workload = Workload(tag: place.tag)
        guard place.offset < workload.count(of: place.number) else { return false }
        let written = workload.events(of: place.number)[place.offset]
        return event.header == written.header && (payload == nil || payload == written.payload)
    }

    private func check(_ found: Found, against log: EventLog, _ row: inout FaultRow) throws {
        // An append is stored whole and contiguously, or not at all.
        for (place, position) in found.positions where place.offset == 0 {
            for offset in 0..<Workload(tag: place.tag).count(of: place.number)
            where found.positions[.init(place, offset)] != position + UInt64(offset) {
                row.torn += 1
                complain("append \(place.number) is torn at position \(position)", &row)
            }
        }
        for (place, _) in found.positions where place.offset > 0 && found.positions[.init(place, 0)] == nil {
            row.torn += 1
            complain("append \(place.number) has no beginning", &row)
        }
        for answer in acknowledged where !isThere(answer, found) {
            row.lost += answer.count
            complain(
                "append \(answer.number), acknowledged at \(answer.first), is not there; the head is \(found.head)",
                &row
            )
        }
        // An erasure is stored with its event, or neither is.
        for subject in erasing.subjects where try log.isErased(subject) != found.erasures.contains(subject) {
            row.torn += 1
            complain("a subject is half erased", &row)
        }
        for (entry, subject) in erasing.entries where try !log.isErased(subject) {
            if try log.isErased(entry: entry, of: subject) == found.erasures.contains(entry) { continue }
            row.torn += 1
            complain("an entry is half erased", &row)
        }
        if !found.erasures.isSuperset(of: erased.subjects.union(erased.entries.keys)) {
            row.lost += 1
            complain("an erasure that was acknowledged is not in the log", &row)
        }
        let verified = try log.verify()
        // If LMDB cannot write the meta page of a commit, it leaves that page half changed. Until the next commit,
        // verify reports a fault of the transaction before the newest, which affects nothing that can be read.
        let isOfNewest = verified.faults.contains { !$0.what.contains("before the newest") }
        if isOfNewest || verified.head != found.head {
            row.torn += 1
            complain("verify: \(verified.faults.prefix(3))", &row)
        }
        for (stream, version) in found.versions where try log.version(of: stream) != version {
            row.lies += 1
            complain("the index does not agree with the log", &row)
        }
    }

    private func isThere(_ answer: Acknowledgement, _ found: Found) -> Bool {
        let first = WorkloadPlace(tag: answer.tag, number: answer.number, offset: 0)
        return found.positions[first] == answer.first && found.recordedAt[answer.first] == answer.recordedAt
            && found.positions[.init(first, answer.count - 1)] == answer.last
    }

    /// Checks that repeated appends are recognized, that new ones are accepted, and that the views follow.
    private func goOn(_ log: EventLog, _ found: Found, _ row: inout FaultRow) async throws {
        for answer in acknowledged.suffix(2)
        where !erasing.contain(answer.number, of: Workload(tag: answer.tag)) {
            let again = try await log.append(Workload(tag: answer.tag).events(of: answer.number))
            if !again.isRepeated || again.first != answer.first {
                row.lies += 1
                complain("append \(answer.number) was taken a second time", &row)
            }
        }
        let used = found.positions.keys.filter { $0.tag == Aftermath.tag }.map(\.number).max() ?? -1
        var next = Workload(tag: Aftermath.tag).events(of: used + 1)
        let answer = try await log.append(next)
        if answer.first != found.head + 1 || answer.isRepeated {
            row.lies += 1
            complain("the next append stands at \(answer.first), after \(found.head)", &row)
        }
        let more = Workload(tag: Aftermath.tag).events(of: used + 2)
        try await log.append(more)
        next += more
        let verified = try log.verify()
        if !verified.isSound {
            row.torn += 1
            complain("verify, after two appends more: \(verified.faults.prefix(3))", &row)
        }
        if hasViews { try checkViews(log, found, next, &row) }
    }

    private func checkViews(_ log: EventLog, _ found: Found, _ next: [NewEvent], _ row: inout FaultRow) throws {
        let expected = next.enumerated()
            .reduce(found.digest) { digest, event in
                DigestView.step(digest, found.head + 1 + UInt64(event.offset), event.element.payload)
            }
        let views = try ViewStore(log: log, mapSize: 4 << 30)
        defer { views.close() }
        if try views.digest() != expected {
            row.lies += 1
            complain("a view does not say what the log says", &row)
        }
    }

    private func complain(_ text: String, _ row: inout FaultRow) {
        row.complaints.append("\(what): \(text)")
    }

    /// The tag of the appends that this check makes.
    private static let tag: UInt8 = 250
}

extension WorkloadPlace {
    fileprivate init(_ place: WorkloadPlace, _ offset: Int) {
        self.init(tag: place.tag, number: place.number, offset: offset)
    }
}
