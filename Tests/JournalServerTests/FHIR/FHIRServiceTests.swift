import EventLog
import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import TestSupport
import Testing

@testable import JournalCore
@testable import JournalServer

@Suite("Reading as FHIR")
struct FHIRServiceTests {
    /// A record with entries of several kinds.
    private struct Scene {
        let record: UUID
        let weights: [UUID]
        let doctor: UUID
        let letter: UUID

        init(_ fixture: ServiceFixture) async throws {
            let (journal, owner) = (fixture.journal, fixture.owner)
            var profile = RecordProfile(subject: .human)
            try profile.set("givenName", text: "Ida Lu")
            try profile.set("familyName", text: "Weber")
            try profile.set("employer", text: "Hidden Employer AG")
            let record = try #require(try await journal.records.createRecord(profile, owner).record)
            func add(_ kind: Kind, _ date: String?, _ values: [String: String]) async throws -> UUID {
                var content = EntryContent(kind: kind, date: try date.map { try OccurredDate(parsing: $0) })
                for (name, value) in values { try content.set(name, text: value) }
                return try #require(try await journal.entries.addEntry(content, to: record, owner).entry)
            }
            weights = try await [("2026-01-05", "72.5"), ("2026-02", "71"), ("2026-03-01T08:00:00Z", "70.25")]
                .asyncMap { try await add(Weight.kind, $0.0, ["value": $0.1, "unit": "kg"]) }
            _ = try await add(Blood.kind, "2026-02-10", ["name": "Sodium", "value": "140", "unit": "mmol/l"])
            _ = try await add(Allergy.kind, nil, ["name": "Penicillin"])
            doctor = try await add(Doctor.kind, nil, ["name": "Dr. Berg"])
            var letter = EntryContent(kind: Document.kind)
            try letter.set("name", text: "Letter")
            try letter.set("mediaType", text: "text/plain")
            self.letter = try #require(
                try await journal.entries.attachDocument(Array("Seen in the letter".utf8), letter, to: record, owner)
                    .entry
            )
            self.record = record
        }
    }

    private static func ids(_ answer: Answer) -> [String] {
        answer.items("entry")
            .compactMap { item in
                if case .string(let id)? = item["resource"]?["id"] { id } else { nil }
            }
    }

    private static func next(_ answer: Answer) -> String? {
        for link in answer.items("link") where link["relation"] == "next" {
            if case .string(let url)? = link["url"] { return url.split(separator: "/fhir").last.map { "/fhir\($0)" } }
        }
        return nil
    }

    @Test("Resources are searched by type, date, code and status, counted, sorted, and read page by page")
    func searches() async throws {
        let fixture = try await ServiceFixture()
        let scene = try await Scene(fixture)
        let all = scene.weights.map(\.text)
        try await fixture.serve { client in
            func search(_ query: String) async throws -> Answer {
                try await client.send(.get, "/fhir/Observation?patient=Patient/\(scene.record.text)&\(query)")
            }
            let found = try await search("")
            #expect(found.status == 200)
            #expect(Self.ids(found).filter(all.contains) == all)
            #expect(found.json["total"] == 4)
            #expect(found.json["resourceType"] == "Bundle")
            #expect(found.json["type"] == "searchset")
            let expected: [(String, [String])] = [
                ("code=29463-7", all), ("code=http://loinc.org|29463-7", all), ("code=http://example.org|29463-7", []),
                ("category=vital-signs", all), ("status=final&code=29463-7", all), ("status=amended", []),
                ("date=2026-01-05", [all[0]]), ("code=29463-7&date=ge2026-02", [all[1], all[2]]),
                ("date=2026-02&code=29463-7", [all[1]]), ("date=lt2026-01-05", []),
                ("date=ge2026-01-01&date=le2026-01-31", [all[0]]), ("date=sa2026-02-28", [all[2]]),
                ("_id=\(all[1])", [all[1]]), ("code=29463-7,x&_sort=-date", all.reversed()),
                ("identifier=urn:healthjournal:entry|\(all[0])", [all[0]]),
            ]
            for (query, ids) in expected {
                let answer = try await search(query)
                #expect(answer.status == 200, "\(query): \(answer.text.prefix(300))")
                #expect(Self.ids(answer) == ids, "\(query): \(answer.text.prefix(300))")
            }
            for query in ["_sort=date&", "_total=accurate&", ""] {
                let whole = Self.ids(try await search(query))
                var page = try await search("\(query)_count=1")
                var pages = [Self.ids(page)]
                while let next = Self.next(page) {
                    // What is added meanwhile is on no page.
                    if pages.count == 1 {
                        _ = try await client.send(
                            .post,
                            "/v1/records/\(scene.record.text)/entries/weight",
                            #"{"date": "2026-01-01", "value": "99", "unit": "kg"}"#
                        )
                    }
                    page = try await client.send(.get, next)
                    pages.append(Self.ids(page))
                }
                #expect(pages.allSatisfy { $0.count == 1 } && pages.flatMap(\.self) == whole, "\(query)")
            }
            for query in ["_count=0", "_summary=count", "_count=0&_totalMethod=count"] {
                let counted = try await search(query)
                #expect(Self.ids(counted).isEmpty, "\(query)")
                #expect(counted.json["total"] == 7, "\(query)")
            }
        }
    }

    @Test(
        "A parameter that filters and is unknown is refused with an OperationOutcome; others are left out of the address"
    )
    func unsupported() async throws {
        let fixture = try await ServiceFixture()
        let scene = try await Scene(fixture)
        let start = "/fhir/Observation?patient=\(scene.record.text)"
        try await fixture.serve { client in
            for query in [
                "value-quantity=5", "code:text=x", "date=spring", "_sort=value-quantity", "_count=x", "patient=nobody",
            ] {
                let answer = try await client.send(.get, "\(start)&\(query)")
                #expect(answer.status == 400, "\(query)")
                #expect(answer.json["resourceType"] == "OperationOutcome", "\(query)")
            }
            #expect(try await client.send(.get, "/fhir/Observation").status == 400)
            let answer = try await client.send(.get, "\(start)&_include=Observation:subject&_count=2")
            #expect(answer.status == 200)
            let own = answer.items("link").first { $0["relation"] == "self" }?.text("url")
            #expect(own?.hasSuffix("\(start)&_count=2") == true, "\(own ?? "")")
            #expect(try await client.send(.get, start, nil, [("Accept", "application/fhir+xml")]).status == 406)
            #expect(try await client.send(.get, "\(start)&_format=xml").status == 406)
            #expect(try await client.send(.get, "/fhir/Observation/\(UUID().text)").status == 404)
            // No Bundle was imported, which is known before the answer begins.
            let source = "/v1/records/\(scene.record.text)/export?as=fhir-source"
            #expect(try await client.send(.get, source).status == 404)
            // A mistyped type must not look like a record without such resources.
            for type in ["AllergyIntolerances", "allergyintolerance", "Observations"] {
                let mistyped = start.replacing("/Observation", with: "/\(type)")
                #expect(try await client.send(.get, mistyped).status == 404, "\(mistyped)")
            }
            #expect(try await client.send(.delete, "/fhir/Observation/\(UUID().text)").status == 405)
            #expect(try await client.with(nil).send(.get, start).json["resourceType"] == "OperationOutcome")
            #expect(try await client.with(nil).send(.get, start).status == 401)
            #expect(try await client.with(nil).send(.get, "/fhir/metadata").json["fhirVersion"] == "4.0.1")
            let form = try await client.send(
                .post,
                "/fhir/Patient/_search",
                "name=web",
                [("Content-Type", "application/x-www-form-urlencoded")]
            )
            #expect(Self.ids(form) == [scene.record.text])
        }
    }

    @Test("A resource has versions; a retracted one is gone, and is there in the past")
    func versions() async throws {
        let fixture = try await ServiceFixture()
        let scene = try await Scene(fixture)
        let (journal, owner, weight) = (fixture.journal, fixture.owner, scene.weights[0])
        let path = "Observation/\(weight.text)"
        try await fixture.serve { client in
            let first = try await client.send(.get, "/fhir/\(path)")
            let tag = try #require(first.headers[.eTag])
            #expect(first.status == 200)
            #expect(tag.hasPrefix("W/\""))
            #expect(try await client.send(.get, "/fhir/\(path)", nil, [("If-None-Match", tag)]).status == 304)
            #expect(first.json["subject"]?["reference"] == .string("Patient/\(scene.record.text)"))
            let before = try journal.log.head()
            _ = try await journal.entries.correctEntry(weight, owner) { content throws(ModelError) in
                try content.set("value", text: "73.5")
            }
            let corrected = try await client.send(.get, "/fhir/\(path)")
            #expect(corrected.json["valueQuantity"]?["value"] == .number("73.5"))
            _ = try await journal.entries.retractEntry(weight, owner)
            let gone = try await client.send(.get, "/fhir/\(path)")
            #expect(gone.status == 410)
            #expect(gone.json["resourceType"] == "OperationOutcome")
            let past = try await client.send(.get, "/fhir/at/\(before)/\(path)")
            #expect(past.status == 200)
            #expect(past.json == first.json)
            let history = try await client.send(.get, "/fhir/\(path)/_history")
            let methods = history.items("entry").map { $0["request"]?["method"] }
            #expect(methods == ["DELETE", "PUT", "POST"])
            let version = tag.dropFirst(3).dropLast()
            #expect(try await client.send(.get, "/fhir/\(path)/_history/\(version)").json == first.json)
            #expect(try await client.send(.get, "/fhir/\(path)/_history/1").status == 404)
            #expect(try await client.send(.get, "/fhir/at/2001-01-01/\(path)").status == 404)
            #expect(try await client.send(.get, "/fhir/at/spring/\(path)").status == 400)
            let list = "Observation?patient=\(scene.record.text)&code=29463-7"
            #expect(Self.ids(try await client.send(.get, "/fhir/\(list)")).count == 2)
            #expect(Self.ids(try await client.send(.get, "/fhir/at/\(before)/\(list)")).count == 3)
        }
    }

    @Test("A file is served as its bytes or as a resource, and a record with everything in it or as a summary")
    func wholes() async throws {
        let fixture = try await ServiceFixture()
        let scene = try await Scene(fixture)
        try await fixture.serve { client in
            let reference = try await client.send(.get, "/fhir/DocumentReference/\(scene.letter.text)")
            #expect(reference.text.contains("Binary/\(scene.letter.text)"))
            #expect(!reference.text.contains("\"data\""))
            let bytes = try await client.send(
                .get,
                "/fhir/Binary/\(scene.letter.text)",
                nil,
                [("Accept", "text/plain")]
            )
            #expect(bytes.text == "Seen in the letter")
            let binary = try await client.send(
                .get,
                "/fhir/Binary/\(scene.letter.text)",
                nil,
                [("Accept", "application/fhir+json")]
            )
            #expect(binary.json["data"] == .string(Data("Seen in the letter".utf8).base64EncodedString()))
            let patient = "/fhir/Patient/\(scene.record.text)"
            let everything = try await client.send(.get, "\(patient)/$everything")
            #expect(Self.ids(everything).count == 8)
            #expect(Self.ids(everything).first == scene.record.text)
            let some = try await client.send(.get, "\(patient)/$everything?_type=Practitioner,Patient")
            #expect(Self.ids(some) == [scene.record.text, scene.doctor.text])
            let summary = try await client.send(.get, "\(patient)/$summary")
            #expect(summary.json["type"] == "document")
            #expect(summary.text.contains("Penicillin"))
        }
    }

    @Test("Each answer is audited, with the entries that it shows and no others")
    func audited() async throws {
        let fixture = try await ServiceFixture()
        let scene = try await Scene(fixture)
        let head = try fixture.journal.log.head()
        try await fixture.serve { client in
            _ = try await client.send(.get, "/fhir/Observation?patient=\(scene.record.text)&date=2026-01-05")
            _ = try await client.send(.get, "/fhir/Observation/\(scene.weights[1].text)")
        }
        let accesses = try await fixture.journal.trail.accesses(of: scene.record, fixture.owner)
            .filter { $0.stamp.position > head }
        let shown = accesses.compactMap { ($0.event.data as? RecordRead)?.access }
        #expect(shown.map(\.entryCount) == [1, 1])
        #expect(shown.map(\.action) == [.read, .read])
    }

    @Test("Each address has its own page, read for the first time or again, now and after a change")
    func addresses() async throws {
        let fixture = try await ServiceFixture()
        let scene = try await Scene(fixture)
        let (record, weights) = (scene.record.text, scene.weights.map(\.text))
        // Of the pages of a caregiver, no address names a position: all of them are of the present.
        let caregiver = try await fixture.account("x", .person, .full).id
        let terms = GrantTerms(verbs: [.read])
        _ = try await fixture.journal.sharing.grant(terms, to: caregiver, on: scene.record, fixture.owner)
        let token = try await fixture.journal.accounts
            .issueToken(to: caregiver, scope: .full, expires: nil, fixture.owner)
            .secret
        try await fixture.serve { client in
            let search = "/fhir/Observation?patient=\(record)"
            for _ in 0..<2 {
                var page = try await client.with(token).send(.get, search + "&_count=1")
                var pages = [Self.ids(page)]
                while let next = Self.next(page) {
                    #expect(!next.contains("/at/"))
                    page = try await client.with(token).send(.get, next)
                    pages.append(Self.ids(page))
                }
                #expect(pages.allSatisfy { $0.count == 1 } && Set(pages.flatMap(\.self)).count == 4)
            }
            let addresses =
                ["", "&_sort=date", "&_sort=-date", "&_count=2", "&_count=2&_total=accurate", "&_summary=count"]
                .map { search + $0 } + [
                    search + "&date=2026-02", search + "&code=29463-7", "/fhir/Observation?_id=\(weights[0])",
                    "/fhir/Patient/\(record)/$everything", "/fhir/Patient/\(record)/$everything?_type=Observation",
                    "/fhir/Patient/\(record)/$everything?_type=Observation,Patient",
                ]
            var answers: [String: String] = [:]
            for address in addresses { answers[address] = try await client.send(.get, address).text }
            #expect(Set(answers.values).count == addresses.count)
            for address in addresses.reversed() {
                #expect(try await client.send(.get, address).text == answers[address], "\(address)")
            }
            let form = [("Content-Type", "application/x-www-form-urlencoded")]
            let body = "patient=\(record)&_count=2"
            #expect(
                try await client.send(.post, "/fhir/Observation/_search", body, form).text
                    == answers[search + "&_count=2"]
            )

            let correction = #"{"date": "2026-01-05", "value": "73.125", "unit": "kg"}"#
            let entry = "/v1/records/\(record)/entries/weight/\(weights[0])?reason=typo"
            #expect(try await client.send(.put, entry, correction).status == 200)
            for address in addresses where !address.contains("_summary") && !address.contains("date=2026-02") {
                for _ in 0..<2 {
                    let text = try await client.send(.get, address).text
                    #expect(text.contains("73.125"), "\(address)")
                    #expect(!text.contains("72.5"), "\(address)")
                }
            }
        }
    }

    @Test("Nobody sees more than their grant permits, and what is left out is said", arguments: Asker.allCases)
    func grants(_ asker: Asker) async throws {
        let fixture = try await ServiceFixture()
        let scene = try await Scene(fixture)
        let (journal, owner) = (fixture.journal, fixture.owner)
        let account = asker.ownsRecord ? owner.account : try await fixture.account("x", asker.kind, asker.scope).id
        let token =
            asker == .nobody
            ? nil : try await journal.accounts.issueToken(to: account, scope: asker.scope, expires: nil, owner).secret
        if let terms = asker.terms(journal.today) {
            _ = try await journal.sharing.grant(terms, to: account, on: scene.record, owner)
        }
        if asker == .revoked { _ = try await journal.sharing.revoke(account, on: scene.record, owner) }
        if asker == .inEmergency {
            _ = try await journal.sharing.openEmergency(
                scene.record,
                journal.accounts.caller(account.text, source: .http, reason: "found unconscious")
            )
        }
        let wanted: Set<String> =
            switch asker {
            case .owner, .ownerReading: ["profile", "weight", "allergy", "doctor", "file"]
            // The profile belongs to the health section, and so do documents.
            case .readsAll, .lastDay: ["profile", "weight", "allergy", "doctor", "file"]
            case .readsDoctors: ["doctor"]
            case .contributesHealth: ["profile", "weight", "allergy", "file"]
            case .inEmergency: ["allergy"]
            default: []
            }
        let seen = try await fixture.serve { client in
            let client = client.with(token)
            let patient = "Patient/\(scene.record.text)"
            var addresses = ["Observation", "AllergyIntolerance", "Practitioner", "DocumentReference"]
                .map { "\($0)?patient=\(patient)" }
            addresses += ["Patient", patient, "\(patient)/$everything", "Practitioner/\(scene.doctor.text)"]
            addresses += ["Practitioner/\(scene.doctor.text)/_history", "Binary/\(scene.letter.text)"]
            addresses += scene.weights.map { "Observation/\($0.text)" }
            var seen: Set<String> = []
            for address in addresses {
                let answer = try await client.send(.get, "/fhir/\(address)")
                #expect(answer.status < 500, "\(address)")
                let words = [
                    "Hidden Employer AG": "profile", "72.5": "weight", "Penicillin": "allergy", "Dr. Berg": "doctor",
                    "Seen in the letter": "file",
                ]
                seen.formUnion(words.filter { answer.text.contains($0.key) }.values)
                if answer.status == 200, address == "\(patient)/$everything" {
                    let isPartial = answer.text.contains("suppressed")
                    #expect(isPartial == ![.owner, .ownerReading, .readsAll, .lastDay].contains(asker), "\(asker)")
                }
            }
            return seen
        }
        #expect(seen == wanted, "\(asker)")
    }

    @Test("References of an imported document lead to the resources of the service, and its Patient is the record's")
    func imported() async throws {
        let fixture = try await ServiceFixture()
        var caller = fixture.owner
        caller.source = .import
        let encounter: JSONValue = ["encounter": ["reference": "https://hospital.example/fhir/Encounter/e1"]]
        let bundle = FHIRTexts.bundle([
            ["resourceType": "Encounter", "id": "e1", "status": "finished"], FHIRTexts.condition("2010-05", encounter),
            FHIRTexts.document,
        ])
        let documents = try FHIRDocument.read(
            JSONWriter.bytes(bundle),
            options: fixture.journal.imports.fhirOptions(isTrial: false)
        )
        let record = try await fixture.journal.imports.take(documents, caller)[0].record
        try await fixture.serve { client in
            let found = try await client.send(.get, "/fhir/Condition?patient=\(record.text)")
            let condition = try #require(found.items("entry").first?["resource"])
            #expect(condition["subject"]?["reference"] == .string("Patient/\(record.text)"))
            guard case .string(let reference)? = condition["encounter"]?["reference"] else {
                Issue.record("no encounter")
                return
            }
            let led = try await client.send(.get, "/fhir/\(reference)")
            #expect(led.status == 200)
            #expect(led.json["resourceType"] == "Encounter")
            #expect(led.json["status"] == "finished")
            let patient = try await client.send(.get, "/fhir/Patient/\(record.text)")
            #expect(patient.json["maritalStatus"]?["text"] == "widowed")
            #expect(patient.json["id"] == .string(record.text))
            let letters = try await client.send(.get, "/fhir/DocumentReference?patient=\(record.text)")
            #expect(letters.text.contains("Binary/"))
            #expect(!letters.text.contains("SGVsbG8h"))
        }
    }

    @Test("Grants, accesses and changes are served to those who may see them, and a change with the proof of its event")
    func trail() async throws {
        let fixture = try await ServiceFixture()
        let scene = try await Scene(fixture)
        let (journal, owner, weight) = (fixture.journal, fixture.owner, scene.weights[0])
        let helper = try await fixture.account("Berta Helper")
        let terms = GrantTerms(sections: [.myhealth], verbs: [.read], until: journal.today)
        _ = try await journal.sharing.grant(terms, to: helper.id, on: scene.record, owner)
        var caller = owner
        caller.reason = "misread the scale"
        _ = try await journal.entries.correctEntry(weight, caller) { content throws(ModelError) in
            try content.set("value", text: "73.5")
        }
        let patient = "patient=\(scene.record.text)"
        try await fixture.serve { client in
            func resources(_ address: String) async throws -> [JSONValue] {
                try await client.send(.get, "/fhir/\(address)").items("entry").compactMap { $0["resource"] }
            }
            let consent = try #require(try await resources("Consent?\(patient)").first)
            #expect(consent["status"] == "active")
            #expect("\(consent)".contains("Berta Helper"))
            #expect(
                consent["provision"]?["securityLabel"] == [["system": "urn:healthjournal:section", "code": "myhealth"]]
            )
            let before = try journal.log.head()
            _ = try await journal.sharing.revoke(helper.id, on: scene.record, owner)
            #expect(try await resources("Consent?\(patient)").map { $0["status"] } == ["inactive"])
            #expect(try await resources("Consent?\(patient)&status=active").isEmpty)
            #expect(try await resources("at/\(before)/Consent?\(patient)").map { $0["status"] } == ["active"])

            _ = try await client.with(helper.token).send(.get, "/fhir/Observation?\(patient)")
            let events = try await resources("AuditEvent?\(patient)")
            let refused = events.filter { $0["outcome"] == "4" }
            #expect(refused.count == 1)
            #expect("\(refused)".contains(helper.id.text))
            let paged = try await client.send(.get, "/fhir/AuditEvent?\(patient)&_count=1")
            #expect(paged.items("entry").compactMap { $0["resource"] } == Array(events.prefix(1)))
            let second = try await client.send(.get, try #require(Self.next(paged)))
            #expect(second.items("entry").compactMap { $0["resource"] } == [events[1]])

            let changes = try await resources("Provenance?target=Observation/\(weight.text)")
            let activities = changes.compactMap { change -> JSONValue? in
                guard case .array(let codings)? = change["activity"]?["coding"] else { return nil }
                return codings.first?["code"]
            }
            #expect(activities == ["CREATE", "UPDATE"])
            #expect(changes.last?["reason"] == [["text": "misread the scale"]])
            guard case .array(let extensions)? = changes.last?["extension"],
                case .string(let data)? = extensions.first?["valueAttachment"]?["data"],
                case .string(let version)? = changes.last?["meta"]?["versionId"]
            else {
                Issue.record("no proof")
                return
            }
            let proof = try InclusionProof(parsing: [UInt8](try #require(Data(base64Encoded: data))))
            #expect(proof.index == UInt64(version).map { $0 - 1 })
            _ = try proof.check(try #require(proof.leaf), verifiedBy: [try #require(journal.log.verifier)])
            let one = try await resources("Provenance?target=Observation/\(weight.text)/_history/\(version)")
            #expect(one.map { $0["id"] } == [changes.last?["id"]])
            for resource in [consent, events[0], changes[0]] {
                guard case .string(let type)? = resource["resourceType"], case .string(let id)? = resource["id"] else {
                    continue
                }
                let found = try await client.send(.get, "/fhir/\(type)/\(id)")
                #expect(found.status == 200, "\(type)")
                #expect(found.json["id"] == .string(id), "\(type)")
            }
            // A caregiver sees neither who else has access nor who looked.
            for address in ["Consent?\(patient)", "AuditEvent?\(patient)"] {
                #expect(try await client.with(helper.token).send(.get, "/fhir/\(address)").status == 403)
            }
            let stranger = client.with(helper.token)
            #expect(try await stranger.send(.get, "/fhir/Provenance?target=Observation/\(weight.text)").status == 404)
            #expect(try await client.send(.get, "/fhir/Provenance").status == 400)
        }
    }

    @Test("The same relative reference of two sources leads to two entries")
    func sources() async throws {
        let fixture = try await ServiceFixture()
        var caller = fixture.owner
        caller.source = .import
        let record = try await Scene(fixture).record
        for server in ["https://a.example/fhir", "https://b.example/fhir"] {
            func entry(_ resource: JSONValue) -> JSONValue {
                guard case .string(let type)? = resource["resourceType"], case .string(let id)? = resource["id"] else {
                    return [:]
                }
                return ["fullUrl": .string("\(server)/\(type)/\(id)"), "resource": resource]
            }
            let bundle: JSONValue = [
                "resourceType": "Bundle", "type": "collection",
                "entry": [
                    entry(["resourceType": "Encounter", "id": "1", "status": "finished", "language": .string(server)]),
                    entry(
                        FHIRTexts.condition(
                            "2010-05",
                            ["encounter": ["reference": "Encounter/1"], "language": .string(server)]
                        )
                    ),
                ],
            ]
            let options = try fixture.journal.imports.fhirOptions(of: record, isTrial: false)
            let documents = try FHIRDocument.read(JSONWriter.bytes(bundle), options: options)
            _ = try await fixture.journal.imports.take(documents, caller)
        }
        try await fixture.serve { client in
            let found = try await client.send(.get, "/fhir/Condition?patient=\(record.text)").items("entry")
            #expect(found.count == 2)
            for condition in found.compactMap({ $0["resource"] }) {
                guard case .string(let reference)? = condition["encounter"]?["reference"] else { continue }
                let encounter = try await client.send(.get, "/fhir/\(reference)")
                #expect(encounter.json["language"] == condition["language"])
            }
        }
    }

    @Test("A caregiver's Patient has no version, of which they may not know; nobody can bring the text of a source")
    func limits() async throws {
        let fixture = try await ServiceFixture()
        let scene = try await Scene(fixture)
        let (journal, owner) = (fixture.journal, fixture.owner)
        let helper = try await fixture.account("Berta Helper")
        let terms = GrantTerms(sections: [.myhealth], verbs: [.read, .contribute], until: journal.today)
        _ = try await journal.sharing.grant(terms, to: helper.id, on: scene.record, owner)
        let patient = "/fhir/Patient/\(scene.record.text)"
        try await fixture.serve { client in
            #expect(try await client.send(.get, patient).headers[.eTag] != nil)
            let berta = client.with(helper.token)
            let seen = try await berta.send(.get, patient)
            #expect(seen.status == 200)
            #expect(seen.headers[.eTag] == nil)
            #expect(seen.json["meta"] == nil)
            let text = #"{"value": "70", "unit": "kg", "extra": {"$fhir.resource": {"resourceType": "Observation"}}}"#
            let path = "/v1/records/\(scene.record.text)/entries/weight"
            #expect(try await berta.send(.post, path, text).status == 400)
            // What an import brought may be sent back with a correction.
            #expect(try await client.send(.get, "\(patient)/$everything").status == 200)

            // Its own reads are on no page, so that paging ends.
            var address: String? = "/fhir/AuditEvent?patient=\(scene.record.text)&_count=1"
            var pages = 0
            while let next = address, pages < 30 {
                let page = try await client.send(.get, next)
                (address, pages) = (Self.next(page), pages + 1)
            }
            #expect(pages < 30)
            for query in ["type=110113", "_sort=-date", "_id=x"] {
                let answer = try await client.send(.get, "/fhir/AuditEvent?patient=\(scene.record.text)&\(query)")
                #expect(answer.status == 400, "\(query)")
            }
            for query in ["_has:Observation:patient:code=1", "_tag=x", "_id:not=x"] {
                let answer = try await client.send(.get, "/fhir/Observation?patient=\(scene.record.text)&\(query)")
                #expect(answer.status == 400, "\(query)")
            }
            // An entry that may not be seen is as unknown as one that does not exist.
            let stranger = client.with(try await fixture.account("Stranger").token)
            for id in [scene.weights[0], UUID()] {
                let answer = try await stranger.send(.get, "/fhir/Observation?_id=\(id.text)")
                #expect(answer.status == 200)
                #expect(answer.json["total"] == 0)
                #expect(!answer.text.contains("suppressed"))
            }
            // As of a day on which the grant was still open.
            let past = try await client.send(.get, "/fhir/at/\(journal.today)/Consent?patient=\(scene.record.text)")
            #expect(past.items("entry").first?["resource"]?["status"] == "active")
        }
    }
}
