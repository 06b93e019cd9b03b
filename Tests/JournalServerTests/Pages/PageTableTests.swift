import EventLog
import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Testing

@testable import JournalCore
@testable import JournalServer

/// A page, who may see it, and which parts of the record it shows.
struct TabledPage: Sendable, CustomStringConvertible {
    let path: String
    var kind = "weight"
    var query = ""
    /// Who may see the page.
    ///
    /// A record's page is for all who may see the record, for those who may see the kind, or for its owner; a page of
    /// the journal is for those who administer it.
    var audience: Audience
    var shows: Set<String> = []

    enum Audience: Sendable {
        case everybody, signedIn, people, readers, readersOfKind, owner, whoRunsIt, noOne
        /// The members of the practice, of which the owner is the only one.
        case members
        /// The members of the practice and auditors.
        case membersAndAuditor
        case peopleAndAuditor
    }

    var description: String { "\(path) \(kind)" }

    static let all: [TabledPage] =
        [
            TabledPage(path: "/", audience: .signedIn),
            TabledPage(path: "/records", audience: .signedIn, shows: ["name", "animal", "weight", "drug"]),
            TabledPage(path: "/records/new", audience: .signedIn),
            TabledPage(path: "/search", audience: .signedIn),
            TabledPage(
                path: "/records/{record}",
                audience: .readers,
                shows: ["name", "profile", "weight", "drug", "doctor"]
            ),
            TabledPage(path: "/records/{record}/values", audience: .readersOfKind, shows: ["name", "weight"]),
            TabledPage(path: "/records/{record}/add", audience: .owner, shows: ["name"]),
            TabledPage(path: "/records/{record}/results/new", audience: .owner, shows: ["name"]),
            TabledPage(path: "/records/{record}/symptoms", audience: .owner, shows: ["name"]),
            TabledPage(path: "/records/{record}/edit", audience: .owner, shows: ["name", "profile"]),
            TabledPage(path: "/records/{record}/close", audience: .owner, shows: ["name"]),
            TabledPage(path: "/records/{record}/reopen", audience: .owner, shows: ["name"]),
            TabledPage(
                path: "/records/{record}/entries/{kind}/{entry}/erase",
                kind: "weight",
                audience: .owner,
                shows: ["name", "weight"]
            ),
            TabledPage(
                path: "/records/{record}/timeline",
                audience: .readers,
                shows: ["name", "weight", "drug", "doctor"]
            ),
            TabledPage(
                path: "/records/{record}/history",
                audience: .readers,
                shows: ["name", "profile", "weight", "drug", "doctor"]
            ),
            TabledPage(path: "/records/{record}/access", audience: .owner, shows: ["name"]),
            TabledPage(path: "/records/{record}/caregivers", audience: .owner, shows: ["name"]),
            TabledPage(path: "/records/{record}/caregivers/invite", audience: .owner, shows: ["name"]),
            TabledPage(path: "/records/{record}/caregivers/practice", audience: .owner, shows: ["name"]),
            TabledPage(path: "/records/{record}/caregivers/{account}/revoke", audience: .owner, shows: ["name"]),
            TabledPage(path: "/records/{record}/export", audience: .readers, shows: ["name"]),
            TabledPage(path: "/records/{record}/imports", audience: .owner, shows: ["name"]),
            TabledPage(path: "/records/{record}/imports/csv", audience: .owner, shows: ["name"]),
            TabledPage(path: "/records/{record}/imports/{position}/undo", audience: .owner, shows: ["name"]),
            TabledPage(
                path: "/records/{record}/export/file",
                query: "?as=html",
                audience: .readers,
                shows: ["name", "profile", "weight", "drug", "doctor"]
            ),
            // The page only shows that the document is being prepared, and nothing of the record.
            TabledPage(path: "/records/{record}/export/pdf", query: "?as=pdf", audience: .readers),
            // A job is visible only to the account that started it; no account of this table has one.
            TabledPage(path: "/records/{record}/export/pdf/{job}", audience: .noOne),
            TabledPage(path: "/records/{record}/export/pdf/{job}/file", audience: .noOne),
            TabledPage(path: "/records/{record}/weight", audience: .readersOfKind, shows: ["name", "weight"]),
            TabledPage(
                path: "/records/{record}/entries/{kind}/chart",
                kind: "blood",
                audience: .readersOfKind,
                shows: ["name"]
            ),
            TabledPage(path: "/records/{record}/costs", kind: "cost", audience: .readersOfKind, shows: ["name"]),
            TabledPage(
                path: "/records/{record}/interactions",
                kind: "interaction",
                audience: .readersOfKind,
                shows: ["name", "drug"]
            ),
            TabledPage(path: "/records/{record}/say", audience: .readersOfKind, shows: ["name"]),
        ]
        + [
            ("today", ["name", "drug"]), ("calendar", ["name", "drug"]), ("adherence", ["name"]),
            ("stock", ["name", "drug"]), ("medication", ["name", "drug"]), ("medication/new", ["name", "drug"]),
            ("sheet", ["name", "drug"]), ("today/zone", ["name"]),
            ("today/ahead", ["name", "drug"]),
        ]
        .map { end, shows in
            TabledPage(path: "/records/{record}/\(end)", kind: "drug", audience: .readersOfKind, shows: Set(shows))
        }
        + ["change", "correct", "pause", "resume", "stop", "stock"]
        .map { step in
            TabledPage(
                path: "/records/{record}/medication/{entry}/\(step)",
                kind: "drug",
                audience: .readersOfKind,
                shows: ["name", "drug"]
            )
        }
        + ["weight", "doctor"]
        .flatMap { kind in
            [
                ("", ["name", kind]), ("/new", ["name"]), ("/{entry}", ["name", kind]),
                ("/{entry}/correct", ["name", kind]), ("/{entry}/retract", ["name", kind]),
                ("/{entry}/restore", ["name", kind]),
                // The form offers the other records of the reader.
                ("/{entry}/move", ["name", kind, "animal"]),
            ]
            .map { end, shows in
                TabledPage(
                    path: "/records/{record}/entries/{kind}\(end)",
                    kind: kind,
                    audience: .readersOfKind,
                    shows: Set(shows)
                )
            }
        }
        + [
            TabledPage(path: "/records/{record}/versions", audience: .readers, shows: ["name"]),
            TabledPage(path: "/records/{record}/emergency", audience: .signedIn),
            // The page of the whole journal shows each account what it may see.
            TabledPage(
                path: "/trail",
                audience: .signedIn,
                shows: ["name", "profile", "weight", "drug", "doctor", "animal"]
            ),
            TabledPage(path: "/settings", audience: .signedIn),
            TabledPage(path: "/settings/profile", audience: .signedIn),
            TabledPage(path: "/settings/reminders", audience: .signedIn),
            TabledPage(path: "/settings/sign-in", audience: .signedIn),
            TabledPage(path: "/settings/programs", audience: .signedIn),
            TabledPage(path: "/settings/channels", audience: .signedIn),
            TabledPage(path: "/records/{record}/calendars", audience: .readersOfKind, shows: ["name"]),
            TabledPage(path: "/settings/tokens/new", audience: .signedIn),
            TabledPage(path: "/records/{record}/appointments", audience: .owner, shows: ["name"]),
            TabledPage(path: "/practices", audience: .peopleAndAuditor),
            // Redirects its members to the page of the day.
            TabledPage(path: "/practices/{practice}", audience: .noOne),
            TabledPage(
                path: "/practices/{practice}/day",
                query: "?day=2199-03-01",
                audience: .membersAndAuditor,
                shows: ["animal"]
            ),
            TabledPage(
                path: "/practices/{practice}/week",
                query: "?day=2199-03-01",
                audience: .membersAndAuditor,
                shows: ["animal"]
            ),
            TabledPage(path: "/practices/{practice}/open", audience: .membersAndAuditor),
            TabledPage(
                path: "/practices/{practice}/print",
                query: "?day=2199-03-01",
                audience: .membersAndAuditor,
                shows: ["animal"]
            ),
            TabledPage(path: "/practices/{practice}/patients", audience: .members),
            TabledPage(path: "/practices/{practice}/patients/{record}/written", audience: .members),
            TabledPage(path: "/practices/{practice}/emergency", audience: .members),
            TabledPage(path: "/practices/{practice}/new-patient", audience: .members),
            TabledPage(path: "/practices/{practice}/feeds", audience: .members),
            TabledPage(
                path: "/practices/{practice}/book",
                query: "?record={animal}",
                audience: .members,
                shows: ["animal"]
            ),
            TabledPage(path: "/appointments/{appointment}", audience: .membersAndAuditor, shows: ["animal"]),
            TabledPage(path: "/practices/{practice}/board", audience: .members, shows: ["animal"]),
            TabledPage(path: "/practices/{practice}/arrive", audience: .members),
            // The rules of a practice are no secret, as its description and its hours.
            TabledPage(path: "/practices/{practice}/rules", audience: .peopleAndAuditor),
            TabledPage(path: "/triage/{triage}", audience: .members, shows: ["animal"]),
            TabledPage(path: "/triage/{triage}/assess", audience: .members, shows: ["animal"]),
            // The page shows how the level is computed, and no name.
            TabledPage(path: "/triage/{triage}/explain", audience: .members),
            TabledPage(path: "/accounts", audience: .whoRunsIt),
            TabledPage(path: "/accounts/new", audience: .whoRunsIt),
            // The account is a caregiver. Administrators may not use these pages for it, because that would give access
            // to records.
            TabledPage(path: "/accounts/{account}/password", audience: .owner),
            TabledPage(path: "/accounts/{account}/tokens/new", audience: .owner),
            TabledPage(path: "/accounts/{account}/remove", audience: .whoRunsIt),
            TabledPage(path: "/import", audience: .signedIn),
            TabledPage(path: "/invitation", audience: .signedIn), TabledPage(path: "/sign-in", audience: .everybody),
        ]
}

