import HTTPTypes
import HealthModel
import Interchange

@testable import JournalServer

/// The accounts that send requests, and their access to the record.
enum Asker: String, CaseIterable, Sendable {
    case owner, ownerReading, ownerAppending, ownerAuditing
    case readsAll, readsDoctors, contributesHealth, notYet, lastDay, revoked, stranger, ownerOfAnother
    /// The grant starts tomorrow, and the emergency view is open today.
    case inEmergency
    /// A tool with a grant to contribute.
    case scale
    case tool, auditor, administrator, nobody

    var kind: AccountKind {
        switch self {
        case .tool, .scale: .tool
        case .auditor: .auditor
        case .administrator: .administrator
        default: .person
        }
    }

    var scope: TokenScope {
        switch self {
        case .ownerReading: .read
        case .ownerAppending, .tool, .scale: .append
        case .ownerAuditing, .auditor: .audit
        default: .full
        }
    }

    var ownsRecord: Bool { [.owner, .ownerReading, .ownerAppending, .ownerAuditing].contains(self) }

    /// Returns the grant that the account has or had.
    func terms(_ today: Day) -> GrantTerms? {
        switch self {
        case .readsAll, .revoked: GrantTerms(verbs: [.read])
        case .readsDoctors: GrantTerms(sections: [.doctorlist], verbs: [.read])
        case .contributesHealth: GrantTerms(sections: [.myhealth], verbs: [.read, .contribute])
        case .scale: GrantTerms(sections: [.myhealth], verbs: [.contribute])
        case .notYet, .inEmergency: GrantTerms(from: Day(daysSince1970: today.daysSince1970 + 1))
        case .lastDay: GrantTerms(until: today)
        default: nil
        }
    }

    static let owners: Set<Asker> = [.owner]
    static let readers: Set<Asker> = [.owner, .ownerReading]
    static let audited: Set<Asker> = [.owner, .ownerReading, .ownerAuditing, .auditor]
    static let everybody = Set(Asker.allCases)
    static let signedIn = everybody.subtracting([.nobody])
    /// Those who administer the journal.
    static let keepers: Set<Asker> = [.owner, .administrator]
    /// People with the full scope.
    static let people = signedIn.filter { $0.kind == .person && $0.scope == .full }

    /// Those whose accounts have settings, with a token of one of the scopes.
    static func withSettings(_ scopes: [TokenScope]) -> Set<Asker> {
        signedIn.filter { $0.kind != .tool && scopes.contains($0.scope) }
    }
}

/// A route of the service with an example request, and the accounts that it answers.
struct TabledRoute: Sendable, CustomStringConvertible {
    let method: HTTPRequest.Method
    /// The path template of the route, as in the router.
    let template: String
    /// The kind that replaces `{kind}` in the template.
    var kind = "weight"
    var query = ""
    var body: String?
    var mediaType: String?
    var status = 200
    /// The accounts that are allowed; others are refused, and requests without a token get 401 before anything is
    /// checked.
    var allowed: Set<Asker>
    /// The status for accounts that are refused.
    var refusal = 403
    /// The status for allowed accounts whose request cannot succeed.
    var exceptions: [Asker: Int] = [:]

    /// Whether the route has the parameter `asOf`; if so, requests are also sent as of before and after the grant.
    var takesAsOf: Bool {
        OpenAPI.operations
            .contains { $0.method == method && $0.template == template && $0.parameters.contains(.asOf) }
    }

    var description: String { "\(method) \(template) \(kind)\(query)" }
}

extension TabledRoute {
    private static let record = "/v1/records/{record}"
    private static let entries = record + "/entries/{kind}"
    private static let one = entries + "/{entry}"
    private static let weight = #"{"value": "71", "unit": "kg"}"#

