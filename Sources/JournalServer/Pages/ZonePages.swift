import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// The form that records in which time zone a person is.
struct ZonePages {
    let pages: Pages
    private var journal: Journal { pages.journal }

    init(_ pages: Pages) {
        self.pages = pages
    }

    func add(to group: RouterGroup<ServerContext>) {
        group.get("records/:record/today/zone", use: ask)
        group.post("records/:record/today/zone", use: record)
    }

    @Sendable private func ask(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["zone"])
        let reader = pages.reader(request, context)
        let form = try await form(["zone": query["zone"] ?? ""], [:], reader, context)
        return pages.response(form, form.heading, request, context)
    }

    @Sendable private func record(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let typed = try await request.pageForm()
        let reader = pages.reader(request, context)
        var content = EntryContent(kind: Zone.kind)
        content.body[Zone.zone] = .text(typed["zone"])
        var problems: [String: String] = [:]
        if typed["from"].isEmpty {
            content.date = .instant(journal.now)
        } else if let from = (try? WallMoment(parsing: typed["from"])).flatMap({ $0.instant(in: reader.zone) }) {
            content.date = .instant(from)
        } else {
            problems["from"] = reader.words["startNeeded"]
        }
        var message: String?
        if problems.isEmpty {
            do {
                let record = try context.record()
                _ = try await journal.addEntry(content, to: record, context.writer(typed, request))
                return Pages.redirect(to: "/records/\(record.text)/today?done=changed")
            } catch {
                let error = JournalError(error)
                guard error.isOfTheForm else { throw error }
                message = reader.message(for: error, &problems)
            }
        }
        var form = try await form(typed.values, problems, reader, context, typed)
        form.problem = message ?? reader.summary(problems)
        return pages.response(form, form.heading, request, context, status: .badRequest)
    }

    private func form(
        _ values: [String: String],
        _ problems: [String: String],
        _ reader: Reader,
        _ context: ServerContext,
        _ typed: PageForm? = nil
    ) async throws -> FormPage {
        let words = reader.words
        let head = try await pages.frame(context.record(), at: .today, kinds: [Zone.kind], reader, context)
        var zone = FormField("zone", words["zone"], .choice, problem: problems["zone"])
        zone.isRequired = true
        zone.options = (["GMT"] + TimeZone.knownTimeZoneIdentifiers.filter { $0 != "GMT" }.sorted())
            .map { FormOption($0, $0.replacing("_", with: " "), isChosen: $0 == values["zone"]) }
        var from = FormField(
            "from",
            words["zoneSince"],
            .moment,
            value: values["from"] ?? "",
            problem: problems["from"]
        )
        from.hint = words["hint.time", reader.zone.label]
        return FormPage(
            head,
            heading: words["zoneHeading"],
            lead: words["zoneLead"],
            action: "\(head.address)/today/zone",
            cancel: "\(head.address)/today",
            submit: words["save"],
            fields: [zone, from],
            key: pages.key(typed)
        )
    }
}