/// The accounts that request pages.
enum Onlooker: String, CaseIterable, Sendable {
    // The revoked account is first, because the others use up the limit on caregivers.
    case owner, revoked, readsAll, readsHealth, readsDoctors, stranger, auditor, administrator, nobody

    var kind: AccountKind {
        switch self {
        case .auditor: .auditor
        case .administrator: .administrator
        default: .person
        }
    }

    var sections: Set<Section>? {
        switch self {
        case .readsAll, .revoked: Set(Section.allCases)
        case .readsHealth: [.myhealth]
        case .readsDoctors: [.doctorlist]
        default: nil
        }
    }

    /// The parts of the record that the account may see.
    var sees: Set<String> {
        switch self {
        case .owner: ["name", "profile", "weight", "drug", "doctor", "animal"]
        case .readsAll: ["name", "profile", "weight", "drug", "doctor"]
        case .readsHealth: ["name", "profile", "weight", "drug"]
        case .readsDoctors: ["name", "doctor"]
        default: []
        }
    }
}

@Suite("Every page, requested by every account")
struct PageTableTests {
    @Test("The table contains exactly the pages of the router")
    func complete() async throws {
        let fixture = try await ServiceFixture()
        let pages = Set(fixture.routes(ofPages: true).filter { $0.method == .get }.map(\.path))
        let tabled = Set(TabledPage.all.map(\.path) + ["/assets/{digest}/{name}", "/worker.js"])
        #expect(pages.subtracting(tabled).sorted() == [])
        #expect(tabled.subtracting(pages).sorted() == [])
    }

