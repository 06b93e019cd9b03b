import CaregiverPermissions
import CostSummary
import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interactions
import Interchange
import JournalEvents
import MedicalRecords
import PlanCalendar
import RandomCare
import TestSupport
import Testing

@testable import JournalCore

/// The state according to an independent fold of the log: `evolve` is applied to each event, without any view.
private struct Fold {
    var records: [UUID: RecordState] = [:]
    var grants: [UUID: GrantsState] = [:]
    var accounts: Set<UUID> = []
    /// The positions of the contents of each finding, and whether they are settled.
    var findings: [UUID: [(position: UInt64, isSettled: Bool)]] = [:]
    /// The entries of which another version was ever kept, by record.
    var diverged: [UUID: [UUID]] = [:]

    mutating func take(_ event: RecordedEvent) {
        let category = event.type.category
        if category == .record || category == .entry {
            var state = records[event.subject]
            evolve(&state, event)
            records[event.subject] = state
        }
        if event.type.entryEffect == .annotates, let entry = event.entry,
            diverged[event.subject]?.contains(entry) != true
        {
            diverged[event.subject, default: []].append(entry)
        }
        if category == .grant { evolve(&grants[event.subject, default: GrantsState()], event) }
        if category == .account { accounts.insert(event.subject) }
        if let entry = event.entry, let content = event.event.content, content.kind == Interaction.kind {
            let isSettled = content.body.flag(Interaction.resolved) == true
            findings[entry, default: []].append((event.stamp.position, isSettled))
        }
    }

    /// Returns the state of a finding: the first position of the last consecutive contents that are settled.
    func state(of entry: EntryState) -> InteractionsView.State {
        if entry.isRetracted { return .gone }
        let contents = findings[entry.id] ?? []
        guard contents.last?.isSettled == true else { return .open }
        return .resolved(contents.reversed().prefix(while: \.isSettled).last?.position ?? 0)
    }

    /// Returns the costs of a record, added up from its entries, with sums as text without trailing zeros.
    func costs(of record: UUID) -> [CostBucket: String] {
        var sums: [CostBucket: ExactDecimal] = [:]
        for entry in records[record]?.activeEntries(of: Cost.kind) ?? [] {
            let body = entry.content.body
            guard let year = body.integer(Cost.year), let amount = body.decimal(Cost.amount) else { continue }
            let bucket = CostBucket(
                year: year,
                currency: body.text(Cost.currency),
                category: body.text(Cost.category),
                basis: body.text(Cost.basis) ?? ""
            )
            sums[bucket] = sums[bucket].flatMap { $0.adding(amount) } ?? amount
        }
        return sums.mapValues { $0.withoutTrailingZeros.description }
    }
}

@Suite("Random histories")
struct HistoryPropertyTests {
    private static let isLong = ProcessInfo.processInfo.environment["HEALTHJOURNAL_LONG"] != nil

    @Test("The views equal a fold of the log at every position, also after the index and the views are deleted")
    func views() async throws {
        var random = SeededGenerator()
        let home = try await TestHousehold()
        var history = RandomHistory()
        try await history.begin(in: home, &random)
        let half = HistoryPropertyTests.isLong ? 2_500 : 500
        for _ in 0..<half { try await history.change(home, &random) }
        try await history.eraseSome(home, &random)
        for _ in 0..<half { try await history.change(home, &random) }
        #expect(history.changes > 500, "most changes of a random history are taken")
        #expect(try lagging(home.journal) > 50, "many events are recorded while the clock is behind the newest one")

        try check(home, everything: HistoryPropertyTests.isLong ? 1 : 50)
        try home.reopen { try home.remove(home.folder.index, home.folder.views) }
        try check(home, everything: HistoryPropertyTests.isLong ? 50 : 200, isThinned: !HistoryPropertyTests.isLong)
    }

