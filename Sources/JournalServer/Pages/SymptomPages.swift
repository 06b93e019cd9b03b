import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// The page on which a symptom is logged with one button.
struct SymptomPages: PageGroup {
    let pages: Pages

    func add(to routes: PageRoutes) {
        routes.get("records/:record/symptoms", show)
        routes.post("records/:record/symptoms", log)
    }

    @Sendable private func show(_ visit: PageVisit) async throws -> Response {
        let (record, caller) = (try visit.record(), try visit.caller)
        guard try await journal.access.contributions(to: record, caller).contains(Symptom.kind) else {
            throw JournalError(.refused, "nothing may be added to the record")
        }
        let seen = try await journal.records.read(record, ReadOptions(page: .newest(0)), as: .list, caller)
        var former: [EntryState] = []
        if seen.kinds.contains(Symptom.kind) {
            let options = ReadOptions(kinds: [Symptom.kind], page: .newest(SymptomPage.entries))
            former = try await journal.records.read(record, options, caller).state.entries
        }
        let page = SymptomPage(pages.head(seen, at: .values, visit.reader), former, key: pages.key(), visit.reader)
        return visit.response(page, visit.words["symptomHeading"])
    }

    @Sendable private func log(_ visit: PageVisit) async throws -> Response {
        let record = try visit.record()
        let typed = try await visit.form()
        var content = EntryContent(kind: Symptom.kind)
        do {
            for field in [Symptom.name, Symptom.severity] { try content.set(field.name, text: typed[field.name]) }
        } catch {
            throw JournalError(error)
        }
        content.date = .instant(journal.now)
        let result = try await journal.entries.addEntry(content, to: record, visit.writer(typed))
        return Pages.redirect(
            to: "/records/\(record.text)/entries/\(Symptom.kind.name)/\(result.entry?.text ?? "")?done=added"
        )
    }
}