    @Test("Each page is shown exactly to those who may see it, with what they may see", arguments: TabledPage.all)
    func shown(_ page: TabledPage) async throws {
        let fixture = try await PageFixture()
        for onlooker in Onlooker.allCases {
            let answer = try await fixture.ask(page, onlooker)
            let isLetIn = page.isOpen(to: onlooker)
            let where_ = "\(page) by \(onlooker): \(answer.status)"
            switch answer.status {
            case 200: #expect(isLetIn, "\(where_)")
            case 303:
                let isToSignIn = answer.location?.hasPrefix("/sign-in") ?? false
                let redirects =
                    page.path == "/" || (page.path == "/practices/{practice}" && [.owner, .auditor].contains(onlooker))
                #expect(onlooker == .nobody ? isToSignIn : redirects, "\(where_)")
            case 403, 404: #expect(!isLetIn, "\(where_)")
            default: Issue.record("\(where_)")
            }
            let seen = fixture.seen(in: answer)
            #expect(seen == (answer.status == 200 ? page.shown(to: onlooker) : []), "\(where_)")
            // No answer may be cached, and pages load only the service's own files.
            #expect(answer.headers[.cacheControl] == "no-store")
            #expect(answer.headers[.contentSecurityPolicy]?.contains("default-src 'none'") ?? false)
            let title = answer.text.firstMatch(of: /<title>(.*)<\/title>/).map { String($0.1) } ?? ""
            #expect(!title.contains("Ida"), "\(where_)")
            #expect(!title.contains("72"), "\(where_)")
        }
    }

