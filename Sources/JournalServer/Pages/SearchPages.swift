import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// The page that searches the records of the reader.
///
/// The words are sent with a form. The browser is then redirected to an address that contains them sealed for its session,
/// so that the page can be reloaded, and reached again from a page that it leads to, while no address reveals the
/// searched words.
struct SearchPages: PageGroup {
    let pages: Pages

    func add(to routes: PageRoutes) {
        routes.get("search", query: ["q"], show)
        routes.post("search", search)
    }

    @Sendable private func search(_ visit: PageVisit) async throws -> Response {
        let form = try await visit.form()
        var typed = SearchPage.Typed()
        (typed.words, typed.kind) = (form["words"].trimming(\.isWhitespace), form["kind"])
        (typed.from, typed.until) = (form["from"].trimming(\.isWhitespace), form["until"].trimming(\.isWhitespace))
        do {
            _ = try SearchRequest(typed)
        } catch {
            return refused(typed, error, visit)
        }
        return Pages.redirect(to: try address(of: typed, visit))
    }

    @Sendable private func show(_ visit: PageVisit) async throws -> Response {
        let caller = try visit.caller
        let reader = visit.reader
        let title = reader.words["search"]
        guard let sealed = visit.query["q"] else {
            return visit.response(SearchPage(SearchPage.Typed(), reader), title)
        }
        guard let bytes = visit.request.unsealed(sealed),
            let typed = try? JSONDecoder().decode(SearchPage.Typed.self, from: bytes)
        else {
            let page = SearchPage(SearchPage.Typed(), problem: reader.words["searchIsOld"], reader)
            return visit.response(page, title, status: .badRequest)
        }
        var asked: SearchRequest
        do {
            asked = try SearchRequest(typed)
            let words = reader.words
            asked.kindNames = Dictionary(uniqueKeysWithValues: Kind.all.map { ($0, words.label($0.plural)) })
        } catch {
            return refused(typed, error, visit)
        }
        let answer = try await pages.long.run(pages.long.searches, visit.context) { [journal, asked] in
            try await journal.records.search(asked, caller)
        }
        let names = pages.names(in: answer.entries)
        let records = Dictionary(
            answer.records.map { ($0.id, reader.name($0.name)) },
            uniquingKeysWith: { first, _ in first }
        )
        var more: String?
        if answer.count > answer.entries.count, typed.limit < SearchRequest.maximumLimit {
            var wider = typed
            wider.limit = min(typed.limit * 4, SearchRequest.maximumLimit)
            more = try address(of: wider, visit)
        }
        let found = SearchPage.Found(
            records: answer.records.filter(\.matches)
                .map { .init(address: "/records/\($0.id.text)", name: reader.name($0.name)) },
            entries: answer.entries.map { entry in
                var line = EntryLine(entry, reader, names)
                line.place = [records[entry.record], reader.words.label(entry.kind.label)].compactMap(\.self)
                    .joined(separator: " · ")
                return line
            },
            count: answer.count,
            isNear: answer.isNear,
            searched: answer.searched,
            moreAddress: more
        )
        return visit.response(SearchPage(typed, found: found, reader), title)
    }

    private func refused(
        _ typed: SearchPage.Typed,
        _ error: ModelError,
        _ visit: PageVisit
    ) -> Response {
        let reader = visit.reader
        let field = error.field == "text" ? "words" : error.field ?? "words"
        let page = SearchPage(typed, problems: [field: reader.words.sentence(error.text)], reader)
        return visit.response(page, reader.words["search"], status: .badRequest)
    }

    private func address(of typed: SearchPage.Typed, _ visit: PageVisit) throws -> String {
        "/search?q=\(try visit.request.sealed(Array(JSONEncoder().encode(typed))))"
    }
}

extension SearchRequest {
    /// Reads the values typed into the form.
    fileprivate init(_ typed: SearchPage.Typed) throws(ModelError) {
        func date(_ text: String, _ field: String) throws(ModelError) -> PartialDate? {
            if text.isEmpty { return nil }
            do {
                return try PartialDate(parsing: text)
            } catch {
                throw ModelError(.invalid, field: field, error.text)
            }
        }
        let query = try SearchQuery(typed.words)
        let period = Period(from: try date(typed.from, "from"), until: try date(typed.until, "until"))
        try period.check(field: "until")
        var options = ReadOptions(happenedFrom: period.first, happenedBy: period.last)
        if !typed.kind.isEmpty {
            guard let kind = Kind.named(typed.kind) else {
                throw ModelError(.invalid, field: "kind", "there is no such kind of entry")
            }
            options.kinds = [kind]
        }
        options.page.limit = typed.limit
        self.init(query, options)
    }
}
