import EventLog
import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Interchange
import TestSupport
import Testing

@testable import JournalCore
@testable import JournalServer

@Suite("Searching as FHIR")
struct FHIRSearchServiceTests {
    /// A record with resources of a hospital, each with its id there as the end of its language.
    private struct Scene {
        let record: UUID

        init(_ fixture: ServiceFixture) async throws {
            var caller = fixture.owner
            caller.source = .import
            let documents = try FHIRDocument.read(
                JSONWriter.bytes(FHIRTexts.bundle(Self.resources)),
                options: fixture.journal.imports.fhirOptions(isTrial: false)
            )
            record = try await fixture.journal.imports.take(documents, caller)[0].record
        }

        private static let patient: JSONValue = ["reference": "Patient/p1"]

        private static func resource(_ type: String, _ id: String, _ members: JSONValue) -> JSONValue {
            let head: JSONValue = ["resourceType": .string(type), "id": .string(id), "language": .string("x-\(id)")]
            return .object(head.members + members.members)
        }

        private static func coded(_ system: String, _ code: String) -> JSONValue {
            ["coding": [["system": .string(system), "code": .string(code)]]]
        }

        private static func result(_ id: String, _ date: String, _ code: String) -> JSONValue {
            resource(
                "Observation",
                id,
                [
                    "status": "final",
                    "category": [coded("http://terminology.hl7.org/CodeSystem/observation-category", "laboratory")],
                    "code": coded("http://loinc.org", code), "subject": patient, "effectiveDateTime": .string(date),
                    "valueQuantity": ["value": 1, "unit": "mmol/l"],
                    "text": ["status": "generated", "div": "<div xmlns=\"http://www.w3.org/1999/xhtml\">result</div>"],
                ]
            )
        }

        private static func condition(_ id: String, _ status: String, _ members: JSONValue) -> JSONValue {
            let system = "http://terminology.hl7.org/CodeSystem/condition-clinical"
            let first: JSONValue = [
                "clinicalStatus": coded(system, status), "code": ["text": .string(id)], "subject": patient,
            ]
            return resource("Condition", id, .object(first.members + members.members))
        }

        private static func prescription(_ id: String, _ status: String, _ authored: String) -> JSONValue {
            resource(
                "MedicationRequest",
                id,
                [
                    "contained": [["resourceType": "Medication", "id": "m", "code": ["text": .string(id)]]],
                    "status": .string(status), "intent": "order", "medicationReference": ["reference": "#m"],
                    "subject": patient, "authoredOn": .string(authored),
                ]
            )
        }

        private static func allergy(_ id: String, _ criticality: String) -> JSONValue {
            resource(
                "AllergyIntolerance",
                id,
                ["criticality": .string(criticality), "code": ["text": .string(id)], "patient": patient]
            )
        }

        private static func encounter(_ id: String, _ code: String) -> JSONValue {
            let system = "http://terminology.hl7.org/CodeSystem/v3-ActCode"
            return resource(
                "Encounter",
                id,
                [
                    "status": "finished", "class": ["system": .string(system), "code": .string(code)],
                    "subject": patient, "period": ["start": "2025-01-02", "end": "2025-01-04"],
                ]
            )
        }

        private static let resources: [JSONValue] = [
            result("r1", "2026-01-05", "2951-2"), result("r2", "2026-02-01", "2823-3"),
            result("r3", "2026-01-05", "2823-3"), result("r4", "2026-02-01", "2951-2"),
            condition("c1", "active", ["onsetDateTime": "2010-05"]),
            condition("c2", "resolved", ["onsetPeriod": ["start": "2012-01-01", "end": "2013-06-01"]]),
            condition("c3", "active", ["onsetString": "as a child"]),
            prescription("m1", "active", "2025-02-03T10:00:00+01:00"), prescription("m2", "stopped", "2025-05-01"),
            allergy("a1", "high"), allergy("a2", "low"), encounter("e1", "AMB"), encounter("e2", "IMP"),
            resource(
                "Coverage",
                "v1",
                ["status": "active", "beneficiary": patient, "payor": [["display": "Insurance"]]]
            ),
        ]
    }

