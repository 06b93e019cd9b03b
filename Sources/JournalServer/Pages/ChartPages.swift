import CostSummary
import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// Pages that show a record's weights, blood values and measurements over time, and its costs by year.
struct ChartPages: PageGroup {
    let pages: Pages

    func add(to routes: PageRoutes) {
        routes.get("records/:record/weight", query: MomentQuery.names + PeriodQuery.names + ["unit"], weight)
        routes.get("records/:record/entries/:kind/chart", query: MomentQuery.names + PeriodQuery.names + ["of"], values)
        routes.get("records/:record/costs", query: MomentQuery.names, costs)
    }

    @Sendable private func weight(_ visit: PageVisit) async throws -> Response {
        let moment = try MomentQuery(visit.query)
        let days = try PeriodQuery(visit.query)
        let caller = try visit.caller
        let reader = visit.reader
        let answer = try await journal.records.read(
            visit.record(),
            days.options(moment, kinds: [Weight.kind], page: .newest(ChartPage.entries + 1)),
            caller
        )
        let page = ChartPage.weights(
            pages.head(answer, at: .weight, reader, moment),
            answer.state.entries,
            before: try await earlier(answer.state.entries, of: Weight.kind, atMost: ChartPage.corrections, visit),
            unit: ["kg", "g", "lb"].first { $0 == visit.query["unit"] },
            period: days.typed,
            today: journal.today,
            mayAdd: try await journal.access.contributions(to: answer.state.id, caller).contains(Weight.kind),
            reader
        )
        return visit.response(page, reader.words["tab.weight"])
    }

    @Sendable private func values(_ visit: PageVisit) async throws -> Response {
        let kind = try visit.kind()
        guard ChartPage.kindsOfValues.contains(kind) else { throw JournalError(.notFound, "there is no such page") }
        let moment = try MomentQuery(visit.query)
        let days = try PeriodQuery(visit.query)
        let caller = try visit.caller
        let reader = visit.reader
        let answer = try await journal.records.read(
            visit.record(),
            days.options(moment, kinds: [kind], page: .newest(ChartPage.entries + 1)),
            caller
        )
        let entries = answer.state.entries
        let asked: EntryState? =
            if let id = visit.query["of"].flatMap(UUID.init(uuidString:)) {
                // In another period, the name that was asked for is that of an entry which is not shown.
                if let shown = entries.first(where: { $0.id == id }) {
                    shown
                } else {
                    try await journal.entries.entry(id, of: kind, in: visit.record(), asOf: moment.asOf, caller)
                }
            } else {
                nil
            }
        let page = ChartPage.values(
            kind,
            pages.head(answer, at: .of(kind), reader, moment),
            entries,
            before: try await earlier(entries, of: kind, atMost: ChartPage.corrections, visit),
            of: asked,
            period: days.typed,
            today: journal.today,
            mayAdd: try await journal.access.contributions(to: answer.state.id, caller).contains(kind),
            reader
        )
        return visit.response(page, page.heading)
    }

    /// Returns the earlier contents of the corrected entries, by entry id.
    private func earlier(
        _ entries: [EntryState],
        of kind: Kind,
        atMost maximum: Int,
        _ visit: PageVisit
    ) async throws -> [UUID: [EntryContent]] {
        let corrected = entries.filter { $0.corrected != nil }.prefix(maximum)
        guard let record = corrected.first?.record else { return [:] }
        let histories = try await journal.trail.histories(
            ofEntries: corrected.map(\.id),
            of: kind,
            in: record,
            visit.caller
        )
        return Dictionary(
            uniqueKeysWithValues: corrected.map { entry in
                let latest = entry.corrected?.position ?? 0
                let before = (histories[entry.id] ?? []).filter { $0.stamp.position < latest }
                return (entry.id, before.compactMap(\.event.content))
            }
        )
    }

    @Sendable private func costs(_ visit: PageVisit) async throws -> Response {
        let moment = try MomentQuery(visit.query)
        let caller = try visit.caller
        let reader = visit.reader
        let record = try visit.record()
        let found = try await journal.records.costs(of: record, asOf: moment.asOf, caller)
        let options = ReadOptions(asOf: moment.asOf, kinds: [Cost.kind], page: .newest(0))
        let answer = try await journal.records.read(record, options, as: .list, caller)
        let sheet = CostSheet(found.flatMap(\.totals))
        let page = ChartPage.costs(
            pages.head(answer, at: .costs, reader, MomentQuery(asOf: moment.asOf, happenedBy: nil)),
            sheet.lines.map { line in
                ChartPage.CostLine(
                    year: line.year,
                    currency: line.currency,
                    basis: line.basis,
                    category: line.category,
                    isSum: line.isSum,
                    amount: line.sum.description,
                    count: line.count
                )
            },
            mayAdd: try await journal.access.contributions(to: record, caller).contains(Cost.kind),
            reader
        )
        return visit.response(page, reader.words["tab.costs"])
    }
}
