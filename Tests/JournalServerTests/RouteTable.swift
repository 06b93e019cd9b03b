import HTTPTypes
import HealthModel

/// Who may ask, and how they stand to the record that is asked for.
enum Asker: String, CaseIterable, Sendable {
    case owner, ownerReading, ownerAppending, ownerAuditing
    case readsAll, readsDoctors, contributesHealth, notYet, lastDay, revoked, stranger, ownerOfAnother
    /// Let in from tomorrow on, with the emergency view open today.
    case inEmergency
    /// A tool that was let in to contribute.
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
        case .ownerAppending, .tool, .scale: .append(category: nil)
        case .ownerAuditing, .auditor: .audit
        default: .full
        }
    }

    var ownsRecord: Bool { [.owner, .ownerReading, .ownerAppending, .ownerAuditing].contains(self) }

    /// The grant that they have, or had.
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
    /// Those who run the journal.
    static let keepers: Set<Asker> = [.owner, .administrator]
    /// People with all of their rights.
    static let people = signedIn.filter { $0.kind == .person && $0.scope == .full }
}

/// One route of the service: how it is asked, and who is answered with what.
struct TabledRoute: Sendable, CustomStringConvertible {
    let method: HTTPRequest.Method
    /// As the router has it, below the root.
    let template: String
    /// What stands behind the address: `{kind}` is filled in from here.
    var kind = "weight"
    var query = ""
    var body: String?
    var mediaType: String?
    var status = 200
    /// Those who are let in; all others are refused, and whoever shows no token is not even asked for what.
    var allowed: Set<Asker>
    /// What those get who are refused.
    var refusal = 403
    /// What some get instead, who may and cannot.
    var exceptions: [Asker: Int] = [:]
    /// Whether it takes `asOf`: it is then asked as of before the grant and as of after it too.
    var takesAsOf = false

    var description: String { "\(method) \(template) \(kind)\(query)" }
}

extension TabledRoute {
    private static let record = "/v1/records/{record}"
    private static let entries = record + "/entries/{kind}"
    private static let one = entries + "/{entry}"
    private static let weight = #"{"value": "71", "unit": "kg"}"#

    /// Every route, with each kind of answer that it has.
    static let all: [TabledRoute] =
        records + weights + doctors + documents + shares + people + door + [
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
        TabledRoute(method: .get, template: "/v1/records", allowed: Asker.signedIn, takesAsOf: true),
        TabledRoute(
            method: .get,
            template: record,
            allowed: Asker.readers.union([.readsAll, .readsDoctors, .contributesHealth, .lastDay, .inEmergency]),
            takesAsOf: true
        ),
        TabledRoute(method: .patch, template: record, body: #"{"profile": {}}"#, allowed: Asker.owners),
        TabledRoute(method: .delete, template: record, allowed: Asker.owners),
        TabledRoute(
            method: .get,
            template: record + "/history",
            allowed: Asker.readers.union([.auditor, .readsAll, .readsDoctors, .contributesHealth, .lastDay])
        ),
        TabledRoute(method: .get, template: record + "/access", allowed: Asker.audited),
        TabledRoute(
            method: .get,
            template: record + "/costs",
            allowed: Asker.readers.union([.readsAll, .contributesHealth, .lastDay]),
            takesAsOf: true
        ),
        TabledRoute(
            method: .get,
            template: record + "/export",
            query: "?as=native",
            allowed: Asker.readers.union([.readsAll, .readsDoctors, .contributesHealth, .lastDay]),
            takesAsOf: true
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
        // Only what the asker may see is added up, which may be nothing.
        TabledRoute(method: .get, template: "/v1/costs", allowed: Asker.signedIn, takesAsOf: true),
        // Nobody has a receipt of what is not erased; that it is not is told to whoever may erase it.
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
            allowed: Asker.readers.union([.readsAll, .contributesHealth, .lastDay]),
            takesAsOf: true
        ),
        TabledRoute(
            method: .get,
            template: one,
            allowed: Asker.readers.union([.readsAll, .contributesHealth, .lastDay]),
            takesAsOf: true
        ),
        // What one may not see is not there.
        TabledRoute(
            method: .get,
            template: "/v1/entries/{start}",
            allowed: Asker.readers.union([.readsAll, .contributesHealth, .lastDay]),
            refusal: 404,
            takesAsOf: true
        ),
        // Somebody else's entry: a caregiver who contributes may change only their own.
        TabledRoute(method: .put, template: one, body: weight, allowed: Asker.owners),
        TabledRoute(method: .delete, template: one, allowed: Asker.owners),
        TabledRoute(method: .post, template: one + "/restore", status: 409, allowed: Asker.owners),
        TabledRoute(
            method: .get,
            template: one + "/history",
            allowed: Asker.readers.union([.auditor, .readsAll, .contributesHealth, .lastDay])
        ),
    ]

    /// The same of another section.
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
            allowed: Asker.readers.union([.readsAll, .readsDoctors, .lastDay]),
            takesAsOf: true
        ),
        TabledRoute(
            method: .get,
            template: one,
            kind: "doctor",
            allowed: Asker.readers.union([.readsAll, .readsDoctors, .lastDay]),
            takesAsOf: true
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
        // What one may not see is not there.
        TabledRoute(
            method: .get,
            template: one + "/content",
            kind: "document",
            allowed: Asker.readers.union([.readsAll, .contributesHealth, .lastDay]),
            refusal: 404,
            takesAsOf: true
        ),
    ]