    @Test("A form is accepted only from the service's own pages, in the session of its sender")
    func foreignForms() async throws {
        let fixture = try await PageFixture()
        let forms = fixture.fixture.routes(ofPages: true).filter { $0.method == .post && $0.path != "/sign-in" }
        #expect(forms.count > 10)
        let head = try fixture.fixture.journal.log.head()
        for form in forms {
            let address = fixture.address(form.path, "weight")
            for token in [nil, "", "bm90IGl0", try await fixture.token(of: .stranger)] {
                let answer = try await fixture.post(address, token.map { ["formToken": $0] } ?? [:], .owner)
                // A form with a file is refused for its media type, before it is read.
                let hasFile = form.path.hasSuffix("/import") || form.path.hasSuffix("/csv")
                #expect(answer.status == (hasFile ? 415 : 403), "\(form.path): \(answer.status)")
            }
            let answer = try await fixture.post(
                address,
                ["formToken": fixture.token(of: .owner)],
                .owner,
                site: "cross-site"
            )
            #expect(answer.status == 403, "\(form.path): \(answer.status)")
            // A request without a session needs no protection.
            let nobody = try await fixture.post(address, [:], .nobody)
            #expect([303, 403].contains(nobody.status), "\(form.path): \(nobody.status)")
        }
        let changes = try (head..<fixture.fixture.journal.log.head())
            .map { try fixture.fixture.journal.log.event(at: $0 + 1).header.type }
            .compactMap(EventType.init(rawValue:))
            // The test itself signs in.
            .filter { $0.category != .access && $0 != SessionBegun.type }
        #expect(changes == [])
    }
}

extension TabledPage {
    fileprivate func isOpen(to onlooker: Onlooker) -> Bool {
        switch audience {
        case .everybody: true
        case .noOne: false
        case .signedIn: onlooker != .nobody
        case .people: onlooker != .nobody && onlooker.kind == .person
        case .peopleAndAuditor: onlooker == .auditor || onlooker != .nobody && onlooker.kind == .person
        case .readers: !onlooker.sees.isEmpty
        case .readersOfKind where kind == "interaction": onlooker == .owner || onlooker == .readsAll
        case .readersOfKind:
            ["cost", "blood"].contains(kind) ? onlooker.sees.contains("weight") : onlooker.sees.contains(kind)
        case .owner, .members: onlooker == .owner
        case .membersAndAuditor: onlooker == .owner || onlooker == .auditor
        case .whoRunsIt: onlooker == .owner || onlooker == .administrator
        }
    }

