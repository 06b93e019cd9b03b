import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// The form that records in which time zone a person is.
struct ZonePages: PageGroup {
    let pages: Pages

    func add(to routes: PageRoutes) {
        routes.get("records/:record/today/zone", query: ["zone"], ask)
        routes.post("records/:record/today/zone", record)
    }

    @Sendable private func ask(_ visit: PageVisit) async throws -> Response {
        let form = try await form(["zone": visit.query["zone"] ?? ""], [:], visit)
        return visit.response(form, form.heading)
    }

    @Sendable private func record(_ visit: PageVisit) async throws -> Response {
        let typed = try await visit.form()
        let reader = visit.reader
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
                let record = try visit.record()
                _ = try await journal.entries.addEntry(content, to: record, visit.writer(typed))
                return Pages.redirect(to: "/records/\(record.text)/today?done=changed")
            } catch {
                let error = JournalError(error)
                guard error.isOfTheForm else { throw error }
                message = reader.message(for: error, &problems)
            }
        }
        var form = try await form(typed.values, problems, visit, typed)
        form.problem = message ?? reader.summary(problems)
        return visit.response(form, form.heading, status: .badRequest)
    }

    private func form(
        _ values: [String: String],
        _ problems: [String: String],
        _ visit: PageVisit,
        _ typed: PageForm? = nil
    ) async throws -> FormPage {
        let reader = visit.reader
        let words = reader.words
        let head = try await visit.frame(visit.record(), at: .today, kinds: [Zone.kind])
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
