import EventLog
import Foundation
import ProjectionKit
import TestSupport
import Testing
import Workload

/// Looks at a journal after a fault, as somebody does who knows what was acknowledged, and believes nothing else.
struct Aftermath {
    let journal: FaultJournal
    let acknowledged: [Acknowledgement]
    /// Whether the views are looked at too.
    var hasViews = false
    /// Subjects that were being erased, and those whose erasure was acknowledged.
    var erasing: Set<UUID> = []
    var erased: Set<UUID> = []
    /// What was done, for whoever reads of a failure.
    let what: String

    /// Opens the journal, holds all that it says against what was written, goes on with it, and counts what was wrong.
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
            // What was acknowledged cannot be had.
            row.lost += acknowledged.reduce(0) { $0 + $1.count }
            complain("\(error)")
        }
    }

    /// What the log says, event by event.
    private struct Found {
        var positions: [WorkloadPlace: UInt64] = [:]
        var recordedAt: [UInt64: Int64] = [:]
        var versions: [UUID: UInt64] = [:]
        var digest: UInt64 = 0
        var head: UInt64 = 0
        var erasures: Set<UUID> = []
    }

    /// What an event says; nil when that was erased, which it must not be unless somebody wanted it.
    private func read(_ event: StoredEvent, _ log: EventLog, _ row: inout FaultRow) throws -> [UInt8]? {
        do throws(EventLogError) {
            let payload = try log.open(event)
            if erased.contains(event.header.subject) {
                row.lies += 1
                complain("position \(event.position) can be read, though its subject was erased")
            }
            return payload
        } catch {
            guard error.code == .subjectErased, erasing.contains(event.header.subject) else { throw error }
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
                    complain("position \(found.head) does not follow from what is before it")
                }
                recordedAt = event.recordedAt
                if event.header.type == EventLog.erasedType {
                    found.erasures.insert(event.header.entry)
                    continue
                }
                guard let place = WorkloadPlace(event.header.id), isTrue(event, payload, place),
                    found.positions.updateValue(event.position, forKey: place) == nil
                else {
                    row.lies += 1
                    complain("position \(event.position) is not what was written, or is there twice")
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
        // An append is there whole and in one piece, or not at all.
        for (place, position) in found.positions where place.offset == 0 {
            for offset in 0..<Workload(tag: place.tag).count(of: place.number)
            where found.positions[.init(place, offset)] != position + UInt64(offset) {
                row.torn += 1
                complain("append \(place.number) is torn at position \(position)")
            }
        }
        for (place, _) in found.positions where place.offset > 0 && found.positions[.init(place, 0)] == nil {
            row.torn += 1
            complain("append \(place.number) has no beginning")
        }
        for answer in acknowledged where !isThere(answer, found) {
            row.lost += answer.count
            complain(
                "append \(answer.number), acknowledged at \(answer.first), is not there; the head is \(found.head)"
            )
        }
        // An erasure is there with its event, or neither is.
        for subject in erasing where try log.isErased(subject) != found.erasures.contains(subject) {
            row.torn += 1
            complain("a subject is half erased")
        }
        if !found.erasures.isSuperset(of: erased) {
            row.lost += 1
            complain("an erasure that was acknowledged is not in the log")
        }
        let verified = try log.verify()
        // Where LMDB could not write down that a commit took place, it leaves that page half changed: until the next commit
        // verify says so of the transaction before the newest, and of nothing that can be read.
        let isOfNewest = verified.faults.contains { !$0.what.contains("before the newest") }
        if isOfNewest || verified.head != found.head {
            row.torn += 1
            complain("verify: \(verified.faults.prefix(3))")
        }
        for (stream, version) in found.versions where try log.version(of: stream) != version {
            row.lies += 1
            complain("the index does not agree with the log")
        }
    }

    private func isThere(_ answer: Acknowledgement, _ found: Found) -> Bool {
        let first = WorkloadPlace(tag: answer.tag, number: answer.number, offset: 0)
        return found.positions[first] == answer.first && found.recordedAt[answer.first] == answer.recordedAt
            && found.positions[.init(first, answer.count - 1)] == answer.last
    }

    /// The same again is known again, something new is taken, and the views follow.
    private func goOn(_ log: EventLog, _ found: Found, _ row: inout FaultRow) async throws {
        for answer in acknowledged.suffix(2)
        where !erasing.contains(Workload(tag: answer.tag).subject(of: answer.number)) {
            let again = try await log.append(Workload(tag: answer.tag).events(of: answer.number))
            if !again.isRepeated || again.first != answer.first {
                row.lies += 1
                complain("append \(answer.number) was taken a second time")
            }
        }
        let used = found.positions.keys.filter { $0.tag == Aftermath.tag }.map(\.number).max() ?? -1
        var next = Workload(tag: Aftermath.tag).events(of: used + 1)
        let answer = try await log.append(next)
        if answer.first != found.head + 1 || answer.isRepeated {
            row.lies += 1
            complain("the next append stands at \(answer.first), after \(found.head)")
        }
        let more = Workload(tag: Aftermath.tag).events(of: used + 2)
        try await log.append(more)
        next += more
        let verified = try log.verify()
        if !verified.isSound {
            row.torn += 1
            complain("verify, after two appends more: \(verified.faults.prefix(3))")
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
            complain("a view does not say what the log says")
        }
    }

    private func complain(_ text: String) {
        Issue.record("\(what): \(text)")
    }

    /// Appends of our own, in between.
    private static let tag: UInt8 = 250
}

extension WorkloadPlace {
    fileprivate init(_ place: WorkloadPlace, _ offset: Int) {
        self.init(tag: place.tag, number: place.number, offset: offset)
    }
}
