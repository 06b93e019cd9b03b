import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// Pages for a record over time: its state as of a day, its events, and the accesses to it.
struct HistoryPages: PageGroup {
    let pages: Pages

    func add(to routes: PageRoutes) {
        routes.get("records/:record/timeline", query: MomentQuery.names + ["day"], timeline)
        routes.get("records/:record/history", query: ["before"], history)
        routes.get("records/:record/access", query: ["before", "account", "entry"], access)
    }

    @Sendable private func timeline(_ visit: PageVisit) async throws -> Response {
        // The slider submits a number of days; the client is redirected to the canonical address of that day.
        if let number = try visit.query.integer("day", in: 0...Int(Int32.max)) {
            let day = Day(daysSince1970: Int32(number))
            let address = "/records/\(try visit.record().text)/timeline"
            var parts: [String] = day < journal.today ? ["asOf=\(day)"] : []
            if let happenedBy = try MomentQuery(visit.query).happenedBy { parts.append("happenedBy=\(happenedBy)") }
            return Pages.redirect(to: parts.isEmpty ? address : "\(address)?\(parts.joined(separator: "&"))")
        }
        let moment = try MomentQuery(visit.query)
        let reader = visit.reader
        let comparison = try await journal.trail.compare(
            visit.record(),
            ReadOptions(asOf: moment.asOf, happenedBy: moment.happenedBy, page: .newest(TimelinePage.entries + 1)),
            visit.caller
        )
        let (then, now) = (comparison.then, comparison.now)
        let page = TimelinePage(
            pages.head(then, at: .timeline, reader, moment),
            TimelinePage.Knowledge(
                then: then.state,
                now: now.state,
                entries: comparison.entries,
                changes: comparison.changes,
                isCut: comparison.isCut
            ),
            asOf: comparison.position,
            day: day(of: moment, then),
            today: journal.today,
            sees: then.kinds,
            day: journal.day(of:),
            pages.names(in: then.state.entries + now.state.entries),
            reader
        )
        return visit.response(page, reader.words["tab.timeline"])
    }

    private func day(of moment: MomentQuery, _ then: RecordAnswer) -> Day {
        switch moment.asOf {
        case nil: journal.today
        case .day(let day): day
        case .minute(let wall): wall.day
        case .instant(let instant): journal.day(of: instant)
        case .position: journal.day(of: then.asOf.recordedAt)
        }
    }

    @Sendable private func history(_ visit: PageVisit) async throws -> Response {
        let before = try before(visit.query)
        let reader = visit.reader
        let (record, caller) = (try visit.record(), try visit.caller)
        let page = Page.newest(HistoryPage.events + 1, before: before)
        let head = try await visit.frame(record, at: .history)
        let events = try await journal.trail.history(ofRecord: record, page: page, caller)
        let names = pages.names(events.flatMap { [$0.stamp.actor] + [$0.event.account].compactMap(\.self) })
        let shown = HistoryPage(head, events, after: journal.trail.predecessors(of: events), names, reader)
        return visit.response(shown, reader.words["history"])
    }

    @Sendable private func access(_ visit: PageVisit) async throws -> Response {
        let account = try visit.query.value("account") { text throws(ModelError) in
            guard let id = UUID(uuidString: text) else { throw ModelError(.invalid, "must be the id of an account") }
            return id
        }
        let entry = try visit.query.value("entry") { text throws(ModelError) in
            guard let id = UUID(uuidString: text) else { throw ModelError(.invalid, "must be the id of an entry") }
            return id
        }
        let before = try before(visit.query)
        let reader = visit.reader
        let (record, caller) = (try visit.record(), try visit.caller)
        let page = Page.newest(AccessPage.looks + 1, before: before)
        let head = try await visit.frame(record, at: .access)
        let events = try await journal.trail.accesses(of: record, by: account, showing: entry, page: page, caller)
        let names = pages.names(events.map(\.stamp.actor) + [account].compactMap(\.self))
        let shown = AccessPage(
            head,
            events,
            of: account.map { (id: $0.text, name: names[$0, reader]) },
            showing: entry,
            names,
            reader
        )
        return visit.response(shown, reader.words["access"])
    }

    private func before(_ query: Query) throws -> UInt64 {
        try query.integer("before", in: 0...Int.max).map { UInt64($0) } ?? .max
    }
}
