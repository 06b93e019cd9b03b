import AppointmentCalendar
import CaregiverPermissions
import CostSummary
import EventLog
import Foundation
import HealthModel
import Interactions
import JournalEvents
import MedicalRecords
import PlanCalendar
import PracticeDirectory
import ProjectionKit
import TriageQueue

/// Folds the log again and compares all views with it, at the head and at many past positions.
///
/// The journal may be in use meanwhile: see `ViewCheck+Erasures`.
struct ViewCheck {
    /// Logs up to this length are compared at every position, longer ones at positions spread over them.
    private static let everyPosition: UInt64 = 2_000
    private static let spreadPositions: UInt64 = 200
    /// About how many entries are compared at one past position; the records take turns.
    private static let entriesAtOnce = 2_000

    let log: EventLog
    private let head: UInt64
    let records: MedicalRecordsView
    let contents: RecordContentsView
    private let permissions: CaregiverPermissionsView
    private let costs: CostSummaryView
    private let planCalendar: PlanCalendarView
    private let interactions: InteractionsView
    private let practiceDirectory: PracticeDirectoryView
    private let calendar: AppointmentCalendarView
    private let triageQueue: TriageQueueView

    var folds: [UUID: RecordFold] = [:]
    var clinic = ClinicFold()
    /// The records in the order of their creation.
    var order: [UUID] = []
    var erasures = KnownErasures()
    private var turn = 0
    var report = ViewReport()

    init(_ journal: OpenJournal) throws {
        log = journal.log
        head = try log.head()
        // The store is never closed: that would mark it as synced, although another process may still have to sync it.
        let views = try ViewStore(log: log, mapSize: journal.mapSize)
        records = MedicalRecordsView(views: views, log: log)
        contents = RecordContentsView(views: views, log: log)
        permissions = CaregiverPermissionsView(views: views, log: log)
        costs = CostSummaryView(views: views, log: log)
        planCalendar = PlanCalendarView(views: views, log: log)
        interactions = InteractionsView(views: views, log: log)
        practiceDirectory = PracticeDirectoryView(views: views, log: log)
        calendar = AppointmentCalendarView(views: views, log: log)
        triageQueue = TriageQueueView(views: views, log: log)
        try readErasures()
    }

    /// Compares the views.
    func run() throws -> ViewReport {
        var check = self
        return try check.compareAll()
    }

    private mutating func compareAll() throws -> ViewReport {
        let progress = ReplayProgress("comparing")
        try settling(through: 0) { check in try check.compareErasures() }
        var position: UInt64 = 0
        while position < head {
            for event in try log.events(after: position, limit: 1_000) where event.position <= head {
                position = event.position
                let touched = try take(event)
                if isCompared(position) { try compare(at: position, first: touched) }
                progress.report(position, of: head)
            }
        }
        return report
    }

    private func isCompared(_ position: UInt64) -> Bool {
        if position == head || head <= ViewCheck.everyPosition { return true }
        return position % (head / ViewCheck.spreadPositions) == 0
    }

    /// Applies an event to the folds, and returns the record that it concerns.
    private mutating func take(_ event: StoredEvent) throws -> UUID? {
        if ClinicFold.matters(event.header.category) { try clinic.take(event, of: log) }
        guard RecordFold.matters(event.header.category, event.header.type), let record = event.header.record else {
            return nil
        }
        try settling(through: event.position - 1) { check in
            if let what = check.erasures.what(isErasedOf: event) { return try check.checkSealed(event, what) }
            do {
                try check.fold(try check.log.recorded(event), of: record)
            } catch let error as EventLogError where error.code == .subjectErased {
                check.report.report(
                    "the key of record \(record.text), or of an entry of it, is missing, and no event records its erasure",
                    at: event.position
                )
            }
        }
        return record
    }

    private mutating func fold(_ event: RecordedEvent, of record: UUID) throws {
        let isNew = folds[record]?.state == nil
        folds[record, default: RecordFold()].take(event)
        if isNew, folds[record]?.state != nil { order.append(record) }
    }

