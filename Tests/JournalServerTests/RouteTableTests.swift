import EventLog
import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import Testing

@testable import JournalCore
@testable import JournalServer

@Suite("Every route, requested by every account")
struct RouteTableTests {
    @Test("The table contains exactly the routes of the router")
    func complete() async throws {
        let fixture = try await ServiceFixture()
        let routes = Set(fixture.routes(ofPages: false).map { "\($0.method) \($0.path)" })
        let tabled = Set(TabledRoute.all.map { "\($0.method) \($0.template)" })
        #expect(routes.subtracting(tabled).sorted() == [])
        #expect(tabled.subtracting(routes).sorted() == [])
    }

    @Test(
        "Each route answers exactly the accounts that it should, now and as of any position",
        arguments: TabledRoute.all
    )
    func cells(_ route: TabledRoute) async throws {
        let fixture = try await ServiceFixture()
        let cells = try await fixture.cells(of: route)
        for cell in cells { #expect(cell.got == cell.expected, "\(cell.name)") }
        #expect(cells.count == Asker.allCases.count * (route.takesAsOf ? 3 : 1))
        print("\(route): \(cells.count) cells")
    }
}

struct Cell: Sendable {
    let name: String
    let got: String
    let expected: String
}

extension ServiceFixture {
    fileprivate func cells(of route: TabledRoute) async throws -> [Cell] {
        let askers = try await Asker.allCases.asyncMap { (asker: $0, token: try await self.token(of: $0)) }
        let journal = journal
        let owner = owner
        return try await serve { client in
            var cells: [Cell] = []
            for (asker, token) in askers {
                let somebody = try await account("Somebody beside \(asker)").id
                let fixture = try await RecordFixture(journal, owner, asker: asker, account: token.account, somebody)
                for moment in route.takesAsOf ? fixture.moments : [nil] {
                    let answer = try await client.with(token.secret)
                        .send(
                            route.method,
                            fixture.address(of: route, asOf: moment),
                            fixture.body(of: route),
                            route.mediaType.map { [("Content-Type", $0)] } ?? []
                        )
                    cells.append(
                        Cell(
                            name: "\(route) by \(asker) as of \(moment.map(String.init) ?? "now")",
                            got: "\(answer.status) \(fixture.seen(in: answer))",
                            expected: fixture.expected(of: route, asker, asOf: moment)
                        )
                    )
                }
            }
            return cells
        }
    }

    /// Returns the account and the secret of its token.
    private func token(of asker: Asker) async throws -> (account: UUID, secret: String?) {
        if asker == .nobody { return (UUID(), nil) }
        let account =
            asker.ownsRecord ? owner.account : try await account(asker.rawValue, asker.kind, asker.scope).id
        return (
            account, try await journal.accounts.issueToken(to: account, scope: asker.scope, expires: nil, owner).secret
        )
    }
}

/// A record for one account, with a weight and a doctor, and the grant that the account has or had.
private struct RecordFixture {
    let record: UUID
    let weight: UUID
    let doctor: UUID
    /// A document with a file.
    let document: UUID
    /// A person without access to the record.
    let somebody: UUID
    /// The current state, the position before the grant, and the position after it.
    let moments: [UInt64?]