    /// Every route, with each type of answer that it has.
    static let all: [TabledRoute] =
        records + weights + doctors + care + interactions + documents + shares + people + ingest + sync + clinic + [
            TabledRoute(method: .get, template: "/health/live", allowed: Asker.everybody),
            TabledRoute(method: .get, template: "/health/ready", allowed: Asker.everybody),
            TabledRoute(method: .get, template: "/metrics", allowed: Asker.everybody),
            TabledRoute(method: .get, template: "/openapi.json", allowed: Asker.everybody),
            TabledRoute(method: .get, template: "/v1/log/checkpoint", allowed: Asker.signedIn),
            TabledRoute(
                method: .get,
                template: "/v1/log/proofs/inclusion",
                query: "?position=3",
                allowed: Asker.signedIn
            ),
            TabledRoute(
                method: .get,
                template: "/v1/log/proofs/consistency",
                query: "?from=3",
                allowed: Asker.signedIn
            ),
        ]

    private static let records: [TabledRoute] = [
        TabledRoute(
            method: .post,
            template: "/v1/records",
            body: #"{"subject": "human"}"#,
            status: 201,
            allowed: Asker.people
        ),
        TabledRoute(method: .get, template: "/v1/records", allowed: Asker.signedIn),
        TabledRoute(
            method: .post,
            template: "/v1/records/lookup",
            body: #"{"name": "somebody"}"#,
            allowed: Asker.signedIn
        ),
        TabledRoute(method: .post, template: "/v1/search", body: #"{"text": "somebody"}"#, allowed: Asker.signedIn),
        TabledRoute(
            method: .get,
            template: record,
            allowed: Asker.readers.union([.readsAll, .readsDoctors, .contributesHealth, .lastDay, .inEmergency])
        ),
        TabledRoute(method: .patch, template: record, body: #"{"profile": {}}"#, allowed: Asker.owners),
        TabledRoute(method: .delete, template: record, allowed: Asker.owners),
        // The record is not closed.
        TabledRoute(method: .post, template: record + "/reopen", status: 409, allowed: Asker.owners),
        TabledRoute(
            method: .get,
            template: record + "/history",
            allowed: Asker.readers.union([.auditor, .readsAll, .readsDoctors, .contributesHealth, .lastDay])
        ),
        TabledRoute(method: .get, template: record + "/access", allowed: Asker.audited),
        TabledRoute(
            method: .get,
            template: record + "/costs",
            allowed: Asker.readers.union([.readsAll, .contributesHealth, .lastDay])
        ),
        TabledRoute(
            method: .get,
            template: record + "/export",
            query: "?as=native",
            allowed: Asker.readers.union([.readsAll, .readsDoctors, .contributesHealth, .lastDay])
        ),
        TabledRoute(
            method: .post,
            template: record + "/erase",
            body: #"{"reason": "asked for"}"#,
            allowed: Asker.owners
        ),
        TabledRoute(
            method: .put,
            template: record + "/hold",
            body: #"{"until": "2036-12-31", "reason": "a law demands it"}"#,
            allowed: Asker.owners
        ),
        // The sum includes only what the account may see, which may be nothing.
        TabledRoute(method: .get, template: "/v1/costs", allowed: Asker.signedIn),
        // A record that is not erased has no receipt, which only accounts that may erase it learn.
        TabledRoute(method: .get, template: record + "/receipt", status: 409, allowed: Asker.owners),
    ]

    private static let weights: [TabledRoute] = [
        TabledRoute(
            method: .post,
            template: entries,
            body: weight,
            status: 201,
            allowed: [.owner, .ownerAppending, .contributesHealth, .scale]
        ),
        TabledRoute(
            method: .get,
            template: entries,
            allowed: Asker.readers.union([.readsAll, .contributesHealth, .lastDay])
        ),
        TabledRoute(
            method: .get,
            template: one,
            allowed: Asker.readers.union([.readsAll, .contributesHealth, .lastDay])
        ),
        // Entries that the account may not see are not found.
        TabledRoute(
            method: .get,
            template: "/v1/entries/{start}",
            allowed: Asker.readers.union([.readsAll, .contributesHealth, .lastDay]),
            refusal: 404
        ),
        // The entry is the owner's: a caregiver who contributes may change only their own entries.
        TabledRoute(method: .put, template: one, body: weight, allowed: Asker.owners),
        TabledRoute(method: .delete, template: one, allowed: Asker.owners),
        TabledRoute(method: .post, template: one + "/restore", status: 409, allowed: Asker.owners),
        TabledRoute(
            method: .post,
            template: record + "/doubts",
            body: #"{"kind": "weight", "entry": {"value": "71"}}"#,
            allowed: [.owner, .contributesHealth, .ownerAppending, .scale]
        ),
        // The others have changed nothing that could be undone.
        TabledRoute(
            method: .post,
            template: record + "/undo",
            body: "{}",
            allowed: [.owner, .readsAll, .readsDoctors, .contributesHealth, .lastDay, .inEmergency],
            exceptions: [
                .readsAll: 404, .readsDoctors: 404, .contributesHealth: 404, .lastDay: 404, .inEmergency: 404,
            ]
        ),
        TabledRoute(method: .get, template: record + "/imports", allowed: Asker.audited),
        // The right to the record is checked before the file is read, which no mapping fits here.
        TabledRoute(
            method: .post,
            template: record + "/imports/csv",
            body: #"{"text": "a,b"}"#,
            status: 400,
            allowed: Asker.owners
        ),
        TabledRoute(
            method: .post,
            template: record + "/imports/vcard",
            body: #"{"text": "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Dr. Ada Roth\r\nEND:VCARD\r\n"}"#,
            allowed: Asker.owners
        ),
        TabledRoute(method: .post, template: record + "/imports/undo", body: "{}", status: 404, allowed: Asker.owners),
        TabledRoute(
            method: .post,
            template: record + "/moves",
            body: #"{"entry": "{account}", "to": "{record}"}"#,
            status: 404,
            allowed: Asker.signedIn
        ),
        TabledRoute(
            method: .post,
            template: record + "/corrections",
            body: #"{"kind": "weight", "where": {"value": "72"}, "set": {"comment": "on the big scale"}}"#,
            allowed: Asker.owners
        ),
        TabledRoute(method: .get, template: record + "/erasures/{entry}", allowed: Asker.owners),
        TabledRoute(
            method: .post,
            template: record + "/erasures/{entry}",
            body: #"{"reason": "not hers"}"#,
            allowed: Asker.owners
        ),
        // An entry that is not erased has no receipt, which only accounts that may erase it learn.
        TabledRoute(method: .get, template: record + "/erasures/{entry}/receipt", status: 409, allowed: Asker.owners),
        // A weight has no plan.
        TabledRoute(method: .post, template: one + "/changes", body: weight, status: 400, allowed: Asker.owners),
        TabledRoute(
            method: .get,
            template: one + "/history",
            allowed: Asker.readers.union([.auditor, .readsAll, .contributesHealth, .lastDay])
        ),
    ]

    /// The same routes for another section.
    private static let doctors: [TabledRoute] = [
        TabledRoute(
            method: .post,
            template: entries,
            kind: "doctor",
            body: #"{"name": "Dr. Lind"}"#,
            status: 201,
            allowed: [.owner, .ownerAppending]
        ),
        TabledRoute(
            method: .get,
            template: entries,
            kind: "doctor",
            allowed: Asker.readers.union([.readsAll, .readsDoctors, .lastDay])
        ),
        TabledRoute(
            method: .get,
            template: one,
            kind: "doctor",
            allowed: Asker.readers.union([.readsAll, .readsDoctors, .lastDay])
        ),
    ]

    /// Routes on plans and doses; they belong to the same section as weights.
    private static let care: [TabledRoute] =
        ["/due", "/today", "/adherence", "/stock"]
        .map { path in
            TabledRoute(
                method: .get,
                template: record + path,
                allowed: Asker.readers.union([.readsAll, .contributesHealth, .lastDay])
            )
        } + [
            // The medication does not exist, which only accounts that may log its doses learn.
            TabledRoute(
                method: .post,
                template: record + "/doses",
                body: #"{"of": "0f8fad5b-d9cb-469f-a165-70867728950e", "status": "taken"}"#,
                status: 404,
                allowed: [.owner, .ownerAppending, .contributesHealth, .scale]
            ),
            TabledRoute(
                method: .post,
                template: record + "/drafts",
                body: #"{"text": "weight 75.4 kilos"}"#,
                allowed: Asker.readers.union([.readsAll, .contributesHealth, .lastDay])
            ),
            // The entry is a weight, which only those learn who may change it.
            TabledRoute(method: .post, template: record + "/doses/{entry}/undo", status: 404, allowed: Asker.owners),
        ] + calendars + names

    private static let calendars: [TabledRoute] = [
        TabledRoute(
            method: .post,
            template: record + "/doses/snoozes",
            body: #"{"of": "0f8fad5b-d9cb-469f-a165-70867728950e", "until": "2026-03-02T08:30"}"#,
            status: 404,
            allowed: [.owner, .ownerAppending, .contributesHealth, .scale]
        ),
        TabledRoute(method: .get, template: "/calendar/{feed}", status: 404, allowed: Asker.everybody),
        TabledRoute(
            method: .get,
            template: record + "/calendar",
            allowed: Asker.readers.union([.readsAll, .contributesHealth, .lastDay])
        ),
        TabledRoute(
            method: .get,
            template: record + "/calendars",
            allowed: Asker.audited.union([.readsAll, .contributesHealth, .lastDay])
        ),
        TabledRoute(
            method: .post,
            template: record + "/calendars",
            body: "{}",
            status: 201,
            allowed: [.owner, .readsAll, .contributesHealth, .lastDay]
        ),
        // The calendar does not exist, which only those learn who may unlink calendars of others.
        TabledRoute(method: .delete, template: record + "/calendars/{calendar}", status: 404, allowed: Asker.owners),
        TabledRoute(method: .get, template: "/v1/channels", allowed: withFullScope),
        TabledRoute(
            method: .post,
            template: "/v1/channels",
            body: #"{"kind": "email", "address": "a@example.org"}"#,
            status: 201,
            allowed: withFullScope,
            exceptions: [.administrator: 409]
        ),
        TabledRoute(method: .get, template: "/v1/channels/push-key", allowed: withFullScope),
        TabledRoute(method: .delete, template: "/v1/channels/{channel}", status: 404, allowed: withFullScope),
        TabledRoute(method: .post, template: "/v1/channels/{channel}/test", status: 404, allowed: withFullScope),
    ]

    private static let withFullScope = Asker.signedIn.filter { $0.scope == .full }

    /// Routes on interactions: a check reads all that is taken, and its findings have a section of their own.
    private static let interactions: [TabledRoute] =
        ["/findings", "/interactions/checks"]
        .map { path in
            TabledRoute(method: .get, template: record + path, allowed: Asker.readers.union([.readsAll, .lastDay]))
        } + [
            TabledRoute(method: .post, template: record + "/interactions/checks", body: "{}", allowed: [.owner]),
            // The entry is no finding: it is not found, whoever asks.
            TabledRoute(
                method: .post,
                template: record + "/interactions/{entry}/resolution",
                body: #"{"resolution": "accepted", "reason": "known"}"#,
                status: 404,
                allowed: [.owner],
                refusal: 404
            ),
            TabledRoute(method: .get, template: "/v1/interaction-rules", allowed: Asker.signedIn),
            TabledRoute(
                method: .post,
                template: "/v1/interaction-rules",
                body: #"{"starter": true}"#,
                allowed: Asker.keepers
            ),
        ]

    /// Routes on names and the use of dictation.
    private static let names: [TabledRoute] = [
        TabledRoute(method: .post, template: "/v1/suggestions", body: #"{"text": "lisi"}"#, allowed: Asker.signedIn),
        TabledRoute(method: .get, template: "/v1/names", allowed: Asker.signedIn),
        TabledRoute(
            method: .post,
            template: "/v1/names",
            body: #"{"name": "swiss", "text": "Algiphen;ibuprofen"}"#,
            allowed: Asker.keepers
        ),
        TabledRoute(method: .post, template: "/v1/usage", body: #"{"saved": 1}"#, status: 204, allowed: Asker.signedIn),
    ]

    /// Routes on practices and appointments, of which there are none here: nobody learns more than that.
    ///
    /// What members, clients and strangers of a practice get is in the tests of these routes.
    private static let clinic: [TabledRoute] =
        [
            TabledRoute(
                method: .get,
                template: "/v1/practices",
                allowed: Asker.people.union([.ownerReading, .ownerAuditing, .auditor])
            ),
            TabledRoute(
                method: .post,
                template: "/v1/practices",
                body: #"{"name": "Two Rooms", "zone": "Europe/Zurich"}"#,
                status: 201,
                allowed: Asker.people
            ),
            // An animal has appointments, and this record is of a person: its owner gets an empty list.
            TabledRoute(method: .get, template: record + "/appointments", allowed: Asker.readers),
            TabledRoute(method: .get, template: record + "/triage", allowed: Asker.readers),
            TabledRoute(method: .get, template: record + "/registrations", allowed: Asker.readers),
        ]
        + OpenAPI.operations.filter { $0.tag == .clinic && $0.template.contains("{") && !$0.template.hasPrefix(record) }
        .map { operation in
            TabledRoute(
                method: operation.method,
                template: operation.template,
                query: queries[operation.id] ?? "",
                body: operation.body.map { body in
                    bodies[operation.id] ?? body.examples.first.map { JSONWriter.text($0.value) } ?? "{}"
                },
                status: 404,
                // The address of a calendar works like a token, which not everybody may issue.
                allowed: needingFullScope.contains(operation.id) ? withFullScope : Asker.signedIn
            )
        }

    private static let needingFullScope = ["linkSpecialistCalendar", "unlinkSpecialistCalendar"]
    private static let queries = [
        "showCalendar": "?from=2027-03-01", "listTriages": "?from=2027-03-01",
        "showTriageStatistics": "?from=2027-03-01", "listRecalls": "?due=2027-03-01",
        "listFreeSlots": "?from=2027-03-01&service=0f8fad5b-d9cb-469f-a165-70867728950e",
    ]
    private static let bodies = [
        "beginTriage": #"{"record": "{record}"}"#,
        "addToWaitingList": #"{"record": "{record}", "wish": {"service": "0f8fad5b-d9cb-469f-a165-70867728950e"}}"#,
        "offerTime":
            #"{"record": "{record}", "start": "2199-03-01T09:00", "until": "2199-02-28T12:00:00Z"}"#,
        "setRecall":
            #"{"service": "0f8fad5b-d9cb-469f-a165-70867728950e", "due": "2027-03-01", "group": "rabies"}"#,
        "bookAppointment": #"{"record": "{record}", "start": "2199-03-01T09:00"}"#,
        "bookSeries":
            #"{"appointment": {"record": "{record}", "start": "2199-03-01T09:00"}, "everyDays": 7, "count": 2}"#,
        "displaceAppointment": #"{"start": "2199-03-01T09:00", "by": "0f8fad5b-d9cb-469f-a165-70867728950e"}"#,
    ]

    private static let sync: [TabledRoute] = [
        TabledRoute(method: .get, template: "/v1/devices", allowed: Asker.people),
        TabledRoute(
            method: .post,
            template: "/v1/devices",
            body: #"{"name": "phone"}"#,
            status: 201,
            allowed: Asker.people
        ),
        TabledRoute(method: .delete, template: "/v1/devices/{device}", status: 404, allowed: Asker.people),
        TabledRoute(method: .get, template: "/v1/sync", allowed: Asker.people),
        // Lines are answered by lines.
        TabledRoute(
            method: .post,
            template: "/v1/sync",
            body: "{}",
            mediaType: "application/x-ndjson",
            allowed: Asker.people
        ),
        TabledRoute(
            method: .get,
            template: record + "/divergences",
            allowed: Asker.readers.union([.readsAll, .readsDoctors, .contributesHealth, .lastDay])
        ),
        // There is no such version, whoever asks.
        TabledRoute(
            method: .post,
            template: "/v1/divergences/{divergence}",
            body: #"{"choice": "keep"}"#,
            status: 404,
            allowed: Asker.signedIn
        ),
    ]

    private static let documents: [TabledRoute] = [
        TabledRoute(
            method: .post,
            template: record + "/documents",
            body: "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"scan\"\r\n\r\n72\r\n--b--\r\n",
            mediaType: "multipart/form-data; boundary=b",
            status: 201,
            allowed: [.owner, .ownerAppending, .contributesHealth, .scale]
        ),
        // Documents that the account may not see are not found.
        TabledRoute(
            method: .get,
            template: one + "/content",
            kind: "document",
            allowed: Asker.readers.union([.readsAll, .contributesHealth, .lastDay]),
            refusal: 404
        ),
    ]

    private static let ingest: [TabledRoute] = [
        // Accounts that may add an entry may send an event that becomes one. Other events are for tools and the owner.
        TabledRoute(
            method: .post,
            template: "/v1/events",
            body: event("org.healthjournal.weight.logged", subject: "{record}"),
            mediaType: "application/cloudevents+json",
            status: 201,
            allowed: [.owner, .ownerAppending, .contributesHealth, .scale]
        ),
        TabledRoute(
            method: .post,
            template: "/v1/events",
            query: "?stream=lab-1",
            body: event("org.example.tick", subject: "somebody"),
            mediaType: "application/cloudevents+json",
            status: 201,
            allowed: [.owner, .ownerAppending, .tool, .scale]
        ),
        // Without a header that declares an event, the body is not read.
        TabledRoute(method: .post, template: "/v1/events", body: "{}", status: 415, allowed: Asker.signedIn),
        TabledRoute(method: .get, template: "/v1/events", query: "?type=entry.added", allowed: followers),
        TabledRoute(method: .get, template: "/v1/events", query: "?type=record.created", allowed: followers),
        TabledRoute(method: .get, template: "/schemas", allowed: Asker.everybody),
        TabledRoute(method: .get, template: "/schemas/{type}", allowed: Asker.everybody),
        TabledRoute(method: .get, template: "/schemas/entries/{kind}", allowed: Asker.everybody),
    ]

    /// Accounts that may follow the feed: all but those that may only append.
    ///
    /// An account without a grant gets a feed without events.
    private static let followers = Asker.signedIn.subtracting([.ownerAppending, .tool, .scale])

    private static func event(_ type: String, subject: String) -> String {
        #"{"specversion": "1.0", "id": "{record}", "source": "/scale", "type": "\#(type)", "subject": "\#(subject)", "#
            + #""data": {"value": "71", "unit": "kg"}}"#
    }

    private static let shares: [TabledRoute] = [
        TabledRoute(method: .get, template: record + "/caregivers", allowed: Asker.audited),
        TabledRoute(
            method: .put,
            template: record + "/caregivers/{account}",
            body: #"{"sections": ["doctorlist"]}"#,
            allowed: Asker.owners
        ),
        TabledRoute(
            method: .delete,
            template: record + "/caregivers/{account}",
            // There is no grant to revoke, which only accounts that may revoke one learn.
            status: 404,
            allowed: Asker.owners
        ),
    ]

    /// Routes for sign-in, administration, ownership and invitations.
    private static let people: [TabledRoute] = [
        // A code that was never issued gets the same answer from every account.
        TabledRoute(
            method: .post,
            template: "/v1/session",
            body: #"{"code": "hjc_nobody-made-this"}"#,
            status: 401,
            allowed: Asker.everybody
        ),
        TabledRoute(method: .get, template: "/v1/session", allowed: Asker.signedIn),
        // The request has a token and no session that could be ended.
        TabledRoute(method: .delete, template: "/v1/session", status: 409, allowed: Asker.signedIn),
        TabledRoute(method: .get, template: "/v1/accounts", allowed: Asker.keepers),
        TabledRoute(
            method: .post,
            template: "/v1/accounts",
            body: #"{"name": ""}"#,
            status: 400,
            allowed: Asker.keepers
        ),
        // The account has a token already, so an administrator may not set its password.
        TabledRoute(
            method: .put,
            template: "/v1/accounts/{account}/password",
            body: #"{"password": "short"}"#,
            status: 400,
            allowed: Asker.owners
        ),
        TabledRoute(method: .delete, template: "/v1/accounts/{account}", allowed: Asker.keepers),
        TabledRoute(method: .get, template: "/v1/accounts/{account}/credentials", allowed: Asker.keepers),
        TabledRoute(method: .get, template: "/v1/accounts/{account}/tokens", allowed: Asker.keepers),
        // An administrator may not issue tokens for people.
        TabledRoute(
            method: .post,
            template: "/v1/accounts/{account}/tokens",
            body: #"{"scope": "read"}"#,
            status: 201,
            allowed: Asker.owners
        ),
        TabledRoute(
            method: .delete,
            template: "/v1/accounts/{account}/tokens/{token}",
            status: 404,
            allowed: Asker.keepers
        ),
        TabledRoute(method: .get, template: "/v1/accounts/{account}/identities", allowed: Asker.keepers),
        // An administrator may not link an identity for people either.
        TabledRoute(
            method: .post,
            template: "/v1/accounts/{account}/identities",
            body: #"{"issuer": "https://id.example.org", "subject": ""}"#,
            status: 400,
            allowed: Asker.owners
        ),
        TabledRoute(
            method: .delete,
            template: "/v1/accounts/{account}/identities/{identity}",
            status: 404,
            allowed: Asker.keepers
        ),
        TabledRoute(method: .get, template: "/v1/accounts/me/profile", allowed: Asker.withSettings([.full, .read])),
        TabledRoute(
            method: .put,
            template: "/v1/accounts/me/profile",
            body: #"{"displayName": "Anna"}"#,
            allowed: Asker.withSettings([.full])
        ),
        TabledRoute(
            method: .get,
            template: "/v1/accounts/me/preferences",
            allowed: Asker.withSettings([.full, .read])
        ),
        TabledRoute(
            method: .put,
            template: "/v1/accounts/me/preferences",
            body: #"{"language": "de"}"#,
            allowed: Asker.withSettings([.full])
        ),
        TabledRoute(method: .get, template: "/v1/accounts/{account}/subscription", status: 404, allowed: Asker.keepers),
        TabledRoute(
            method: .put,
            template: "/v1/accounts/{account}/subscription",
            body: #"{"status": "active"}"#,
            allowed: Asker.keepers
        ),
        TabledRoute(method: .get, template: record + "/owners", allowed: Asker.audited),
        TabledRoute(method: .put, template: record + "/owners/{account}", allowed: Asker.owners),
        TabledRoute(method: .delete, template: record + "/owners/{account}", status: 404, allowed: Asker.owners),
        TabledRoute(
            method: .post,
            template: record + "/transfer",
            body: #"{"to": "{account}"}"#,
            allowed: Asker.owners
        ),
        // The permission to import is checked before the document is read, which is invalid here.
        TabledRoute(
            method: .post,
            template: "/v1/imports",
            body: #"{"format": "healthjournal/1"}"#,
            status: 400,
            allowed: Asker.people
        ),
        TabledRoute(method: .get, template: record + "/invitations", allowed: Asker.audited),
        TabledRoute(method: .post, template: record + "/invitations", body: "{}", status: 201, allowed: Asker.owners),
        TabledRoute(
            method: .delete,
            template: record + "/invitations/{invitation}",
            status: 404,
            allowed: Asker.owners
        ),
        TabledRoute(
            method: .post,
            template: "/v1/invitations/preview",
            body: #"{"code": "hji_nobody-made-this"}"#,
            status: 404,
            allowed: Asker.people
        ),
        TabledRoute(
            method: .post,
            template: "/v1/invitations/accept",
            body: #"{"code": "hji_nobody-made-this"}"#,
            status: 404,
            allowed: Asker.people
        ),
        TabledRoute(
            method: .post,
            template: record + "/emergency-access",
            body: #"{"reason": "found unconscious"}"#,
            status: 201,
            allowed: [.owner, .readsAll, .readsDoctors, .contributesHealth, .notYet, .lastDay, .inEmergency],
            // The owner sees everything already.
            exceptions: [.owner: 409]
        ),
        TabledRoute(method: .get, template: "/v1/notices", allowed: Asker.signedIn),
        TabledRoute(
            method: .post,
            template: "/v1/notices/{position}/acknowledge",
            status: 404,
            allowed: Asker.signedIn
        ),
    ]
}