    /// Checks that an event of an erased record or entry cannot be decrypted.
    private mutating func checkSealed(_ event: StoredEvent, _ what: String) throws {
        // The event of an erasure itself is sealed under the journal's key.
        guard event.header.type != RecordErased.type.rawValue else { return }
        guard case .erased = log.content(of: event) else {
            return report.report("an event of an erased \(what) can still be read", at: event.position)
        }
    }

    private mutating func compareErasures() throws {
        let shown = Dictionary(try records.erasures().map { ($0.record, $0.position) }) { first, _ in first }
        // Nothing is kept of the entries of an erased record.
        let erased = erasures.records
        let entries = try erasures.entries.allSatisfy { entry, position in
            let row = try records.erasure(ofEntry: entry)
            let record = try log.event(at: position).header.subject
            return row?.position == (erased[record] == nil ? position : nil)
        }
        if shown != erased || !entries { report.report("MedicalRecords lists other erasures than the log", at: head) }
    }

    private mutating func compare(at position: UInt64, first: UUID?) throws {
        report.positions += 1
        try settling(through: position) { check in
            if try check.records.records(asOf: position) != check.order {
                check.report.report("MedicalRecords lists other records than the log", at: position)
            }
        }
        var budget = position == head ? Int.max : ViewCheck.entriesAtOnce
        for record in turns(first) {
            guard budget > 0 else { break }
            budget -= 1 + (folds[record]?.state?.entries.count ?? 0)
            try settling(through: position) { check in try check.compare(record, at: position) }
        }
        try settling(through: position) { check in try check.compareClinic(at: position) }
        guard position == head else { return }
        try settling(through: position) { check in
            for record in check.erasures.records.keys { try check.compareErased(record, at: position) }
        }
    }

    /// Returns all records: first the given one, then the others in an order that rotates by one with each call.
    private mutating func turns(_ first: UUID?) -> [UUID] {
        guard !order.isEmpty else { return [] }
        turn = (turn + 1) % order.count
        let rest = (order[turn...] + order[..<turn]).filter { $0 != first }
        return (first.map { [$0] } ?? []) + rest
    }

    private mutating func compare(_ record: UUID, at position: UInt64) throws {
        report.records += 1
        if erasures.records[record] != nil { return try compareErased(record, at: position) }
        guard let fold = folds[record] else { return }
        try compareState(fold.state, of: record, at: position)
        try compareGrants(fold, of: record, at: position)
        try compareCosts(fold.state, of: record, at: position)
        try comparePlans(fold.state, of: record, at: position)
        try compareFindings(fold, of: record, at: position)
        if try records.diverged(in: record, asOf: position) != fold.diverged {
            report.report("MedicalRecords: record \(record.text) has two versions of other entries", at: position)
        }
    }

    private mutating func compareErased(_ record: UUID, at position: UInt64) throws {
        if try contents.record(record, asOf: position) != nil {
            report.report("MedicalRecords still has the erased record \(record.text)", at: position)
        }
        if try !permissions.permissions(of: record, asOf: position).isEmpty
            || !permissions.emergencies(of: record, asOf: position).isEmpty
        {
            report.report("CaregiverPermissions still has the erased record \(record.text)", at: position)
        }
        if try !costs.totals(of: record, asOf: position).isEmpty {
            report.report("CostSummary still has the erased record \(record.text)", at: position)
        }
        if try planCalendar.hasRows(of: record) {
            report.report("PlanCalendar still has the erased record \(record.text)", at: position)
        }
        if try calendar.hasRows(of: record) {
            report.report("AppointmentCalendar still has the erased record \(record.text)", at: position)
        }
        if try triageQueue.hasRows(of: record) {
            report.report("TriageQueue still has the erased record \(record.text)", at: position)
        }
        if try interactions.hasRows(of: record) {
            report.report("Interactions still has the erased record \(record.text)", at: position)
        }
    }