    /// Folds the log and compares the views with the fold at each position.
    ///
    /// For a record that was erased at any time, both are empty at every position.
    private func check(_ home: TestHousehold, everything: UInt64, isThinned: Bool = false) throws {
        let journal = home.journal
        let head = try home.head
        var fold = Fold()
        var sample = 0
        let (erased, entries) = try erased(journal)
        for position in 1...head {
            let stored = try journal.log.event(at: position)
            if stored.isSealedByEntry, entries.contains(stored.header.entry), !erased.contains(stored.header.subject) {
                let error = #expect(throws: EventLogError.self) { try journal.log.recorded(stored) }
                #expect(error?.code == .subjectErased)
                try compare(stored.header.subject, position, fold, journal)
                continue
            }
            if let record = stored.header.record, erased.contains(record) {
                if stored.header.type != RecordErased.type.rawValue {
                    let error = #expect(throws: EventLogError.self) { try journal.log.recorded(stored) }
                    #expect(error?.code == .subjectErased)
                }
                try compare(record, position, fold, journal)
                continue
            }
            let event = try journal.log.recorded(stored)
            fold.take(event)
            if position % everything == 0 || position == head {
                for id in fold.records.keys { try compare(id, position, fold, journal) }
                for id in erased { try compare(id, position, fold, journal) }
                #expect(try Set(journal.permissions.accounts(asOf: position)) == fold.accounts)
                #expect(try Set(journal.medicalRecords.records(asOf: position)) == Set(fold.records.keys))
            } else if !isThinned || position % 7 == 0 {
                if fold.records[event.subject] != nil { try compare(event.subject, position, fold, journal) }
                sample += 1
                let ids = fold.records.keys.sorted { $0.text < $1.text }
                if sample % 4 == 0, !ids.isEmpty { try compare(ids[sample / 4 % ids.count], position, fold, journal) }
            }
        }
        #expect(fold.records.count + erased.count >= 20)
        #expect(!erased.isEmpty, "a random history erases some records and leaves others")
        #expect(fold.records.count > 5, "a random history erases some records and leaves others")
        #expect(entries.count > 3, "a random history erases some entries")
    }

    /// Counts the events that were recorded while the clock was behind an earlier event.
    private func lagging(_ journal: Journal) throws -> Int {
        try journal.log.events(after: 0, limit: 100_000)
            .count { stored in
                // Of what was erased, nothing is known.
                (try? journal.log.recorded(stored))?.clock != nil
            }
    }

    /// Returns the records and the entries that were erased.
    private func erased(_ journal: Journal) throws -> (records: Set<UUID>, entries: Set<UUID>) {
        var erased: Set<UUID> = []
        var entries: Set<UUID> = []
        try journal.log.forEachFrame(through: journal.log.head()) { frame in
            if frame.type == RecordErased.type.rawValue { erased.insert(frame.entry) }
            if frame.type == EntryErased.type.rawValue { entries.insert(frame.entry) }
            return true
        }
        #expect(try erased.isSubset(of: journal.log.erasedSubjects()))
        #expect(try journal.log.erasedSubjects().count == erased.count + entries.count)
        return (erased, entries)
    }