    /// Returns the parts of the record that the page shows to the account.
    fileprivate func shown(to onlooker: Onlooker) -> Set<String> {
        switch path.split(separator: "/").last {
        // Only the owner and auditors see the changes of the record itself.
        case "history": shows.intersection(onlooker.sees).subtracting(onlooker == .owner ? [] : ["profile"])
        case "trail" where onlooker == .auditor: shows
        case _ where onlooker == .auditor && audience == .membersAndAuditor: shows
        case "trail": shows.intersection(onlooker.sees).subtracting(onlooker == .owner ? [] : ["name", "profile"])
        default: shows.intersection(onlooker.sees)
        }
    }
}

/// A record, and the accounts that request its pages.
private final class PageFixture: Sendable {
    let fixture: ServiceFixture
    let record: UUID
    let weight: UUID
    let drug: UUID
    let doctor: UUID
    let caregiver: UUID
    /// A practice, an animal that is its patient, and its appointment.
    let practice: UUID
    let animal: UUID
    let appointment: UUID
    /// The triage of the animal, which has been assessed.
    let triage: UUID
    private let cookies: [Onlooker: String]

    init() async throws {
        fixture = try await ServiceFixture()
        var profile = RecordProfile(subject: .human)
        try profile.set("givenName", text: "Ida Lu")
        try profile.set("employer", text: "Hidden Employer AG")
        let (journal, owner) = (fixture.journal, fixture.owner)
        let record = try #require(try await journal.records.createRecord(profile, owner).record)
        self.record = record
        func add(_ kind: String, _ field: String, _ value: String) async throws -> UUID {
            var content = EntryContent(kind: try #require(Kind.named(kind)))
            try content.set(field, text: value)
            if kind == "weight" { try content.set("unit", text: "kg") }
            return try #require(try await journal.entries.addEntry(content, to: record, owner).entry)
        }
        weight = try await add("weight", "value", "72.125")
        var plan = EntryContent(kind: Drug.kind)
        try plan.set("name", text: "Zolmidan")
        try plan.set("trackStock", text: "true")
        plan.addRule(
            PlanRule(
                id: UUID(),
                from: WallMoment(day: journal.today),
                pattern: try PlanRule.Pattern(.daily, parsing: "00:00,23:59", anchor: journal.today) { UUID() },
                recordedAt: journal.now
            )
        )
        let drug = try #require(try await journal.entries.addEntry(plan, to: record, owner).entry)
        self.drug = drug
        let amount = ExactDecimal(coefficient: 30, scale: 0)
        let supply = EntryContent.supply(of: drug, .received, amount, unit: nil, at: journal.now)
        _ = try await journal.entries.addEntry(supply, to: record, owner)
        doctor = try await add("doctor", "name", "Dr. Berg")
        (practice, animal, appointment) = try await PageFixture.clinic(journal, owner)
        triage = try await PageFixture.triage(of: animal, at: practice, journal, owner)
        var cookies: [Onlooker: String] = [:]
        var caregiver = owner.account
        for onlooker in Onlooker.allCases where onlooker != .nobody {
            var id = owner.account
            if onlooker != .owner {
                let profile = AccountProfile(name: onlooker.rawValue, kind: onlooker.kind)
                id = try #require(try await journal.accounts.addAccount(profile, owner).account)
            }
            if let sections = onlooker.sections {
                _ = try await journal.sharing.grant(GrantTerms(sections: sections), to: id, on: record, owner)
                if onlooker == .revoked {
                    _ = try await journal.sharing.revoke(id, on: record, owner)
                } else {
                    caregiver = id
                }
            }
            cookies[onlooker] = try await fixture.session(of: id)
        }
        self.caregiver = caregiver
        self.cookies = cookies
    }

    private static func clinic(_ journal: Journal, _ owner: Caller) async throws -> (UUID, UUID, UUID) {
        var practice = PracticeProfile(values: FieldValues())
        practice.values[PracticeProfile.name] = .text("Two Rooms")
        practice.values[PracticeProfile.zone] = .text("Europe/Zurich")
        let id = try #require(try await journal.practices.createPractice(practice, owner).id)
        let hours = Timetable(usual: try WeeklyHours(parsing: ["mon-sun 00:00-24:00"]))
        _ = try await journal.practices.changePractice(id, owner) { _ in
            .setTimetable(hours, from: Day(daysSince1970: 0))
        }
        var specialist = SpecialistProfile(values: FieldValues())
        specialist.values[SpecialistProfile.name] = .text("Ada Roth")
        let vet = try #require(try await journal.practices.addSpecialist(specialist, to: id, owner).id)
        var profile = RecordProfile(subject: .animal)
        try profile.set("name", text: "Barkley")
        let animal = try #require(try await journal.records.createRecord(profile, owner).record)
        _ = try await journal.patients.registerPatient(animal, at: id, owner)
        var request = AppointmentRequest(
            practice: id,
            record: animal,
            start: .wall(try WallMoment(parsing: "2199-03-01T10:00"))
        )
        (request.type, request.minutes, request.specialist) = (.routine, 30, vet)
        let booked = try #require(try await journal.appointments.book(request, owner).entry)
        return (id, animal, booked)
    }

    /// Makes the owner a veterinarian too, who adopts the rules and assesses the animal.
    private static func triage(
        of animal: UUID,
        at practice: UUID,
        _ journal: Journal,
        _ owner: Caller
    ) async throws -> UUID {
        let roles = Membership(roles: [.manager, .veterinarian])
        _ = try await journal.practices.changeMembers(of: practice, .grant(account: owner.account, roles), owner)
        _ = try await journal.triage.adoptTriageRules(.version1, by: "Dr. Roth", in: practice, owner)
        let request = TriageRequest(practice: practice, record: animal)
        let triage = try #require(try await journal.triage.beginTriage(request, owner).entry)
        var findings = TriageFindings(values: FieldValues())
        findings.signsFound = [.lame]
        _ = try await journal.triage.changeTriage(triage, .assess(findings), owner)
        return triage
    }

    func address(_ path: String, _ kind: String) -> String {
        path.replacing("{record}", with: record.text).replacing("{kind}", with: kind)
            .replacing("{entry}", with: ["doctor": doctor, "drug": drug][kind, default: weight].text)
            .replacing("{account}", with: caregiver.text).replacing("{position}", with: "1")
            .replacing("{invitation}", with: record.text).replacing("{session}", with: record.text)
            .replacing("{practice}", with: practice.text).replacing("{appointment}", with: appointment.text)
            .replacing("{triage}", with: triage.text)
            .replacing("{token}", with: record.text).replacing("{job}", with: record.text)
    }

    func ask(_ page: TabledPage, _ onlooker: Onlooker) async throws -> Answer {
        try await fixture.serve { client in
            try await Browser(client: client, cookie: self.cookies[onlooker])
                .get(self.address(page.path, page.kind) + page.query.replacing("{animal}", with: self.animal.text))
        }
    }

    func post(
        _ address: String,
        _ fields: [String: String],
        _ onlooker: Onlooker,
        site: String? = nil
    ) async throws -> Answer {
        try await fixture.serve { client in
            try await Browser(client: client, cookie: self.cookies[onlooker])
                .post(address, fields, site.map { [("Sec-Fetch-Site", $0)] } ?? [])
        }
    }

    func token(of onlooker: Onlooker) async throws -> String {
        try await fixture.serve { client in
            let page = try await Browser(client: client, cookie: self.cookies[onlooker]).get("/settings")
            return try #require(page.formFields["formToken"])
        }
    }

    func seen(in answer: Answer) -> Set<String> {
        let words = [
            "Ida Lu": "name", "Hidden Employer AG": "profile", "72.125": "weight", "Zolmidan": "drug",
            "Dr. Berg": "doctor", "Barkley": "animal",
        ]
        return Set(words.filter { answer.text.contains($0.key) }.map(\.value))
    }
}