    private mutating func compareState(_ folded: RecordState?, of record: UUID, at position: UInt64) throws {
        let shown = try contents.record(record, asOf: position)
        report.entries += folded?.entries.count ?? 0
        guard shown != folded else { return }
        let name = "MedicalRecords: record \(record.text)"
        guard let shown, let folded else {
            return report.report("\(name) is \(shown == nil ? "missing" : "present, and should not be")", at: position)
        }
        let entries = Dictionary(shown.entries.map { ($0.id, $0) }) { first, _ in first }
        var named = 0
        for entry in folded.entries where entries[entry.id] != entry {
            report.report(
                "\(name), entry \(entry.id.text) \(entries[entry.id] == nil ? "is missing" : "differs")",
                at: position
            )
            named += 1
        }
        let known = Set(folded.entries.map(\.id))
        for entry in shown.entries where !known.contains(entry.id) {
            report.report("\(name), entry \(entry.id.text) should not exist", at: position)
            named += 1
        }
        if named == 0 {
            let isOrder = shown.entries != folded.entries
            report.report(
                "\(name) \(isOrder ? "has its entries in another order" : "differs outside its entries")",
                at: position
            )
        }
    }

    private mutating func compareGrants(_ fold: RecordFold, of record: UUID, at position: UInt64) throws {
        let shown = try permissions.grants(of: record, asOf: position)
        report.grants += fold.grants.grants.count
        for account in Set(shown.grants.keys).union(fold.grants.grants.keys).sorted(by: { $0.text < $1.text })
        where shown[account] != fold.grants[account] {
            report.report("CaregiverPermissions: record \(record.text), account \(account.text) differs", at: position)
        }
        let owners = try permissions.permissions(of: record, asOf: position).filter { $0.permission.isOwner }
        if Set(owners.map(\.account)) != Set(fold.state?.owners ?? []) {
            report.report("CaregiverPermissions: record \(record.text) has other owners", at: position)
        }
        if try permissions.emergencies(of: record, asOf: position) != fold.grants.emergencies {
            report.report("CaregiverPermissions: record \(record.text), its emergencies differ", at: position)
        }
        for emergency in Dictionary(grouping: fold.grants.emergencies, by: \.account).compactMap(\.value.last) {
            let shown = try permissions.permission(of: emergency.account, on: record, asOf: position).emergency
            let expected = emergency.ended == nil ? emergency : nil
            guard shown?.opened != expected?.opened || shown?.expires != expected?.expires else { continue }
            let account = emergency.account.text
            report.report(
                "CaregiverPermissions: record \(record.text), account \(account), its emergency differs",
                at: position
            )
        }
    }

    private mutating func compareCosts(_ folded: RecordState?, of record: UUID, at position: UInt64) throws {
        var totals: [CostBucket: CostTotal] = [:]
        for entry in folded?.activeEntries(of: Cost.kind) ?? [] {
            guard let year = entry.content.body.integer(Cost.year), let amount = entry.content.body.decimal(Cost.amount)
            else { continue }
            let bucket = CostBucket(
                year: year,
                currency: entry.content.body.text(Cost.currency),
                category: entry.content.body.text(Cost.category),
                basis: entry.content.body.text(Cost.basis) ?? Cost.item
            )
            var total = totals[bucket] ?? CostTotal(bucket: bucket, sum: ExactSum(), count: 0)
            total.sum = total.sum + ExactSum(amount)
            total.count += 1
            totals[bucket] = total
        }
        let shown = Dictionary(try costs.totals(of: record, asOf: position).map { ($0.bucket, $0) }) { first, _ in first
        }
        report.totals += totals.count
        for bucket in Set(shown.keys).union(totals.keys).sorted(by: { ($0.year, $0.basis) < ($1.year, $1.basis) })
        where shown[bucket] != totals[bucket] {
            report.report("CostSummary: record \(record.text), a total differs", at: position)
        }
    }