    init(_ journal: Journal, _ owner: Caller, asker: Asker, account: UUID, _ somebody: UUID) async throws {
        var profile = RecordProfile(subject: .human)
        try profile.set("givenName", text: "Ida Lu")
        try profile.set("employer", text: "Hidden Employer AG")
        record = try #require(try await journal.records.createRecord(profile, owner).record)
        weight = try #require(
            try await journal.entries.addEntry(Self.entry("weight", "value", "72"), to: record, owner).entry
        )
        doctor = try #require(
            try await journal.entries.addEntry(Self.entry("doctor", "name", "Dr. Berg"), to: record, owner).entry
        )
        document = try #require(
            try await journal.entries
                .attachDocument(
                    Array("Seen in the letter".utf8),
                    Self.entry("document", "name", "letter"),
                    to: record,
                    owner
                )
                .entry
        )
        self.somebody = somebody
        let before = try journal.log.head()
        if let terms = asker.terms(journal.today) {
            _ = try await journal.sharing.grant(terms, to: account, on: record, owner)
        }
        if asker == .inEmergency {
            let caller = try journal.accounts.caller(account.text, source: .http, reason: "found unconscious")
            _ = try await journal.sharing.openEmergency(record, caller)
        }
        let after = try journal.log.head()
        if asker == .revoked { _ = try await journal.sharing.revoke(account, on: record, owner) }
        moments = [nil, before, after]
    }

    private static func entry(_ kind: String, _ field: String, _ value: String) throws -> EntryContent {
        var content = EntryContent(kind: try #require(Kind.named(kind)))
        try content.set(field, text: value)
        return content
    }

    func address(of route: TabledRoute, asOf moment: UInt64?) -> String {
        let address = route.template
            .replacing("{record}", with: record.text)
            .replacing("{kind}", with: route.kind)
            .replacing("{type}", with: "org.healthjournal.weight.logged")
            .replacing("{entry}", with: (["doctor": doctor, "document": document][route.kind] ?? weight).text)
            // The whole id is used, because ids created at the same moment have the same start.
            .replacing("{start}", with: weight.text)
            .replacing("{account}", with: somebody.text)
            // No such token, identity, invitation or notice exists.
            .replacing("{token}", with: somebody.text)
            .replacing("{identity}", with: somebody.text)
            .replacing("{invitation}", with: somebody.text)
            .replacing("{calendar}", with: somebody.text)
            .replacing("{channel}", with: somebody.text)
            .replacing("{feed}", with: "hjf_unknown.ics")
            .replacing("{position}", with: "1")
            .replacing("{device}", with: somebody.text)
            .replacing(/\{(?:practice|service|room|specialist|absence|block|appointment)\}/, with: somebody.text)
            .replacing(/\{(?:triage|client|wait|recall)\}/, with: somebody.text)
            .replacing("{divergence}", with: "1")
        guard let moment else { return address + route.query }
        return address + (route.query.isEmpty ? "?" : route.query + "&") + "asOf=\(moment)"
    }

    func body(of route: TabledRoute) -> String? {
        route.body?.replacing("{account}", with: somebody.text).replacing("{record}", with: record.text)
    }

    /// Returns the parts of the record that an answer contains.
    func seen(in answer: Answer) -> [String] {
        // The words are too long to occur by chance in a base64 proof.
        let words = [
            "Ida Lu": "name", "Hidden Employer AG": "profile", "72": "weight", "Dr. Berg": "doctor",
            "Seen in the letter": "file",
        ]
        return words.filter { answer.text.contains($0.key == "72" ? #""72""# : $0.key) }.map(\.value).sorted()
    }

    /// Returns the exact expected status and contents.
    func expected(of route: TabledRoute, _ asker: Asker, asOf moment: UInt64?) -> String {
        guard route.allowed.contains(asker) else { return "\(asker == .nobody ? 401 : route.refusal) []" }
        if let status = route.exceptions[asker] { return "\(status) []" }
        // The emergency view shows only the present: a record's past is refused, and missing in lists.
        if asker == .inEmergency, moment != nil {
            return route.template.contains("{record}") ? "\(route.refusal) []" : "\(route.status) []"
        }
        return "\(route.status) \(shown(by: route, to: asker).sorted())"
    }

    private func shown(by route: TabledRoute, to asker: Asker) -> [String] {
        if route.template.hasSuffix("/corrections") { return ["weight"] }
        guard route.method == .get, route.status == 200 else { return [] }
        if route.template == "/v1/events" { return shownAsEvents(by: route, to: asker) }
        if route.template == "/v1/sync" { return asker.synced }
        guard ["/v1/records", "/v1/entries"].contains(where: route.template.hasPrefix) else { return [] }
        let isNarrow = asker == .inEmergency
        let (health, doctors) = (asker != .readsDoctors && !isNarrow, asker != .contributesHealth && !isNarrow)
        let all = ["name"] + (health ? ["profile", "weight"] : []) + (doctors ? ["doctor"] : [])
        switch route.template.split(separator: "/").last {
        case "records": return asker.seesRecord ? ["name"] : []
        case "{record}", "export": return all
        case "{kind}", "{entry}", "{start}": return [route.kind]
        case "content": return ["file"]
        case "history" where route.template.contains("{entry}"): return [route.kind]
        // Only the owner and auditors see the changes of the record itself.
        case "history":
            return asker.ownsRecord || asker == .auditor ? all : all.filter { $0 != "name" && $0 != "profile" }
        default: return []
        }
    }
}

extension RecordFixture {
    fileprivate func shownAsEvents(by route: TabledRoute, to asker: Asker) -> [String] {
        let isOfEntries = route.query.contains("entry")
        switch asker {
        // Only the owner and auditors see the changes of the record itself.
        case .owner, .ownerReading, .ownerAuditing, .auditor:
            return isOfEntries ? ["weight", "doctor"] : ["name", "profile"]
        case .readsAll, .lastDay: return isOfEntries ? ["weight", "doctor"] : []
        case .readsDoctors: return isOfEntries ? ["doctor"] : []
        case .contributesHealth: return isOfEntries ? ["weight"] : []
        default: return []
        }
    }
}

extension Asker {
    /// What a device of the account gets: the profile belongs to the health section.
    fileprivate var synced: [String] {
        switch self {
        case .owner, .readsAll, .lastDay: ["name", "profile", "weight", "doctor"]
        case .readsDoctors: ["name", "doctor"]
        case .contributesHealth: ["name", "profile", "weight"]
        default: []
        }
    }

    fileprivate var seesRecord: Bool {
        switch self {
        case .owner, .ownerReading, .readsAll, .readsDoctors, .contributesHealth, .lastDay, .inEmergency: true
        default: false
        }
    }
}

extension Sequence {
    func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