    private func compare(_ id: UUID, _ position: UInt64, _ fold: Fold, _ journal: Journal) throws {
        let expected = fold.records[id]
        let found = try journal.contents(for: .checking).record(id, asOf: position)
        if found != expected {
            Issue.record("record \(id) differs at position \(position): \(difference(found, expected))")
        }
        #expect(
            try journal.permissions.grants(of: id, asOf: position) == fold.grants[id] ?? GrantsState(),
            "position \(position)"
        )
        let totals = try journal.costs.totals(of: id, asOf: position)
        let sums = totals.map { total in
            (total.bucket, (try? ExactDecimal(parsing: total.sum.description))?.withoutTrailingZeros.description ?? "")
        }
        #expect(Dictionary(uniqueKeysWithValues: sums) == fold.costs(of: id), "position \(position)")
        let findings = (expected?.entries ?? []).filter { $0.kind == Interaction.kind }
        let items = try journal.interactions.items(of: id, asOf: position)
        let shown = Dictionary(items.map { ($0.entry, $0) }) { first, _ in first }
        let differing = findings.filter { entry in
            let item = shown[entry.id]
            let content: EntryContent? = entry.isRetracted ? nil : entry.content
            return item?.state != fold.state(of: entry) || item?.content != content
        }
        #expect(differing.isEmpty, "position \(position)")
        #expect(items.count == findings.count, "position \(position)")
        let diverged = fold.diverged[id] ?? []
        #expect(try journal.medicalRecords.diverged(in: id, asOf: position) == (expected == nil ? [] : diverged))
        for kind in [Dose.kind, Supply.kind] {
            let entries = (expected?.entries ?? []).filter { $0.kind == kind && !$0.isRetracted }
            let plans = Set(entries.compactMap { $0.content.body.id(Dose.of) })
            let listed = try journal.planCalendar.items(
                of: kind,
                plans: plans,
                in: id,
                days: Day(daysSince1970: .min)...Day(daysSince1970: .max),
                asOf: position
            )
            let found = listed.flatMap { plan, items in
                items.map { item in "\(plan) \(item.entry) \(item.content)" }
            }
            let known = entries.compactMap { entry in
                entry.content.body.id(Dose.of).map { "\($0) \(entry.id) \(entry.content)" }
            }
            #expect(Set(found) == Set(known), "position \(position)")
            #expect(found.count == known.count, "position \(position)")
        }
    }

    private func difference(_ found: RecordState?, _ expected: RecordState?) -> String {
        guard let found, let expected else { return "one of them is not there" }
        var parts: [String] = []
        if found.profile != expected.profile { parts.append("profile") }
        if found.updated != expected.updated { parts.append("updated") }
        if found.closed != expected.closed { parts.append("closed") }
        if found.entries.map(\.id) != expected.entries.map(\.id) { parts.append("which entries") }
        for (one, other) in zip(found.entries, expected.entries) where one != other { parts.append("entry \(one.id)") }
        return parts.joined(separator: ", ")
    }
}

/// Makes random changes, most of which the journal accepts.
private struct RandomHistory {
    private var records: [UUID] = []
    private var entries: [UUID] = []
    private var people: [Caller] = []
    private var devices: [UUID] = []
    private(set) var changes = 0

