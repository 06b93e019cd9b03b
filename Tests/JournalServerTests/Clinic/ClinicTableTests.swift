import EventLog
import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Interchange
import Testing

@testable import JournalCore
@testable import JournalServer

/// The accounts that read what a practice has.
private enum ClinicReader: String, CaseIterable, Sendable {
    case veterinarian, nurse, receptionist, manager
    /// The owner of the patient.
    case client
    case formerClient, formerMember
    /// Has every role in another practice, at which the patient is not registered.
    case foreignVeterinarian
    case stranger, auditor, administrator, scale

    var kind: AccountKind {
        switch self {
        case .auditor: .auditor
        case .administrator: .administrator
        case .scale: .tool
        default: .person
        }
    }

    var scope: TokenScope {
        switch self {
        case .auditor: .audit
        case .scale: .append
        default: .full
        }
    }

    /// The parts of the practice's data that the reader may see, at any door and as of any moment.
    var sees: Set<String> {
        let calendar: Set = ["name", "reason", "instructions"]
        let desk = calendar.union(["client", "alerts"])
        switch self {
        case .veterinarian: return desk.union(["notes", "complaint", "assessment", "entry"])
        case .nurse: return desk.union(["notes", "complaint", "assessment", "entry"])
        case .receptionist: return desk.union(["complaint"])
        case .manager: return desk
        case .client: return ["name", "entry", "reason", "instructions", "complaint"]
        // As of every record of the journal.
        case .auditor: return calendar.union(["entry"])
        case .formerClient, .formerMember, .foreignVeterinarian, .stranger, .administrator, .scale: return []
        }
    }
}

@Suite("Every read of what a practice has, by every role")
struct ClinicTableTests {
    /// What is looked for in the answers, by the names of the parts.
    private static let marks = [
        "name": "Markluna", "client": "Markkeller", "alerts": "markalert", "reason": "markreason",
        "notes": "marknotes", "instructions": "markinstructions", "complaint": "markcomplaint",
        "assessment": "markassessment", "entry": "markentry",
    ]

    /// The patient of another owner, and everything that the practice keeps about it.
    private struct Case {
        var ids: [String: String] = [:]
        var moments: [UInt64?] = []
        var tokens: [ClinicReader: String] = [:]
        var cookies: [ClinicReader: String] = [:]
        var feed = ""