    /// The ids that the resources of an answer have at the hospital.
    private static func marks(_ answer: Answer) -> [String] {
        answer.items("entry")
            .compactMap { item in
                item["resource"]?.text("language").map { String($0.dropFirst("x-".count)) }
            }
    }

    private static func link(_ relation: String, _ answer: Answer) -> String? {
        answer.items("link").first { $0["relation"] == .string(relation) }?.text("url")?
            .split(separator: "/fhir").last.map { "/fhir\($0)" }
    }

    /// The marks of each page of a search.
    private static func pages(_ client: ServiceClient, _ address: String) async throws -> [[String]] {
        var (address, pages): (String?, [[String]]) = (address, [])
        while let next = address, pages.count < 30 {
            let page = try await client.send(.get, next)
            #expect(page.status == 200, "\(next): \(page.text.prefix(300))")
            pages.append(marks(page))
            address = link("next", page)
        }
        return pages
    }

    private static func names(_ resource: JSONValue?) -> Set<String> { Set(resource?.members.map(\.name) ?? []) }

    private static func isSubsetted(_ resource: JSONValue?) -> Bool {
        guard case .array(let tags)? = resource?["meta"]?["tag"] else { return false }
        return tags.contains { $0["code"] == "SUBSETTED" }
    }

    @Test("The compartment of a Patient and a reference of any form are the same search")
    func compartment() async throws {
        let fixture = try await ServiceFixture()
        let record = try await Scene(fixture).record.text
        try await fixture.serve { client in
            for type in ["Observation", "Condition", "MedicationRequest", "Coverage", "Encounter", "Practitioner"] {
                for query in ["", "status=active", "_summary=count", "_sort=-_lastUpdated,_id"] {
                    let whole = try await client.send(.get, "/fhir/\(type)?patient=\(record)&\(query)")
                    let part = try await client.send(.get, "/fhir/Patient/\(record)/\(type)?\(query)")
                    #expect(part.status == 200, "\(type) \(query)")
                    #expect(part.json["total"] == whole.json["total"], "\(type) \(query)")
                    #expect(part.items("entry") == whole.items("entry"), "\(type) \(query)")
                    let own = Self.link("self", part) ?? ""
                    #expect(own.hasPrefix("/fhir/Patient/\(record)/\(type)"), "\(own)")
                    #expect(!own.contains("patient="), "\(own)")
                }
            }
            let start = "/fhir/Patient/\(record)/Observation"
            #expect(try await Self.pages(client, "\(start)?_count=1") == [["r1"], ["r2"], ["r3"], ["r4"]])
            #expect(try await Self.pages(client, "\(start)?_count=3&_sort=date") == [["r1", "r3", "r2"], ["r4"]])
            let form = [("Content-Type", "application/x-www-form-urlencoded")]
            let posted = try await client.send(.post, "\(start)/_search", "code=2823-3", form)
            #expect(Self.marks(posted) == ["r2", "r3"])
            let past = try await client.send(
                .get,
                "/fhir/at/\(try fixture.journal.log.head())/Patient/\(record)/Encounter"
            )
            #expect(Self.marks(past) == ["e1", "e2"])
            #expect(try await client.send(.get, "\(start)/\(UUID().text)").status == 404)
            let refused = [
                "Patient/\(record)/Observations": 404, "Practitioner/\(record)/Observation": 404,
                "Patient/x/Observation": 404, "Patient/\(UUID().text)/Observation": 404,
                "Patient/\(record)/Patient": 400, "Patient/\(record)/Provenance": 400,
                "Patient/\(record)/Observation?patient=\(UUID().text)": 400,
                "Patient/\(record)/Observation?favourite=1": 400,
            ]
            for (address, status) in refused {
                let answer = try await client.send(.get, "/fhir/\(address)")
                #expect(answer.status.description == "\(status)", "\(address)")
                #expect(answer.json["resourceType"] == "OperationOutcome", "\(address)")
            }

            let patient = try #require(
                try await client.send(.get, "/fhir/Patient/\(record)/$everything").items("entry").first?.text("fullUrl")
            )
            for reference in [
                "patient:Patient=\(record)", "subject:Patient=\(record)", "subject=Patient/\(record)",
                "patient=\(patient)", "subject=\(patient)", "subject=\(patient.replacing("http:", with: "https:"))",
            ] {
                let found = try await client.send(.get, "/fhir/Observation?\(reference)")
                #expect(Self.marks(found) == ["r1", "r2", "r3", "r4"], "\(reference): \(found.text.prefix(300))")
            }
            for reference in [
                "subject:Group=\(record)", "subject=Group/\(record)", "subject:Practitioner=\(record)",
                "subject=https://hospital.example/fhir/Patient/\(record)", "beneficiary=\(record)",
            ] {
                #expect(try await client.send(.get, "/fhir/Observation?\(reference)").status == 400, "\(reference)")
            }
        }
    }

    @Test("Resources are sorted by several keys, each in its direction, and equal ones stay as they were added")
    func sorted() async throws {
        let fixture = try await ServiceFixture()
        let record = try await Scene(fixture).record.text
        try await fixture.serve { client in
            let start = "/fhir/Observation?patient=\(record)"
            for (keys, marks) in [
                ("date,code", ["r3", "r1", "r2", "r4"]), ("-date,code", ["r2", "r4", "r3", "r1"]),
                ("date,-code", ["r1", "r3", "r4", "r2"]), ("code,-date", ["r2", "r3", "r4", "r1"]),
                ("-code,date", ["r1", "r4", "r3", "r2"]), ("status,-date,-code", ["r4", "r2", "r1", "r3"]),
                ("status", ["r1", "r2", "r3", "r4"]), ("-status", ["r1", "r2", "r3", "r4"]),
                ("-date", ["r2", "r4", "r1", "r3"]), ("category,_lastUpdated", ["r1", "r2", "r3", "r4"]),
            ] {
                let whole = try await client.send(.get, "\(start)&_sort=\(keys)")
                #expect(Self.marks(whole) == marks, "\(keys): \(whole.text.prefix(300))")
                let pages = try await Self.pages(client, "\(start)&_count=1&_sort=\(keys)")
                #expect(pages == marks.map { [$0] }, "\(keys)")
            }
            let ids = try await client.send(.get, "\(start)&_sort=-_id").items("entry")
                .compactMap { $0["resource"]?.text("id") }
            #expect(ids.count == 4)
            #expect(ids == ids.sorted(by: >))
            // A condition whose onset is no date is last either way.
            for (key, marks) in [("onset-date", ["c1", "c2", "c3"]), ("-onset-date", ["c2", "c1", "c3"])] {
                let found = try await client.send(.get, "/fhir/Condition?patient=\(record)&_sort=\(key)")
                #expect(Self.marks(found) == marks, "\(key)")
            }
            for keys in ["date,favourite", "favourite", "date,", "", "--date", "date,authoredon", "-"] {
                let answer = try await client.send(.get, "\(start)&_sort=\(keys)")
                #expect(answer.status == 400, "\(keys)")
                #expect(answer.text.contains("_sort"), "\(keys)")
            }

            let (journal, owner) = (fixture.journal, fixture.owner)
            for (given, family, birth) in [("Ida", "Berg", "1990-02-01"), ("Ada", "Berg", "1950"), ("Eva", "Abt", "")] {
                var profile = RecordProfile(subject: .human)
                try profile.set("givenName", text: given)
                try profile.set("familyName", text: family)
                if !birth.isEmpty { try profile.set("birthdate", text: birth) }
                _ = try await journal.records.createRecord(profile, owner)
            }
            for (keys, given) in [
                ("family,-given", ["Eva", "Ida", "Ada", "Maria"]), ("-family,given", ["Maria", "Ada", "Ida", "Eva"]),
                ("-birthdate", ["Ida", "Ada", "Maria", "Eva"]), ("birthdate", ["Maria", "Ada", "Ida", "Eva"]),
            ] {
                let found = try await client.send(.get, "/fhir/Patient?_sort=\(keys)").items("entry")
                    .compactMap { item -> JSONValue? in
                        guard case .array(let names)? = item["resource"]?["name"],
                            case .array(let given)? = names.first?["given"]
                        else { return nil }
                        return given.first
                    }
                #expect(found == given.map { .string($0) }, "\(keys)")
            }
            #expect(try await client.send(.get, "/fhir/Patient?_sort=_lastUpdated").status == 400)
        }
    }

    @Test("Resources are found by the parameters of their types, and metadata lists these")
    func parameters() async throws {
        let fixture = try await ServiceFixture()
        let record = try await Scene(fixture).record.text
        try await fixture.serve { client in
            let expected: [(String, String, [String])] = [
                ("Coverage", "beneficiary=Patient/\(record)", ["v1"]),
                ("Coverage", "beneficiary:Patient=\(record)", ["v1"]),
                ("MedicationRequest", "authoredon=2025-02", ["m1"]),
                ("MedicationRequest", "authoredon=ge2025-02-04", ["m2"]),
                ("MedicationRequest", "authoredon=2025-02-03T09:00:00Z", ["m1"]),
                ("MedicationRequest", "authoredon=2025-02-03,2025-05-01&_sort=-authoredon", ["m2", "m1"]),
                ("Condition", "onset-date=2010", ["c1"]), ("Condition", "onset-date=sa2011", ["c2"]),
                ("Condition", "onset-date=lt2020", ["c1", "c2"]),
                ("Condition", "clinical-status=active", ["c1", "c3"]),
                (
                    "Condition",
                    "clinical-status=http://terminology.hl7.org/CodeSystem/condition-clinical|resolved", ["c2"]
                ),
                ("Encounter", "class=IMP", ["e2"]),
                ("Encounter", "class=http://terminology.hl7.org/CodeSystem/v3-ActCode|AMB,IMP", ["e1", "e2"]),
                ("Encounter", "class=http://example.org|AMB", []),
                ("AllergyIntolerance", "criticality=high", ["a1"]),
                ("AllergyIntolerance", "criticality=high,low", ["a1", "a2"]),
            ]
            for (type, query, marks) in expected {
                let more = type == "Coverage" ? "" : "&patient=\(record)"
                let found = try await client.send(.get, "/fhir/\(type)?\(query)\(more)")
                #expect(found.status == 200, "\(query): \(found.text.prefix(300))")
                #expect(Self.marks(found) == marks, "\(query)")
            }
            // A parameter of another type filters, and is refused.
            for query in ["Observation?class=AMB", "Condition?authoredon=2025", "Encounter?onset-date=2025"] {
                #expect(try await client.send(.get, "/fhir/\(query)&patient=\(record)").status == 400, "\(query)")
            }
            let metadata = try await client.send(.get, "/fhir/metadata")
            guard case .array(let rest)? = metadata.json["rest"], case .array(let types)? = rest.first?["resource"]
            else {
                Issue.record("no types")
                return
            }
            for (type, query, _) in expected {
                guard case .array(let known)? = types.first(where: { $0.text("type") == type })?["searchParam"] else {
                    Issue.record("\(type) is not listed")
                    continue
                }
                let name = query.prefix { $0 != "=" && $0 != ":" }
                #expect(known.contains { $0.text("name") == String(name) }, "\(query)")
            }
            #expect(rest.first?["compartment"] == ["http://hl7.org/fhir/CompartmentDefinition/patient"])
            guard case .array(let results)? = rest.first?["searchParam"] else {
                Issue.record("no parameters of results")
                return
            }
            let names = results.compactMap { $0.text("name") }
            #expect(Set(names).isSuperset(of: ["_sort", "_elements", "_summary", "_format", "_count"]))
        }
    }

    @Test("A search and a read can be of some elements or of a summary, which is marked; links keep what was asked for")
    func subsets() async throws {
        let fixture = try await ServiceFixture()
        let record = try await Scene(fixture).record.text
        try await fixture.serve { client in
            let start = "/fhir/Observation?patient=\(record)&code=2823-3"
            func resources(_ address: String) async throws -> [JSONValue] {
                let answer = try await client.send(.get, address)
                #expect(answer.status == 200, "\(address): \(answer.text.prefix(300))")
                return answer.items("entry").compactMap { $0["resource"] }
            }
            let whole = try await resources(start)
            #expect(whole.count == 2)
            #expect(!whole.contains { Self.isSubsetted($0) })
            #expect(try await resources("\(start)&_summary=false") == whole)
            // What a type demands is always there.
            let expected: [(String, Set<String>)] = [
                ("_elements=value,effective[x]", ["status", "code", "valueQuantity", "effectiveDateTime"]),
                ("_elements=category,value", ["status", "code", "category", "valueQuantity"]),
                ("_elements=identifier,absent", ["status", "code"]),
                ("_summary=true", ["status", "code", "subject", "effectiveDateTime", "valueQuantity"]),
                ("_summary=text", ["status", "code", "text"]),
                ("_summary=data", Self.names(whole.first).subtracting(["resourceType", "id", "meta", "text"])),
            ]
            for (query, names) in expected {
                let found = try await resources("\(start)&\(query)")
                #expect(found.map { $0["id"] } == whole.map { $0["id"] }, "\(query)")
                for resource in found {
                    #expect(Self.names(resource) == names.union(["resourceType", "id", "meta"]), "\(query)")
                    #expect(Self.isSubsetted(resource), "\(query)")
                    #expect(resource["meta"]?["versionId"] != nil, "\(query)")
                }
                let id = try #require(whole.first?.text("id"))
                let read = try await client.send(.get, "/fhir/Observation/\(id)?\(query)")
                #expect(read.json == found.first, "\(query)")
                let history = try await resources("/fhir/Observation/\(id)/_history?\(query)")
                #expect(history == Array(found.prefix(1)), "\(query)")
                let version = try #require(whole.first?["meta"]?.text("versionId"))
                let old = try await client.send(.get, "/fhir/Observation/\(id)/_history/\(version)?\(query)")
                #expect(old.json == found.first, "\(query)")

                let first = try await client.send(.get, "\(start)&_count=1&_sort=date,code&_format=json&\(query)")
                let next = try #require(Self.link("next", first))
                for parameter in ["_count=1", "_sort=date%2Ccode", "_format=json", String(query.prefix { $0 != "=" })] {
                    #expect(next.contains(parameter), "\(next)")
                    #expect(Self.link("self", first)?.contains(parameter) == true)
                }
                #expect(Self.isSubsetted(try await resources(next).first), "\(query)")
            }
            // A reference into the resource leads somewhere.
            let request = try #require(
                try await resources("/fhir/MedicationRequest?patient=\(record)&_elements=status").first
            )
            #expect(request["medicationReference"] != nil)
            #expect(request["contained"] != nil)
            let allergy = try await resources("/fhir/AllergyIntolerance?patient=\(record)&_elements=criticality").first
            #expect(
                Self.names(allergy) == ["resourceType", "id", "meta", "criticality", "patient"],
                "\(Self.names(allergy))"
            )
            let patient = try await client.send(.get, "/fhir/Patient/\(record)?_elements=birthDate")
            #expect(Self.names(patient.json) == ["resourceType", "id", "meta", "birthDate"])
            let everything = try await resources("/fhir/Patient/\(record)/$everything?_elements=id")
            #expect(everything.count == 15)
            #expect(everything.allSatisfy { Self.isSubsetted($0) })

            let counted = try await client.send(.get, "\(start)&_summary=count")
            #expect(counted.json["total"] == 2)
            #expect(counted.items("entry").isEmpty)
            let trail = try await client.send(.get, "/fhir/AuditEvent?patient=\(record)&_summary=count")
            #expect(trail.items("entry").isEmpty)
            guard case .number(let total)? = trail.json["total"] else {
                Issue.record("no total")
                return
            }
            #expect(Int(total).map { $0 > 10 } == true)
            for query in [
                "_summary=some", "_summary=", "_elements=", "_elements=code,", "_elements=name.family",
                "_elements=code&_summary=true", "_summary=text&_include=Observation:subject",
            ] {
                let answer = try await client.send(.get, "\(start)&\(query)")
                #expect(answer.status == 400, "\(query)")
                #expect(answer.json["resourceType"] == "OperationOutcome", "\(query)")
            }
            let id = try #require(whole.first?.text("id"))
            #expect(try await client.send(.get, "/fhir/Observation/\(id)?_summary=count").status == 400)
        }
    }

    @Test("JSON is served in each of its names, and XML is refused wherever it is asked for")
    func formats() async throws {
        let fixture = try await ServiceFixture()
        let record = try await Scene(fixture).record.text
        try await fixture.serve { client in
            let addresses = [
                "/fhir/metadata", "/fhir/Patient/\(record)", "/fhir/Observation?patient=\(record)",
                "/fhir/Patient/\(record)/Observation", "/fhir/Patient/\(record)/$everything",
            ]
            for address in addresses {
                func answer(_ format: String?, _ accept: String? = nil) async throws -> Answer {
                    let mark = address.contains("?") ? "&" : "?"
                    let query = format.map { "\(mark)_format=\($0)" } ?? ""
                    return try await client.send(.get, address + query, nil, accept.map { [("Accept", $0)] } ?? [])
                }
                for format in [
                    "json", "application/json", "application/fhir+json", "application%2Ffhir%2Bjson", "text/json",
                    "application/fhir%2Bjson;fhirVersion=4.0",
                ] {
                    #expect(try await answer(format).status == 200, "\(address) \(format)")
                    // The parameter overrides the header.
                    #expect(try await answer(format, "application/fhir+xml").status == 200, "\(address) \(format)")
                }
                for accept in ["application/fhir+json; fhirVersion=4.0", "*/*", "text/html, application/json;q=0.5"] {
                    #expect(try await answer(nil, accept).status == 200, "\(address) \(accept)")
                }
                for (format, accept) in [
                    ("xml", nil), ("application/fhir+xml", nil), ("text/xml", "application/json"), ("ttl", nil),
                    (nil, "application/fhir+xml"), (nil, "application/xml, text/html"),
                ] as [(String?, String?)] {
                    let refused = try await answer(format, accept)
                    #expect(refused.status == 406, "\(address) \(format ?? "") \(accept ?? "")")
                    #expect(refused.json["resourceType"] == "OperationOutcome", "\(address)")
                }
            }
            let form = [("Content-Type", "application/x-www-form-urlencoded")]
            let body = "patient=\(record)&_format=xml"
            #expect(try await client.send(.post, "/fhir/Observation/_search", body, form).status == 406)
        }
    }

    @Test("The header Prefer says what happens with unknown parameters")
    func handling() async throws {
        let fixture = try await ServiceFixture()
        let record = try await Scene(fixture).record.text
        try await fixture.serve { client in
            func answer(_ query: String, _ preference: String?) async throws -> Answer {
                try await client.send(
                    .get,
                    "/fhir/Observation?patient=\(record)&\(query)",
                    nil,
                    preference.map { [("Prefer", $0)] } ?? []
                )
            }
            let unknown = [
                "favourite=1", "code:text=x", "_sort=favourite", "class=AMB", "_has:Observation:patient:code=1",
            ]
            for query in unknown {
                for preference in [nil, "handling=strict", "return=minimal", "handling=other"] {
                    let refused = try await answer(query, preference)
                    #expect(refused.status == 400, "\(query)")
                    #expect(refused.text.contains(String(query.prefix { $0 != "=" })), "\(query)")
                    #expect(refused.json["resourceType"] == "OperationOutcome", "\(query)")
                }
                for preference in ["handling=lenient", "return=minimal, Handling=\"lenient\"", "handling=lenient; x"] {
                    let found = try await answer("\(query)&code=2823-3&_count=1", preference)
                    #expect(Self.marks(found) == ["r2"], "\(query) \(preference): \(found.text.prefix(300))")
                    let own = Self.link("self", found) ?? ""
                    #expect(own.hasSuffix("?patient=\(record)&code=2823-3&_count=1"), "\(own)")
                    // The link to the next page needs no header.
                    let next = try await client.send(.get, try #require(Self.link("next", found)))
                    #expect(Self.marks(next) == ["r3"], "\(query)")
                }
            }
            // Parameters of the form are ignored, unless the client wants to know.
            #expect(try await answer("_include=Observation:subject", nil).status == 200)
            #expect(try await answer("_include=Observation:subject", "handling=strict").status == 400)
            #expect(try await answer("_pretty=true&_format=json&_summary=true", "handling=strict").status == 200)
            // A value that cannot be read, or a search of no record, is an error anyway.
            for query in ["date=spring", "_summary=some", "_count=x"] {
                #expect(try await answer(query, "handling=lenient").status == 400, "\(query)")
            }
            let lenient = [("Prefer", "handling=lenient")]
            #expect(try await client.send(.get, "/fhir/Observation?pat=\(record)", nil, lenient).status == 400)
        }
    }

    @Test("A search that only counts is an audited read, and neither it nor sorting tells of what may not be seen")
    func narrow() async throws {
        let fixture = try await ServiceFixture()
        let record = try await Scene(fixture).record
        let (journal, owner) = (fixture.journal, fixture.owner)
        let helper = try await fixture.account("Berta Helper")
        let terms = GrantTerms(sections: [.doctorlist], verbs: [.read])
        _ = try await journal.sharing.grant(terms, to: helper.id, on: record, owner)
        var doctor = EntryContent(kind: Doctor.kind)
        try doctor.set("name", text: "Dr. Berg")
        _ = try await journal.entries.addEntry(doctor, to: record, owner)
        var other = RecordProfile(subject: .human)
        try other.set("givenName", text: "Ida")
        try other.set("familyName", text: "Abt")
        try other.set("birthdate", text: "2001-01-01")
        let second = try #require(try await journal.records.createRecord(other, owner).record)
        _ = try await journal.sharing.grant(terms, to: helper.id, on: second, owner)
        try await fixture.serve { client in
            let berta = client.with(helper.token)
            for type in ["Observation", "Condition", "AllergyIntolerance", "Encounter", "Coverage"] {
                for query in ["_summary=count", "_sort=-_lastUpdated,_id", "_total=accurate&_sort=status", "_count=0"] {
                    for start in ["\(type)?patient=\(record.text)&", "Patient/\(record.text)/\(type)?"] {
                        let answer = try await berta.send(.get, "/fhir/\(start)\(query)")
                        #expect(answer.status == 200, "\(start)\(query)")
                        #expect(answer.json["total"] == 0, "\(start)\(query)")
                        #expect(Self.marks(answer).isEmpty, "\(start)\(query)")
                    }
                }
            }
            let doctors = try await berta.send(.get, "/fhir/Practitioner?patient=\(record.text)&_summary=count")
            #expect(doctors.json["total"] == 1)
            // The dates of birth are hidden, so they do not decide the order.
            let orders = try await ["birthdate", "-birthdate"]
                .asyncMap { key in
                    try await berta.send(.get, "/fhir/Patient?_sort=\(key)").items("entry")
                        .compactMap { $0["resource"]?.text("id") }
                }
            #expect(orders == [[record.text, second.text], [record.text, second.text]])

            let head = try journal.log.head()
            _ = try await berta.send(.get, "/fhir/Practitioner?patient=\(record.text)&_summary=count")
            _ = try await client.send(.get, "/fhir/Patient/\(record.text)/Encounter?_sort=-date,_id&_elements=class")
            _ = try await client.send(.get, "/fhir/Observation?patient=\(record.text)&_summary=count")
            let shown = try await journal.trail.accesses(of: record, owner)
                .filter { $0.stamp.position > head }
                .compactMap { ($0.event.data as? RecordRead)?.access }
            #expect(shown.map(\.entryCount) == [0, 2, 0])
            #expect(shown.map(\.action) == [.read, .read, .read])
            #expect(shown.map { $0.sections.contains(.myhealth) } == [false, true, true])
            #expect(shown.first?.sections.contains(.doctorlist) == true)
        }
    }
}