    private static let door: [TabledRoute] = [
        // An event that becomes an entry is open to those who may add one, any other to tools and who runs the journal.
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
        // What says by no header that it is an event is not looked at.
        TabledRoute(method: .post, template: "/v1/events", body: "{}", status: 415, allowed: Asker.signedIn),
        TabledRoute(method: .get, template: "/v1/events", query: "?type=entry.added", allowed: followers),
        TabledRoute(method: .get, template: "/v1/events", query: "?type=record.created", allowed: followers),
        TabledRoute(method: .get, template: "/schemas", allowed: Asker.everybody),
        TabledRoute(method: .get, template: "/schemas/{type}", allowed: Asker.everybody),
        TabledRoute(method: .get, template: "/schemas/entries/{kind}", allowed: Asker.everybody),
    ]

    /// All but those who may only append: to be let in to nothing is to see nothing.
    private static let followers = Asker.signedIn.subtracting([.ownerAppending, .tool, .scale])

    private static func event(_ type: String, subject: String) -> String {
        #"{"specversion": "1.0", "id": "{record}", "source": "/scale", "type": "\#(type)", "subject": "\#(subject)", "#
            + #""data": {"value": "71", "unit": "kg"}}"#
    }

    private static let shares: [TabledRoute] = [
        TabledRoute(method: .get, template: record + "/caregivers", allowed: Asker.audited, takesAsOf: true),
        TabledRoute(
            method: .put,
            template: record + "/caregivers/{account}",
            body: #"{"sections": ["doctorlist"]}"#,
            allowed: Asker.owners
        ),
        TabledRoute(
            method: .delete,
            template: record + "/caregivers/{account}",
            // There is no grant to take back: told to whoever may take one back, and to nobody else.
            status: 404,
            allowed: Asker.owners
        ),
    ]

    /// Who signs in, who runs the journal, who owns a record, and whom they trust.
    private static let people: [TabledRoute] = [
        // A code that nobody made: the same for whoever shows it.
        TabledRoute(
            method: .post,
            template: "/v1/session",
            body: #"{"code": "hjc_nobody-made-this"}"#,
            status: 401,
            allowed: Asker.everybody
        ),
        TabledRoute(method: .get, template: "/v1/session", allowed: Asker.signedIn),
        // A token is no session, and is not ended like one.
        TabledRoute(method: .delete, template: "/v1/session", status: 409, allowed: Asker.signedIn),
        TabledRoute(method: .get, template: "/v1/accounts", allowed: Asker.keepers),
        TabledRoute(
            method: .post,
            template: "/v1/accounts",
            body: #"{"name": ""}"#,
            status: 400,
            allowed: Asker.keepers
        ),
        // Nor does it set the password of whoever has something here already.
        TabledRoute(
            method: .put,
            template: "/v1/accounts/{account}/password",
            body: #"{"password": "short"}"#,
            status: 400,
            allowed: Asker.owners
        ),
        TabledRoute(method: .get, template: "/v1/accounts/{account}/tokens", allowed: Asker.keepers),
        // An administrator takes no person's place.
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
        // Nor by way of another provider.
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
        TabledRoute(method: .get, template: record + "/owners", allowed: Asker.audited, takesAsOf: true),
        TabledRoute(method: .put, template: record + "/owners/{account}", allowed: Asker.owners),
        TabledRoute(method: .delete, template: record + "/owners/{account}", status: 404, allowed: Asker.owners),
        TabledRoute(
            method: .post,
            template: record + "/transfer",
            body: #"{"to": "{account}"}"#,
            allowed: Asker.owners
        ),
        TabledRoute(method: .get, template: record + "/invitations", allowed: Asker.audited),
        TabledRoute(
            method: .post,
            template: record + "/invitations",
            body: "{}",
            status: 201,
            allowed: Asker.owners
        ),
        TabledRoute(
            method: .delete,
            template: record + "/invitations/{invitation}",
            status: 404,
            allowed: Asker.owners
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
            // There is nothing to be opened to who sees all.
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