        init(_ fixture: ServiceFixture, _ client: ServiceClient) async throws {
            let journal = fixture.journal
            let maker = try await fixture.account("Maker")
            let clinic = try await ServiceClinic(client.with(maker.token), member: maker.id)
            let other = try await client.with(maker.token)
                .post("/v1/practices", #"{"name": "Elsewhere", "zone": "Europe/Zurich"}"#)
            let elsewhere = try #require(other.text("id"))
            for reader in ClinicReader.allCases {
                let account = try await fixture.account(reader.rawValue, reader.kind, reader.scope)
                tokens[reader] = account.token
                if reader.kind == .person { cookies[reader] = try await fixture.session(of: account.id) }
                ids[reader.rawValue] = account.id.text
            }
            func sent(_ client: ServiceClient, _ method: HTTPRequest.Method, _ path: String, _ body: String)
                async throws -> Answer
            {
                let answer = try await client.send(method, path, body)
                try #require(answer.status < 300, "\(method) \(path): \(answer.text)")
                return answer
            }
            let staff = client.with(maker.token)
            func member(_ reader: ClinicReader, _ roles: String, of practice: String) async throws {
                let path = "/v1/practices/\(practice)/members/\(ids[reader.rawValue] ?? "")"
                _ = try await sent(staff, .put, path, #"{"roles": [\#(roles)]}"#)
            }
            for role in [ClinicReader.veterinarian, .nurse, .receptionist, .manager] {
                try await member(role, #""\#(role.rawValue)""#, of: clinic.practice)
            }
            let all = #""veterinarian", "nurse", "receptionist", "manager""#
            try await member(.formerMember, all, of: clinic.practice)
            try await member(.foreignVeterinarian, all, of: elsewhere)

            // The former client owned the animal, registered it, and gave it away.
            let former = client.with(tokens[.formerClient])
            let made = try await sent(
                former,
                .post,
                "/v1/records",
                #"{"subject": "animal", "profile": {"name": "Markluna", "species": "dog"}}"#
            )
            let dog = try #require(made.text("record"))
            _ = try await sent(former, .put, "\(clinic.address)/patients/\(dog)", "{}")
            let weight = #"{"value": "12", "unit": "kg", "comment": "markentry"}"#
            let entry = try await sent(former, .post, "/v1/records/\(dog)/entries/weight", weight)
            let before = try journal.log.head()
            let record = try #require(UUID(uuidString: dog))
            let caller = try journal.accounts.caller(ids["formerClient"] ?? "", source: .http)
            let heir = try #require(UUID(uuidString: ids["client"] ?? ""))
            _ = try await journal.sharing.transfer(record, to: heir, caller)
            let owner = try journal.accounts.caller(heir.text, source: .http)
            let practice = try #require(UUID(uuidString: clinic.practice))
            let terms = GrantTerms(sections: [.myhealth], verbs: [.read, .contribute])
            _ = try await journal.sharing.grant(terms, to: practice, on: record, owner)

            let keller = try await sent(staff, .post, "\(clinic.address)/clients", #"{"lastName": "Markkeller"}"#)
            let person = try #require(keller.text("id"))
            let kept = #"{"clients": ["\#(person)"], "alerts": "markalert"}"#
            _ = try await sent(staff, .put, "\(clinic.address)/patients/\(dog)", kept)
            let texts = #""reason": "markreason", "notes": "marknotes", "instructions": "markinstructions""#
            func book(_ start: String) async throws -> String {
                let visit = """
                    {"record": "\(dog)", "service": "\(clinic.service)", "specialist": "\(clinic.specialist)", \
                    "start": "\(start)", \(texts)}
                    """
                let booked = try await sent(staff, .post, "\(clinic.address)/appointments", visit)
                return try #require(booked.text("entry"))
            }
            // A feed shows the next months only.
            let minutes = Int64(Date().timeIntervalSince1970 / 60)
            _ = try await book(Instant(microseconds: minutes * 60_000_000).adding(minutes: 7_200).description)
            let appointment = try await book("2199-03-01T10:00")
            _ = try await sent(
                staff,
                .post,
                "\(clinic.address)/triage/rules",
                #"{"rules": "hj-triage/1", "veterinarian": "Dr. Ada Roth"}"#
            )
            let begun = try await sent(
                staff,
                .post,
                "\(clinic.address)/triage",
                #"{"record": "\#(dog)", "complaint": "markcomplaint"}"#
            )
            let triage = try #require(begun.text("entry"))
            _ = try await sent(staff, .post, "/v1/triage/\(triage)/assess", #"{"notes": "markassessment"}"#)
            let wish = #"{"record": "\#(dog)", "wish": {"service": "\#(clinic.service)"}}"#
            _ = try await sent(staff, .post, "\(clinic.address)/waiting", wish)
            let recall = "\(clinic.address)/patients/\(dog)/recalls/\(UUID().text)"
            let due = #"{"service": "\#(clinic.service)", "due": "2027-03-01", "group": "rabies"}"#
            _ = try await sent(staff, .put, recall, due)
            let link = try await sent(
                client.with(tokens[.veterinarian]),
                .post,
                "\(clinic.address)/specialists/\(clinic.specialist)/calendars",
                "{}"
            )
            feed = try #require(link.text("path"))
            let during = try journal.log.head()
            _ = try await staff.send(.delete, "\(clinic.address)/members/\(ids["formerMember"] ?? "")", nil)
            moments = [nil, before, during]
            ids.merge(
                [
                    "record": dog, "animal": dog, "practice": clinic.practice, "specialist": clinic.specialist,
                    "room": clinic.room, "service": clinic.service, "client": person, "triage": triage,
                    "appointment": appointment, "entry": try #require(entry.text("entry")),
                    "kind": "weight", "account": maker.id.text, "start": try #require(entry.text("entry")),
                ],
                uniquingKeysWith: { _, new in new }
            )
        }

        func address(_ template: String) -> String {
            ids.reduce(template) { $0.replacing("{\($1.key)}", with: $1.value) }
        }
    }

    private static let queries = [
        "showCalendar": "from=2199-03-01", "listTriages": "from={today}", "showTriageStatistics": "from={today}",
        "listRecalls": "due=2027-03-01", "listFreeSlots": "from=2199-03-01&service={service}",
    ]

    private static func seen(in answer: Answer) -> Set<String> {
        Set(marks.filter { answer.text.contains($0.value) }.keys)
    }

    @Test("Nobody sees more than the table says, and each role sees all of that at some door")
    func reads() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let scene = try await Case(fixture, client)
            let today = Day(of: Instant(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000)))
            let operations = OpenAPI.operations.filter { $0.method == .get && !$0.template.contains("{stream}") }
            let pages = TabledPage.all.filter { !["/trail"].contains($0.path) }
            var (cells, answered) = (0, 0)
            for reader in ClinicReader.allCases {
                let api = client.with(scene.tokens[reader])
                var all: Set<String> = []
                func note(_ answer: Answer, _ door: String) {
                    let seen = Self.seen(in: answer)
                    #expect(seen.subtracting(reader.sees) == [], "\(door) by \(reader)")
                    #expect(answer.status < 500, "\(door) by \(reader)")
                    if answer.status == 200 { answered += 1 } else { #expect(seen == [], "\(door) by \(reader)") }
                    all.formUnion(seen)
                    cells += 1
                }
                for operation in operations {
                    for moment in scene.moments {
                        let query = [
                            Self.queries[operation.id]?.replacing("{today}", with: "\(today.adding(days: -1))"),
                            moment.map { "asOf=\($0)" },
                        ]
                        let text = query.compactMap(\.self).joined(separator: "&")
                        let path = scene.address(operation.template + (text.isEmpty ? "" : "?\(text)"))
                        note(try await api.get(path), "\(operation.id) as of \(moment.map(String.init) ?? "now")")
                    }
                }
                if let cookie = scene.cookies[reader] {
                    let browser = Browser(client: client, cookie: cookie)
                    for page in pages {
                        let path = scene.address(page.path + page.query)
                        for moment in [nil, scene.moments[2]] {
                            let asOf = moment.map { (page.query.isEmpty ? "?" : "&") + "asOf=\($0)" } ?? ""
                            note(try await browser.get(path + asOf), "\(page.path) as of \(asOf)")
                        }
                    }
                }
                #expect(all == reader.sees, "\(reader)")
            }
            // The address of a feed works like a token; it names no patient.
            let feed = try await client.with(nil).get(scene.feed)
            #expect(
                feed.status == 200 && feed.text.contains("BEGIN:VEVENT") && Self.seen(in: feed).isEmpty,
                "\(feed.status)"
            )
            print("reads of a practice: \(cells) cells, of which \(answered) were answered")
        }
    }
}
