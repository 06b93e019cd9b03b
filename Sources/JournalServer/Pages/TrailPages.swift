import EventLog
import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import JournalPages

/// The audit trail: search, follow and verify the log, as far as the caller may see it.
struct TrailPages: PageGroup {
    let pages: Pages
    private let verifications = ConcurrencyLimiter("verifications", total: 1, perAccount: 1)

    func add(to routes: PageRoutes) {
        routes.get("trail", query: ["since", "after", "type", "stream"], trail)
        routes.post("trail/verify", verify)
    }

    /// The filters of the page by name, with the event categories that each selects.
    private static let types: [(name: String, categories: Set<EventCategory>)] = [
        ("entries", [.entry, .care]), ("records", [.record]), ("caregivers", [.grant]), ("looks", [.access]),
        ("accounts", [.account]), ("journal", [.journal]), ("others", [.external]),
    ]

    @Sendable private func trail(_ visit: PageVisit) async throws -> Response {
        let caller = try visit.caller
        let reader = visit.reader
        let asked = FeedQuery(
            stream: visit.query["stream"].flatMap { $0.isEmpty ? nil : $0 },
            types: try types(visit.query["type"] ?? ""),
            limit: TrailPage.events
        )
        let found = try await journal.feeds.feed(after: start(visit.query), asked, caller)
        let names = pages.names(found.events.map(\.actor) + found.events.compactMap(\.subject))
        let kept = try journal.checkpoint()
        let page = TrailPage(
            found.events.map { event in
                TrailPage.Event(
                    position: event.position,
                    type: event.type,
                    recordedAt: event.recordedAt,
                    who: names[event.actor, reader],
                    about: about(event, reader),
                    record: event.entry?.text ?? event.subject?.text,
                    reason: event.reason,
                    data: event.data.map { JSONWriter.text($0, .pretty) },
                    reader
                )
            },
            fields: fields(visit.query, reader),
            followAddress: follow(asked, found.through),
            laterAddress: found.hasMore ? later(visit.query, found.through) : nil,
            mayVerify: try journal.access.may(.oversee, caller),
            TrailPage.Checkpoint(size: kept.checkpoint.size, root: kept.checkpoint.root.hexadecimal, reader)
        )
        return visit.response(page, reader.words["trail"])
    }

    /// The event types that a filter selects; nil, for all types but reads of records, without a filter.
    private func types(_ name: String) throws -> Set<EventType>? {
        if name.isEmpty { return nil }
        guard let wanted = TrailPages.types.first(where: { $0.name == name }) else {
            let names = TrailPages.types.map(\.name).joined(separator: ", ")
            throw JournalError(.invalid, field: "type", "must be one of \(names)")
        }
        return Set(EventType.allCases.filter { wanted.categories.contains($0.category) })
    }

    private func start(_ query: Query) throws -> UInt64 {
        if let after = try query.integer("after", in: 0...Int.max) { return UInt64(after) }
        let since =
            try query.value("since") { text throws(ModelError) in text.isEmpty ? nil : try AsOf(parsing: text) } ?? nil
        if let since { return try journal.trail.position(before: since) }
        // A filtered search starts at the beginning of the log; an unfiltered one starts today.
        let isNarrow = ["since", "type", "stream"].contains { query[$0] != nil }
        return isNarrow ? 0 : try journal.trail.position(before: .day(journal.today))
    }

    /// The subject of an event as the end of its id: the page shows auditors no names that the event does not contain.
    private func about(_ event: FeedEvent, _ reader: Reader) -> String? {
        (event.entry ?? event.subject)
            .map { id in
                "\(event.kind.map { reader.words.label($0.label) + " " } ?? "")\(id.text.suffix(8))"
            }
    }

    private func follow(_ asked: FeedQuery, _ through: UInt64) -> String {
        var parts = ["after=\(through)"]
        if let types = asked.types { parts.append("type=\(types.map(\.name).sorted().joined(separator: ","))") }
        if let stream = asked.stream { parts.append("stream=\(stream.percentEncoded)") }
        return "/v1/events?" + parts.joined(separator: "&")
    }

    private func later(_ query: Query, _ through: UInt64) -> String {
        var parts = ["after=\(through)"]
        for name in ["type", "stream"] {
            if let value = query[name], !value.isEmpty { parts.append("\(name)=\(value.percentEncoded)") }
        }
        return "/trail?" + parts.joined(separator: "&")
    }

    private func fields(_ query: Query, _ reader: Reader) -> [FormField] {
        let words = reader.words
        var since = FormField(
            "since",
            words["since"],
            .line,
            value: query["since"] ?? (query["stream"] == nil ? journal.today.description : "")
        )
        since.hint = words["hint.since"]
        var type = FormField("type", words["type"], .choice)
        type.options =
            [FormOption("", words["allTypes"], isChosen: (query["type"] ?? "").isEmpty)]
            + TrailPages.types.map { FormOption($0.name, words["type.\($0.name)"], isChosen: $0.name == query["type"]) }
        return [since, type, FormField("stream", words["stream"], .line, value: query["stream"] ?? "")]
    }

    @Sendable private func verify(_ visit: PageVisit) async throws -> Response {
        _ = try await visit.form()
        let caller = try visit.caller
        let slot = try verifications.acquire(for: caller.account)
        defer { withExtendedLifetime(slot) {} }
        let reader = visit.reader
        var found = Verification()
        let time = try await ContinuousClock().measure { found = try await journal.verifyLog(caller) }
        let milliseconds = time.components.seconds * 1_000 + time.components.attoseconds / 1_000_000_000_000_000
        let page = VerificationPage(
            isSound: found.isSound,
            events: found.head,
            root: found.root.hexadecimal,
            seals: found.sealsOpened,
            erased: found.sealsErased,
            checkpoint: found.checkpoint?.size,
            faults: found.faults.map { VerificationPage.Fault(position: $0.position, what: $0.what) },
            seconds: "\(reader.number(milliseconds)) ms",
            reader
        )
        return visit.response(page, page.heading)
    }
}
