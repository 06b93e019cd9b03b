import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// Pages for a record over time: its state as of a day, its events, and the accesses to it.
struct HistoryPages {
    let pages: Pages
    private var journal: Journal { pages.journal }

    init(_ pages: Pages) {
        self.pages = pages
    }

    func add(to group: RouterGroup<ServerContext>) {
        group.get("records/:record/timeline", use: timeline)
        group.get("records/:record/history", use: history)
        group.get("records/:record/access", use: access)
    }

    @Sendable private func timeline(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, MomentQuery.names + ["day"])
        // The slider submits a number of days; the client is redirected to the canonical address of that day.
        if let number = try query.integer("day", in: 0...Int(Int32.max)) {
            let day = Day(daysSince1970: Int32(number))
            let address = "/records/\(try context.record().text)/timeline"
            var parts: [String] = day < journal.today ? ["asOf=\(day)"] : []
            if let happenedBy = try MomentQuery(query).happenedBy { parts.append("happenedBy=\(happenedBy)") }
            return Pages.redirect(to: parts.isEmpty ? address : "\(address)?\(parts.joined(separator: "&"))")
        }
        let moment = try MomentQuery(query)
        let reader = pages.reader(request, context)
        let comparison = try await journal.compare(
            context.record(),
            ReadOptions(asOf: moment.asOf, happenedBy: moment.happenedBy, page: .newest(TimelinePage.entries + 1)),
            context.requireCaller()
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
        return pages.response(page, reader.words["tab.timeline"], request, context)
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

    @Sendable private func history(_ request: Request, _ context: ServerContext) async throws -> Response {
        let before = try before(Query(request, ["before"]))
        let reader = pages.reader(request, context)
        let (record, caller) = (try context.record(), try context.requireCaller())
        let page = Page.newest(HistoryPage.events + 1, before: before)
        let head = try await pages.frame(record, at: .history, reader, context)
        let events = try await journal.history(ofRecord: record, page: page, caller)
        let names = pages.names(events.flatMap { [$0.stamp.actor] + [$0.event.account].compactMap(\.self) })
        let shown = HistoryPage(head, events, after: journal.predecessors(of: events), names, reader)
        return pages.response(shown, reader.words["history"], request, context)
    }

    @Sendable private func access(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["before", "account", "entry"])
        let account = try query.value("account") { text throws(ModelError) in
            guard let id = UUID(uuidString: text) else { throw ModelError(.invalid, "must be the id of an account") }
            return id
        }
        let entry = try query.value("entry") { text throws(ModelError) in
            guard let id = UUID(uuidString: text) else { throw ModelError(.invalid, "must be the id of an entry") }
            return id
        }
        let before = try before(query)
        let reader = pages.reader(request, context)
        let (record, caller) = (try context.record(), try context.requireCaller())
        let page = Page.newest(AccessPage.looks + 1, before: before)
        let head = try await pages.frame(record, at: .access, reader, context)
        let events = try await journal.accesses(of: record, by: account, showing: entry, page: page, caller)
        let names = pages.names(events.map(\.stamp.actor) + [account].compactMap(\.self))
        let shown = AccessPage(
            head,
            events,
            of: account.map { (id: $0.text, name: names[$0, reader]) },
            showing: entry,
            names,
            reader
        )
        return pages.response(shown, reader.words["access"], request, context)
    }

    private func before(_ query: Query) throws -> UInt64 {
        try query.integer("before", in: 0...Int.max).map { UInt64($0) } ?? .max
    }
}