    private mutating func comparePlans(_ folded: RecordState?, of record: UUID, at position: UInt64) throws {
        let always = Day(daysSince1970: .min)...Day(daysSince1970: .max)
        let active = folded?.activeEntries ?? []
        for (kind, field) in [(Dose.kind, Dose.of), (Supply.kind, Supply.of)] {
            let listed = active.filter { $0.kind == kind && $0.content.date != nil && $0.content.body.id(field) != nil }
            let expected = Dictionary(grouping: listed) { $0.content.body.id(field) ?? record }
            let plans = Set(active.filter { Plan.kinds.contains($0.kind) }.map(\.id)).union(expected.keys)
            let shown = try planCalendar.items(of: kind, plans: plans, in: record, days: always, asOf: position)
            for plan in plans.sorted(by: { $0.text < $1.text }) {
                let entries = Dictionary((shown[plan] ?? []).map { ($0.entry, $0.content) }) { first, _ in first }
                let folded = Dictionary((expected[plan] ?? []).map { ($0.id, $0.content) }) { first, _ in first }
                guard entries != folded else { continue }
                report.report("PlanCalendar: record \(record.text), plan \(plan.text) differs", at: position)
            }
        }
    }

    private mutating func compareClinic(at position: UInt64) throws {
        if try practiceDirectory.practices(asOf: position) != clinic.practices {
            report.report("PracticeDirectory lists other practices than the log", at: position)
        }
        for practice in clinic.practices {
            let specialists = try practiceDirectory.specialists(of: practice, asOf: position)
            let patients = try practiceDirectory.patients(of: practice, asOf: position)
            let clients = try practiceDirectory.clients(of: practice, asOf: position)
            let waiting = try practiceDirectory.waiting(of: practice, asOf: position)
            if Set(specialists) != clinic.specialists[practice, default: []]
                || Set(patients) != clinic.patients[practice, default: []]
                || Set(clients) != clinic.clients[practice, default: []]
                || Set(waiting) != clinic.waiting[practice, default: []]
            {
                report.report("PracticeDirectory: practice \(practice.text) differs", at: position)
            }
            for (day, expected) in clinic.days(of: practice) {
                let shown = try calendar.appointments(of: practice, days: day...day, asOf: position)
                if Set(shown) != expected || shown.count != expected.count {
                    report.report("AppointmentCalendar: practice \(practice.text), \(day) differs", at: position)
                }
            }
            for (day, expected) in clinic.triageDays(of: practice) {
                let shown = try triageQueue.triages(of: practice, days: day...day, asOf: position)
                if Set(shown) != expected || shown.count != expected.count {
                    report.report("TriageQueue: practice \(practice.text), \(day) differs", at: position)
                }
            }
        }
        for (record, expected) in Dictionary(grouping: clinic.appointments.values, by: \.record) {
            if try Set(calendar.appointments(of: record, asOf: position)) != Set(expected.map(\.id)) {
                report.report("AppointmentCalendar: record \(record.text) differs", at: position)
            }
        }
        for (record, expected) in Dictionary(grouping: clinic.triages.values, by: \.record) {
            if try Set(triageQueue.triages(of: record, asOf: position)) != Set(expected.map(\.id)) {
                report.report("TriageQueue: record \(record.text) differs", at: position)
            }
        }
    }

    private mutating func compareFindings(_ fold: RecordFold, of record: UUID, at position: UInt64) throws {
        let shown = try interactions.items(of: record, asOf: position)
        let entries = Dictionary(shown.map { ($0.entry, $0) }) { first, _ in first }
        let expected = (fold.state?.entries ?? []).filter { $0.kind == Interaction.kind }
        for entry in expected {
            let item = entries[entry.id]
            let content = entry.isRetracted ? nil : entry.content
            let settled = fold.settlements[entry.id] ?? FindingFold()
            let state: InteractionsView.State =
                entry.isRetracted ? .gone : settled.resolved.map { .resolved($0) } ?? .open
            if item?.content != content || item?.state != state || item?.lastResolved != settled.lastResolved {
                report.report("Interactions: record \(record.text), finding \(entry.id.text) differs", at: position)
            }
        }
        if shown.count != expected.count {
            report.report("Interactions: record \(record.text) has other findings than the log", at: position)
        }
    }
}