    mutating func begin(in home: TestHousehold, _ random: inout SeededGenerator) async throws {
        for name in ["anna", "ben", "cleo", "dan", "eva"] { people.append(try await home.account(name)) }
        for name in ["phone", "tablet"] {
            devices.append(try await home.journal.sync.addDevice(named: name, home.owner).id)
        }
        for number in 0..<20 {
            let subject: Subject = number % 3 == 0 ? .animal : .human
            let result = try await home.journal.records.createRecord(profile(subject, &random), home.owner)
            records.append(try #require(result.record))
        }
    }

    mutating func change(_ home: TestHousehold, _ random: inout SeededGenerator) async throws {
        let journal = home.journal
        if Int.random(in: 0..<10, using: &random) == 0 {
            home.clock.step(milliseconds: Int64.random(in: -6_000...6_000, using: &random))
        }
        var owner = home.owner
        owner.reason = Bool.random(using: &random) ? "" : "reason \(Int.random(in: 0...99, using: &random))"
        let record = records[Int.random(in: 0..<records.count, using: &random)]
        let entry = entries.randomElement(using: &random)
        do {
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<45:
                let kind =
                    Int.random(in: 0..<4, using: &random) == 0 ? Cost.kind : Kind.all.randomElement(using: &random)
                guard let content = try content(try #require(kind), in: record, home, &random) else { return }
                entries.append(try #require(try await journal.entries.addEntry(content, to: record, owner).entry))
            case 45..<53:
                try await send(home, &random)
            case 53..<65:
                guard let entry, let state = try journal.contents(for: .checking).entry(entry, asOf: home.head) else {
                    return
                }
                guard let content = try content(state.kind, in: state.record, home, &random) else { return }
                if Plan.kinds.contains(state.kind), Bool.random(using: &random) {
                    let rule = random.rule()
                    _ = try await journal.entries.changePlan(entry, owner) { content throws(ModelError) in
                        content.changeSchedule(to: [rule], from: rule.from)
                    }
                } else {
                    _ = try await journal.entries.correctEntry(entry, owner) { $0 = content }
                }
            case 65..<74:
                guard let entry else { return }
                _ = try await journal.entries.retractEntry(entry, owner)
            case 74..<80:
                // Only retracted entries are candidates; otherwise hardly any would be restored.
                let retracted = try entries.filter {
                    try journal.contents(for: .checking).entry($0, asOf: home.head)?.isRetracted ?? false
                }
                guard let entry = retracted.randomElement(using: &random) else { return }
                _ = try await journal.entries.restoreEntry(entry, owner)
            case 80..<88:
                guard let subject = try journal.medicalRecords.header(of: record, asOf: home.head)?.profile.subject
                else {
                    return
                }
                let profile = try profile(subject, &random)
                _ = try await journal.records.changeRecord(record, owner) { $0 = profile }
            case 88..<93:
                let person = try #require(people.randomElement(using: &random))
                _ = try await journal.sharing.grant(terms(&random), to: person.account, on: record, owner)
            case 93..<96:
                let person = try #require(people.randomElement(using: &random))
                _ = try await journal.sharing.revoke(person.account, on: record, owner)
            case 96:
                guard let entry else { return }
                owner.reason = "a reason"
                _ = try await journal.erasure.eraseEntry(entry, owner)
            case 97..<99:
                _ = try await journal.records.read(record, ReadOptions(), owner)
                return
            default:
                owner.reason = "a reason"
                switch Int.random(in: 0..<4, using: &random) {
                case 0: _ = try await journal.records.closeRecord(record, owner)
                case 1, 2:
                    let until = Day(
                        daysSince1970: journal.today.daysSince1970 + Int32.random(in: 0...9, using: &random)
                    )
                    _ = try await journal.erasure.holdRecord(record, until: until, owner)
                // The first eight records are not erased, so that some remain to compare.
                case 3 where records.firstIndex(of: record).map { $0 >= 8 } == true:
                    _ = try await journal.erasure.eraseRecord(record, owner)
                default: return
                }
            }
            changes += 1
        } catch let error as JournalError {
            // A random change may conflict with the current state; any other error is a failure.
            guard [.conflict, .scheduleConflict, .notFound, .erased].contains(error.code) else { throw error }
        }
    }

    /// Sends a change that a device made on an older version of an entry, or decides between two versions.
    private func send(_ home: TestHousehold, _ random: inout SeededGenerator) async throws {
        let journal = home.journal
        guard let entry = entries.randomElement(using: &random),
            let state = try journal.contents(for: .checking).entry(entry, asOf: home.head)
        else { return }
        if let open = try journal.sync.divergences(ofEntry: entry).first, Bool.random(using: &random) {
            let choice: DivergenceSettled.Choice = Bool.random(using: &random) ? .keep : .take
            _ = try await journal.sync.settle(open.document.position, choice, home.owner)
            return
        }
        let retracts = Int.random(in: 0..<5, using: &random) == 0
        let content = try content(state.kind, in: state.record, home, &random)
        if content == nil, !retracts { return }
        let command = SyncCommand(
            id: UUID.random(using: &random).text,
            device: try #require(devices.randomElement(using: &random)),
            seq: 1,
            madeAt: Instant(microseconds: journal.now.microseconds - Int64.random(in: 0...1_000_000, using: &random)),
            record: state.record,
            entry: entry,
            kind: state.kind,
            action: retracts ? .retract : .correct,
            base: state.added.position,
            content: retracts ? nil : content
        )
        _ = try await journal.sync.take(command, offset: 0, home.owner)
    }

    /// Erases one record and some entries, because some random histories would contain no erasure, or hardly any.
    func eraseSome(_ home: TestHousehold, _ random: inout SeededGenerator) async throws {
        var count = 0
        for entry in entries.shuffled(using: &random) where count < 5 {
            let refused = await refusal {
                _ = try await home.journal.erasure.eraseEntry(entry, home.owner.giving(reason: "asked"))
            }
            if let refused {
                guard [.conflict, .erased].contains(refused.code) else { throw refused }
            } else {
                count += 1
            }
        }
        for record in records.reversed() {
            let refused = await refusal {
                _ = try await home.journal.erasure.eraseRecord(record, home.owner.giving(reason: "asked"))
            }
            // The record has a hold or is erased already.
            guard let refused else { return }
            guard [.conflict, .erased].contains(refused.code) else { throw refused }
        }
    }

    private func profile(_ subject: Subject, _ random: inout SeededGenerator) throws -> RecordProfile {
        var profile = RecordProfile(subject: subject)
        for field in [
            "birthdate", subject == .human ? "givenName" : "name", subject == .human ? "employer" : "vet.phone",
        ]
        where Bool.random(using: &random) {
            try profile.set(
                field,
                text: field == "birthdate" ? day(&random) : "text \(UInt8.random(in: 0...255, using: &random))"
            )
        }
        return profile
    }

    /// Returns random content of a kind; nil for a dose or a supply in a record without a plan to which it can belong.
    private func content(
        _ kind: Kind,
        in record: UUID,
        _ home: TestHousehold,
        _ random: inout SeededGenerator
    ) throws -> EntryContent? {
        var content = EntryContent(kind: kind)
        for path in kind.fields.leaves where kind != Document.kind || path.name == "name" {
            guard path.fields[0].isRequired || Bool.random(using: &random), let field = path.fields.last else {
                continue
            }
            content.body[path] = try value(of: field, &random)
        }
        if kind == Cost.kind, Int.random(in: 0..<5, using: &random) == 0 {
            // Some sources state no amount.
            content.body[Cost.amount] = nil
            content.inferred = ["amount"]
        }
        switch Int.random(in: 0..<5, using: &random) {
        case 0: break
        case 3: content.date = try OccurredDate(parsing: String(day(&random).prefix(7)))
        case 4: content.date = try OccurredDate(parsing: String(day(&random).prefix(4)))
        case 1: content.date = .day(try Day(parsing: day(&random)))
        default: content.date = .instant(try Instant(parsing: day(&random) + "T06:30:00Z"))
        }
        random.makeConsistent(&content)
        if [Dose.kind, Supply.kind].contains(kind) {
            let plans = try entries.filter { entry in
                let state = try home.journal.contents(for: .checking).entry(entry, asOf: home.head)
                return state?.record == record && state.map { Plan.kinds.contains($0.kind) } ?? false
            }
            guard let plan = plans.randomElement(using: &random) else { return nil }
            content.body[Dose.of] = .id(plan)
        }
        if Bool.random(using: &random) || content.missingField != nil {
            content.comment = "comment \(UInt16.random(in: 0...999, using: &random))"
        }
        return content
    }

    private func value(of field: Field, _ random: inout SeededGenerator) throws -> FieldValue? {
        switch field.type {
        case .text where field.format == .currency: .text(["CHF", "EUR"][Int.random(in: 0...1, using: &random)])
        case .text: .text("text \(Int.random(in: 0...3, using: &random))")
        case .decimal:
            .decimal(
                ExactDecimal(
                    coefficient: Int64.random(in: 0...99_999, using: &random),
                    scale: UInt8.random(in: 0...3, using: &random)
                )
            )
        case .integer(let range): .integer(Int64.random(in: (2023...2025).clamped(to: range), using: &random))
        case .flag: .flag(Bool.random(using: &random))
        case .day: .day(try Day(parsing: day(&random)))
        case .dayOrPeriod:
            FieldValue(
                try PartialDate(parsing: [day(&random), "1951", "1951-03"].randomElement(using: &random) ?? "1951")
            )
        case .choice(let words): words.randomElement(using: &random).map { .text($0) }
        case .zone: .text("Asia/Kathmandu")
        case .instant, .wallTime, .wallMoment, .partialDate, .id, .entry, .bytes, .group, .list: nil
        }
    }

    private func terms(_ random: inout SeededGenerator) throws -> GrantTerms {
        GrantTerms(
            sections: Set(Section.allCases.filter { _ in Bool.random(using: &random) }).union([.groups]),
            verbs: Bool.random(using: &random) ? [.read] : [.read, .contribute],
            until: Bool.random(using: &random) ? try Day(parsing: "2030-01-01") : nil
        )
    }

    private func day(_ random: inout SeededGenerator) -> String {
        let (month, day) = (Int.random(in: 1...9, using: &random), Int.random(in: 10...28, using: &random))
        return "20\(Int.random(in: 10...25, using: &random))-0\(month)-\(day)"
    }
}
