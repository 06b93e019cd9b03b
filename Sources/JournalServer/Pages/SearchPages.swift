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
struct SearchPages {
    let pages: Pages
    private var journal: Journal { pages.journal }

    init(_ pages: Pages) {
        self.pages = pages
    }

    func add(to group: RouterGroup<ServerContext>) {
        group.get("search", use: show)
        group.post("search", use: search)
    }

    @Sendable private func search(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let form = try await request.pageForm()
        var typed = SearchPage.Typed()
        (typed.words, typed.kind) = (form["words"].trimming(\.isWhitespace), form["kind"])
        (typed.from, typed.until) = (form["from"].trimming(\.isWhitespace), form["until"].trimming(\.isWhitespace))
        do {
            _ = try SearchRequest(typed)
        } catch {
            return refused(typed, error, request, context)
        }
        return Pages.redirect(to: try address(of: typed, request))
    }

    @Sendable private func show(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["q"])
        let caller = try context.requireCaller()
        let reader = pages.reader(request, context)
        let title = reader.words["search"]
        guard let sealed = query["q"] else {
            return pages.response(SearchPage(SearchPage.Typed(), reader), title, request, context)
        }
        guard let bytes = request.unsealed(sealed),
            let typed = try? JSONDecoder().decode(SearchPage.Typed.self, from: bytes)
        else {
            let page = SearchPage(SearchPage.Typed(), problem: reader.words["searchIsOld"], reader)
            return pages.response(page, title, request, context, status: .badRequest)
        }
        var asked: SearchRequest
        do {
            asked = try SearchRequest(typed)
            let words = reader.words
            asked.kindNames = Dictionary(uniqueKeysWithValues: Kind.all.map { ($0, words.label($0.plural)) })
        } catch {
            return refused(typed, error, request, context)
        }
        let answer = try await pages.long.run(pages.long.searches, context) { [journal, asked] in
            try await journal.search(asked, caller)
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
            more = try address(of: wider, request)
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
        return pages.response(SearchPage(typed, found: found, reader), title, request, context)
    }

    private func refused(
        _ typed: SearchPage.Typed,
        _ error: ModelError,
        _ request: Request,
        _ context: ServerContext
    ) -> Response {
        let reader = pages.reader(request, context)
        let field = error.field == "text" ? "words" : error.field ?? "words"
        let page = SearchPage(typed, problems: [field: reader.words.sentence(error.text)], reader)
        return pages.response(page, reader.words["search"], request, context, status: .badRequest)
    }

    private func address(of typed: SearchPage.Typed, _ request: Request) throws -> String {
        "/search?q=\(try request.sealed(Array(JSONEncoder().encode(typed))))"
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
