import Crypto
import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import JournalPages

/// The form that adds several laboratory results at once.
struct ResultPages: PageGroup {
    let pages: Pages

    /// The maximum number of doubts that are told.
    private static let doubts = 5

    func add(to routes: PageRoutes) {
        routes.get("records/:record/results/new", new)
        routes.post("records/:record/results/new", add)
    }

    @Sendable private func new(_ visit: PageVisit) async throws -> Response {
        let (record, caller) = (try visit.record(), try visit.caller)
        let reader = visit.reader
        guard try await journal.access.contributions(to: record, caller).contains(Blood.kind) else {
            throw JournalError(.refused, "nothing may be added to the record")
        }
        let seen = try await journal.records.read(record, ReadOptions(page: .newest(0)), as: .list, caller)
        var former: [EntryState] = []
        if seen.kinds.contains(Blood.kind) {
            let options = ReadOptions(kinds: [Blood.kind], page: .newest(ValuesPage.entries))
            former = try await journal.records.read(record, options, caller).state.entries
        }
        let form = PanelForm(reader)
        let today = Day(of: journal.now, in: reader.zone)
        let page = page(
            pages.head(seen, at: .values, reader),
            form.fields(form.begun(after: former, on: today)),
            reader
        )
        return visit.response(page, page.heading)
    }

    @Sendable private func add(_ visit: PageVisit) async throws -> Response {
        let record = try visit.record()
        let typed = try await visit.form()
        let reader = visit.reader
        let form = PanelForm(reader)
        if form.addsLine(typed.values) {
            let page = try await page(visit, form.fields(form.addingLine(to: typed.values)), nil, typed)
            return visit.response(page, page.heading)
        }
        var (contents, problems) = form.results(typed.values)
        var message: String?
        var sure = ""
        if contents.isEmpty {
            message = reader.words["noResults"]
        } else if problems.isEmpty {
            do {
                let caller = try visit.writer(typed)
                var doubts: [EntryDoubt] = []
                let mark = mark(of: contents)
                if typed["sure"] != mark, try await !journal.isRepeated(caller) {
                    doubts = try await journal.entries.doubts(about: contents, of: Blood.kind, in: record, visit.caller)
                }
                if doubts.isEmpty {
                    _ = try await journal.entries.addEntries(contents, of: Blood.kind, to: record, caller)
                    return Pages.redirect(to: "/records/\(record.text)/values?done=resultsAdded")
                }
                let listed = doubts.prefix(ResultPages.doubts).map(reader.doubt)
                let rest = doubts.count > listed.count ? ["…"] : []
                message = (listed + rest + [reader.words["doubtAsk"]]).joined(separator: " ")
                sure = mark
            } catch {
                let error = JournalError(error)
                guard error.isOfTheForm else { throw error }
                message = reader.message(for: error, &problems)
            }
        }
        var page = try await page(
            visit,
            form.fields(typed.values, problems: problems),
            message ?? reader.summary(problems),
            typed
        )
        if !sure.isEmpty {
            page.hidden.append(.init("sure", sure))
            page.submit = reader.words["saveAnyway"]
        }
        return visit.response(page, page.heading, status: .badRequest)
    }

    /// Identifies what the person was asked about, so that a value that is edited afterwards is doubted again.
    private func mark(of contents: [EntryContent]) -> String {
        let bytes = contents.flatMap { JSONWriter.bytes(NativeDocument.write($0)) }
        return SHA256.hash(data: bytes).prefix(8).map { String($0, radix: 36) }.joined(separator: ".")
    }

    private func page(
        _ visit: PageVisit,
        _ fields: [FormField],
        _ problem: String?,
        _ typed: PageForm
    ) async throws -> FormPage {
        let head = try await visit.frame(visit.record(), at: .values, kinds: [Blood.kind])
        return page(head, fields, visit.reader, problem, typed)
    }

    private func page(
        _ head: RecordHead,
        _ fields: [FormField],
        _ reader: Reader,
        _ problem: String? = nil,
        _ typed: PageForm? = nil
    ) -> FormPage {
        FormPage(
            head,
            heading: reader.words["resultsHeading"],
            lead: reader.words["resultsLead"],
            problem: problem,
            action: "\(head.address)/results/new",
            cancel: "\(head.address)/values",
            submit: reader.words["save"],
            fields: fields,
            key: pages.key(typed)
        )
    }
}
