import EventLog
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import TestSupport
import Testing

@testable import JournalCore

@Suite("Imports of FHIR")
struct FHIRImportTests {
    private let home: TestHousehold
    private let caller: Caller

    init() async throws {
        home = try await TestHousehold()
        var caller = home.owner
        caller.source = .import
        self.caller = caller
    }

    private func take(
        _ document: JSONValue,
        of record: UUID? = nil,
        only types: Set<String>? = nil,
        takingOlder: Bool = false,
        isStrict: Bool = false
    ) async throws -> ImportReport {
        var options = try home.journal.imports.fhirOptions(of: record, isTrial: false)
        (options.types, options.takesOlder, options.isStrict) = (types, takingOlder, isStrict)
        let documents = try FHIRDocument.read(JSONWriter.bytes(document), options: options)
        let reports = try await home.journal.imports.take(documents, digest: "ab", caller)
        #expect(reports.count == 1)
        return reports[0]
    }

    private func export(_ record: UUID) async throws -> JSONValue {
        let exported = try await home.journal.exports.export(record, ReadOptions(), by: home.owner)
        var bytes: [UInt8] = []
        try await exported.writeFHIRSource { bytes += $0 }
        return try JSONReader.read(bytes)
    }

    private static let all = FHIRTexts.bundle([
        FHIRTexts.weight("75.50"), FHIRTexts.condition("2010-05"), FHIRTexts.carePlan, FHIRTexts.consent,
        FHIRTexts.document, FHIRTexts.weight("1.2E+2", id: "w2"),
    ])

    @Test("Each resource becomes an entry, and the same document comes out again; importing it twice appends nothing")
    func whole() async throws {
        let report = try await take(Self.all)
        #expect(report.isNewRecord)
        #expect(report.added == 8)
        #expect(report.foreign == ["Patient": 1, "CarePlan": 1, "Consent": 1, "Bundle": 1])
        let state = try await home.state(report.record)
        #expect(state.profile.displayName == "Maria Anna Weber")
        #expect(state.profile.values.day(RecordProfile.birthdate) == (try Day(parsing: "1948-03-02")))
        let weight = try #require(state.entries.first { $0.kind == Weight.kind })
        #expect(weight.content.body.decimal(Weight.value)?.description == "75.50")
        #expect(weight.content.date == .instant(try Instant(parsing: "2026-02-14T13:00:00Z")))
        let illness = try #require(state.entries.first { $0.kind == Illness.kind })
        #expect(illness.content.date == .date(.month(year: 2010, month: 5)))
        #expect(illness.content.title == "Asthma")
        let letter = try #require(state.entries.first { $0.kind == Document.kind })
        #expect(try await home.journal.entries.document(letter.id, home.owner).bytes == Array("Hello!".utf8))
        #expect(try await export(report.record) == Self.all)

        let head = try home.head
        let again = try await take(Self.all)
        #expect(again.unchanged == 8)
        #expect(again.position == nil)
        #expect(again.added + again.corrected + again.kept == 0)
        #expect(try home.head == head)
        // A file can let nobody in.
        #expect(try await home.journal.sharing.grants(of: report.record, home.owner).isEmpty)
    }

    @Test("A document of another format cannot say that a text says all of its entry")
    func marks() async throws {
        let report = try await take(Self.all)
        let state = try await home.state(report.record)
        let marked = state.entries.filter { $0.content.withoutMark != $0.content }
        #expect(marked.count == 6)
        var native: [UInt8] = []
        try await home.journal.exports.export(report.record, ReadOptions(), by: home.owner).writeNative { native += $0 }
        let other = try await TestHousehold()
        var caller = other.owner
        caller.source = .import
        let document = try NativeDocument.read(native, now: other.journal.now)
        _ = try await other.journal.imports.take(document, caller)
        let copy = try await other.state(report.record)
        #expect(copy.entries.allSatisfy { $0.content.withoutMark == $0.content })
        let contents = Dictionary(uniqueKeysWithValues: state.entries.map { ($0.id, $0.content.withoutMark) })
        #expect(copy.entries.count == contents.count && copy.entries.allSatisfy { contents[$0.id] == $0.content })
    }

    @Test("A changed value corrects its entry; what was corrected here stays, and only that is different in the export")
    func corrected() async throws {
        let record = try await take(Self.all).record
        let changed = FHIRTexts.bundle([FHIRTexts.weight("76.1")])
        let report = try await take(changed)
        #expect(report.corrected == 1)
        #expect(report.unchanged == 1)
        #expect(report.added == 1)
        let state = try await home.state(record)
        let weight = try #require(state.entries.first { $0.kind == Weight.kind })
        #expect(weight.content.body.decimal(Weight.value)?.description == "76.1")

        _ = try await home.journal.entries.correctEntry(weight.id, home.owner) { content throws(ModelError) in
            try content.set("value", text: "76.4")
        }
        #expect(try await export(record) == FHIRTexts.bundle([FHIRTexts.weight("76.4")]))
        let kept = try await take(FHIRTexts.bundle([FHIRTexts.weight("77")]))
        #expect(kept.kept == 1)
        #expect(kept.corrected == 0)
        let after = try await home.state(record).entry(weight.id)?.content.body.decimal(Weight.value)?.description
        #expect(after == "76.4")
    }

    @Test("A resource that was entered in error is retracted, and an older version of one changes nothing")
    func retracted() async throws {
        let record = try await take(
            FHIRTexts.bundle([FHIRTexts.weight("75", updated: "2026-02-15T00:00:00Z"), FHIRTexts.condition("2010")])
        )
        .record
        let older = try await take(FHIRTexts.bundle([FHIRTexts.weight("74", updated: "2026-02-14T00:00:00Z")]))
        #expect(older.older == 1)
        #expect(older.corrected == 0)
        let taken = FHIRTexts.bundle([FHIRTexts.weight("73", updated: "2026-02-14T00:00:00Z")])
        #expect(try await take(taken, takingOlder: true).corrected == 1)
        let wrong: JSONValue = ["verificationStatus": ["coding": [["code": "entered-in-error"]]]]
        let report = try await take(FHIRTexts.bundle([FHIRTexts.condition("2010", wrong)]))
        #expect(report.retracted == 1)
        #expect(try await home.state(record).entries.filter(\.isRetracted).map(\.kind) == [Illness.kind])
        #expect(try await take(FHIRTexts.bundle([FHIRTexts.condition("2010", wrong)])).retracted == 0)
    }

    @Test("Of a history, the newest version becomes the entry, and the older ones are kept as they came")
    func versions() async throws {
        func version(_ resource: JSONValue, _ number: Int) -> JSONValue {
            .object(resource.members + [.init("meta", ["versionId": .string("\(number)")])])
        }
        func history(_ values: [String]) -> JSONValue {
            let versions = values.enumerated()
                .map { index, value in version(FHIRTexts.weight(value), values.count - index) }
            let patient: JSONValue = ["resourceType": "Patient", "id": "p1", "name": [["family": "Former"]]]
            return FHIRTexts.bundle(versions + [version(patient, 1)], type: "history")
        }
        let before = history(["75", "74"])
        let report = try await take(before)
        let record = report.record
        #expect(report.added == 5)
        #expect(report.foreign == ["Patient": 2, "Observation": 1, "Bundle": 1])
        func weights() async throws -> [String?] {
            try await home.state(record).entries.filter { $0.kind == Weight.kind }
                .map { $0.content.body.decimal(Weight.value)?.description }
        }
        #expect(try await weights() == ["75"])
        #expect(try await home.state(record).profile.displayName == "Maria Anna Weber")
        #expect(try await export(record) == before)
        #expect(try await take(before).added == 0)

        let after = history(["76", "75", "74"])
        let next = try await take(after)
        // The version that was the newest, and the Bundle around it.
        #expect(next.corrected == 1)
        #expect(next.added == 2)
        #expect(try await weights() == ["76"])
        #expect(try await export(record) == after)
    }

    /// A history of entries, each with the members of the request and the response that a server writes.
    private func history(_ items: [(resource: JSONValue, method: String, url: String)]) -> JSONValue {
        [
            "resourceType": "Bundle", "type": "history",
            "entry": .array(
                items.map { item in
                    ["resource": item.resource, "request": ["method": .string(item.method), "url": .string(item.url)]]
                }
            ),
        ]
    }

    @Test("Versions are told by the ids of the resources and by their times, however a server writes their addresses")
    func addresses() async throws {
        let relative = FHIRTexts.patient
        func weight(_ value: String, _ id: String, _ updated: String? = nil) -> JSONValue {
            var members = FHIRTexts.weight(value, id: id).members.filter { $0.name != "subject" }
            members.append(.init("subject", ["reference": "Patient/p1"]))
            if let updated { members.append(.init("meta", ["lastUpdated": .string(updated)])) }
            return .object(members)
        }
        let created = history([
            (relative, "POST", "Patient"), (weight("71", "a"), "POST", "Observation"),
            (weight("72", "b"), "POST", "Observation"),
        ])
        let report = try await take(created)
        #expect(report.foreign == ["Bundle": 1, "Patient": 1])
        func weights() async throws -> Set<String?> {
            Set(
                try await home.state(report.record).entries.filter { $0.kind == Weight.kind && !$0.isRetracted }
                    .map { $0.content.body.decimal(Weight.value)?.description }
            )
        }
        #expect(try await weights() == ["71", "72"])
        let versions = history([
            (relative, "PUT", "Patient/p1/_history/1"),
            (weight("73", "a", "2026-02-15T00:00:00Z"), "PUT", "Observation/a/_history/2"),
            (weight("74", "a", "2026-02-16T00:00:00Z"), "PUT", "Observation/a/_history/3"),
        ])
        _ = try await take(versions)
        #expect(try await weights() == ["74", "72"])
    }

    @Test("A former version of a Patient is kept with this Patient, and a deleted one is not given to another person")
    func patients() async throws {
        func patient(_ id: String, _ name: String) -> JSONValue {
            ["resourceType": "Patient", "id": .string(id), "name": [["family": .string(name)]]]
        }
        let two = history([
            (patient("a", "Alpha"), "PUT", "Patient/a"), (patient("b", "Beta"), "PUT", "Patient/b"),
            (patient("b", "Secretmaiden"), "POST", "Patient"),
        ])
        let options = try home.journal.imports.fhirOptions(isTrial: true)
        let records = try FHIRDocument.read(JSONWriter.bytes(two), options: options)
        #expect(records.count == 2)
        for record in records {
            let isBeta = record.profile.displayName == "Beta"
            let texts = record.entries.flatMap { $0.content.extra.map(\.json) }.joined()
            #expect(texts.contains("Secretmaiden") == isBeta)
        }
        let gone = history([
            (patient("a", "Alpha"), "PUT", "Patient/a"), (patient("c", "Gamma"), "PUT", "Patient/c"),
            (patient("b", "Beta"), "DELETE", "Patient/b"),
        ])
        #expect(throws: ModelError.self) { try FHIRDocument.read(JSONWriter.bytes(gone), options: options) }
    }

    @Test("An import is undone as a whole, except for what was changed since")
    func undone() async throws {
        let record = try await take(FHIRTexts.bundle([FHIRTexts.weight("75"), FHIRTexts.condition("2010")])).record
        _ = try await take(FHIRTexts.bundle([FHIRTexts.weight("76"), FHIRTexts.carePlan]))
        let imports = try await home.journal.imports.list(into: record, home.owner)
        #expect(imports.map(\.added) == [2, 4] && imports.map(\.corrected) == [1, 0])

        let undone = try await home.journal.imports.undoImport(into: record, home.owner)
        #expect(undone.retracted == 2)
        #expect(undone.corrected == 1)
        #expect(undone.kept.isEmpty)
        let state = try await home.state(record)
        let weight = try #require(state.entries.first { $0.kind == Weight.kind })
        #expect(!weight.isRetracted)
        #expect(weight.content.body.decimal(Weight.value)?.description == "75")
        let after = try await home.journal.imports.list(into: record, home.owner)
        #expect(after.map(\.undone) == [undone.position, nil])
        let again = try await home.journal.imports.undoImport(into: record, at: imports[0].position, home.owner)
        #expect(again.position == nil)
        #expect(again.kept.isEmpty)

        let illness = try #require(state.entries.first { $0.kind == Illness.kind })
        _ = try await home.journal.entries.correctEntry(illness.id, home.owner) { content throws(ModelError) in
            try content.set("name", text: "Mild asthma")
        }
        // The next import to be undone is the one before.
        let first = try await home.journal.imports.undoImport(into: record, home.owner)
        #expect(first.kept.map(\.id) == [illness.id])
        #expect(try await home.state(record).entry(weight.id)?.isRetracted == true)
        #expect(try await home.state(record).entry(illness.id)?.isRetracted == false)
        let position = try #require(first.position)
        #expect(
            try await home.journal.imports.list(into: record, home.owner).map(\.undone) == [undone.position, position]
        )
        let error = await refusal { _ = try await home.journal.imports.undoImport(into: record, home.owner) }
        #expect(error?.code == .notFound)
        #expect(error?.message.contains("undone already") == true)
        let caregiver = try await home.account("stranger")
        #expect(await refusal { _ = try await home.journal.imports.undoImport(into: record, caregiver) }?.code != nil)
    }

    @Test("What was imported and undone is imported again by the same document, and counts as not changed here")
    func again() async throws {
        let first = FHIRTexts.bundle([FHIRTexts.weight("75"), FHIRTexts.condition("2010")])
        let second = FHIRTexts.bundle([FHIRTexts.weight("76"), FHIRTexts.carePlan])
        let record = try await take(first).record
        let once = try await take(second)
        _ = try await home.journal.imports.undoImport(into: record, home.owner)
        let twice = try await take(second)
        #expect(twice.added == once.added)
        #expect(twice.corrected == 1)
        #expect(twice.kept == 0)
        func weight() async throws -> EntryState? {
            try await home.state(record).entries.first { $0.kind == Weight.kind }
        }
        #expect(try await weight()?.content.body.decimal(Weight.value)?.description == "76")
        let undone = try await home.journal.imports.undoImport(into: record, home.owner)
        #expect(undone.retracted == once.added)
        #expect(undone.corrected == 1)
        #expect(undone.restored == 0)
        #expect(undone.kept.isEmpty)
        #expect(try await weight()?.content.body.decimal(Weight.value)?.description == "75")
        // What was retracted here stays so.
        let id = try #require(try await weight()?.id)
        _ = try await home.journal.entries.retractEntry(id, home.owner)
        #expect(try await take(first).added == 0)
        #expect(try await home.state(record).entry(id)?.isRetracted == true)
    }

    @Test("Resources about a Patient who is not in the document are faults, by their paths")
    func otherPatient() async throws {
        let head = try home.head
        func weight(_ patient: String, _ id: String) -> JSONValue {
            let subject: JSONValue = ["reference": .string(patient)]
            let members = FHIRTexts.weight("70", id: id).members
            return .object(members.map { $0.name == "subject" ? .init("subject", subject) : $0 })
        }
        let bundle = FHIRTexts.bundle([
            FHIRTexts.weight("75"), weight("Patient/p9", "w9"), weight("https://h.example/Patient/p1/_history/2", "w3"),
        ])
        let error = await refusal { _ = try await take(bundle) }
        #expect(error?.code == .invalid && error?.field == "entry[2].resource")
        #expect(error?.message.contains("is about a Patient who is not in the document") == true)
        #expect(error?.message.contains("p9") == false, "\(String(describing: error))")
        #expect(try home.head == head)

        // Without a Patient, all have to be about the same one.
        let record = try await home.person("Ida")
        func list(_ patients: [String]) -> JSONValue {
            [
                "resourceType": "Bundle", "type": "collection",
                "entry": .array(patients.enumerated().map { ["resource": weight($1, "w\($0)")] }),
            ]
        }
        let mixed = await refusal { _ = try await take(list(["Patient/a", "Patient/a", "Patient/b"]), of: record) }
        #expect(mixed?.field == "entry[2].resource" && mixed?.message.contains("is about another Patient") == true)
        let taken = try await take(list(["Patient/a", "Patient/a"]), of: record)
        #expect(taken.added - taken.foreign.values.reduce(0, +) == 2)

        // An export is of one record, whatever Patients its resources name.
        var bytes: [UInt8] = []
        try await home.journal.exports.export(record, by: home.owner).writeFHIR(as: .collection) { bytes += $0 }
        let exported = try JSONReader.read(bytes)
        let same = try await take(exported)
        #expect(same.record == record, "\(same)")
        #expect(same.added == 0, "\(same)")
        #expect(same.kept == 0, "\(same)")
    }

    @Test("Among several Patients, a resource belongs to the one whom it names in any form, or is a fault")
    func severalPatients() async throws {
        func weight(_ patient: String, _ id: String, _ value: String) -> JSONValue {
            let subject: JSONValue = ["reference": .string(patient)]
            let members = FHIRTexts.weight(value, id: id).members
            return .object(members.map { $0.name == "subject" ? .init("subject", subject) : $0 })
        }
        func read(_ last: JSONValue) throws -> [ImportedRecord] {
            let second: JSONValue = [
                "resourceType": "Patient", "id": "p2", "name": [["family": "Weber", "given": ["Jonas"]]],
                "link": [["other": ["reference": "Patient/p7"], "type": "replaces"]],
            ]
            let bundle = FHIRTexts.bundle([second, weight("Patient/p2/_history/3", "w2", "82"), last])
            return try FHIRDocument.read(
                JSONWriter.bytes(bundle),
                options: home.journal.imports.fhirOptions(isTrial: false)
            )
        }
        for reference in ["Patient/p7", "https://other.example/fhir/Patient/p2"] {
            let records = try read(weight(reference, "w3", "83"))
            let values = records.map { record in
                record.entries.compactMap { $0.content.body.decimal(Weight.value)?.description }
            }
            #expect(values == [[], ["82", "83"]], "\(reference)")
        }
        for reference in [
            "Patient/p9", "urn:uuid:7d8a5a5e-5a0e-4f2e-8f3a-0c4a0f1c2b3d", "Patient?identifier=x|1", "#p",
        ] {
            #expect(throws: ModelError.self, "\(reference)") { try read(weight(reference, "w3", "83")) }
        }
    }

    @Test("If an import is strict, all faults are named by their paths, without values, and nothing is imported")
    func faults() async throws {
        let head = try home.head
        var resources = (0..<30).map { FHIRTexts.weight("7\($0)", id: "w\($0)") }
        resources[3] = ["resourceType": "Observation", "id": "x", "status": .number("7"), "subject": "secret"]
        resources[20] = FHIRTexts.condition("the day before", id: "y")
        resources[25] = ["id": "z"]
        let error = await refusal { _ = try await take(FHIRTexts.bundle(resources), isStrict: true) }
        let message = error?.message ?? ""
        #expect(error?.code == .invalid)
        #expect(message.contains("3 faults"))
        for path in ["entry[4].resource.status", "entry[21].resource.onsetDateTime", "entry[26].resource.resourceType"]
        {
            #expect(message.contains(path), "\(message)")
        }
        #expect(!message.contains("secret"))
        #expect(!message.contains("day before"))
        #expect(try home.head == head)
    }

    @Test("A document fills in the profile of a known record, and replaces nothing that was entered here")
    func profile() async throws {
        let record = try await home.person("Ida")
        let report = try await take(Self.all, of: record)
        #expect(report.kept == 1)
        #expect(report.isProfileChanged)
        let profile = try await home.state(record).profile
        #expect(profile.values.text(RecordProfile.givenName) == "Ida")
        #expect(profile.values.text(RecordProfile.sex) == "female")
        #expect(try await take(Self.all, of: record).position == nil)
    }

    @Test("Several patients of a document become several records, each with its own resources")
    func several() async throws {
        let others: JSONValue = [
            "resourceType": "Patient", "id": "p2", "name": [["family": "Weber", "given": ["Jonas"]]],
        ]
        let reference: JSONValue = ["reference": "https://hospital.example/fhir/Patient/p2"]
        let performer: JSONValue = [["reference": "https://hospital.example/fhir/Organization/o1"]]
        let weight =
            FHIRTexts.weight("82", id: "w2").members
            .map { $0.name == "subject" ? .init("subject", reference) : $0 } + [.init("performer", performer)]
        let laboratory: JSONValue = ["resourceType": "Organization", "id": "o1", "name": "Laboratory"]
        let document = FHIRTexts.bundle([laboratory, FHIRTexts.weight("75"), others, .object(weight)])
        let documents = try FHIRDocument.read(
            JSONWriter.bytes(document),
            options: home.journal.imports.fhirOptions(isTrial: false)
        )
        let reports = try await home.journal.imports.take(documents, caller)
        #expect(reports.map(\.displayName) == ["Maria Anna Weber", "Jonas Weber"])
        guard case .array(let items)? = document["entry"], items.count == 5 else {
            Issue.record("the document is not the one that is meant")
            return
        }
        for (report, value, own) in [(reports[0], "75", [0, 2]), (reports[1], "82", [1, 3, 4])] {
            let weights = try await home.state(report.record).entries.filter { $0.kind == Weight.kind }
            #expect(weights.map { $0.content.body.decimal(Weight.value)?.description } == [value])
            // Each record gives back its own part of the document, in its order.
            var bytes: [UInt8] = []
            try await home.journal.exports.export(report.record, by: home.owner).writeFHIRSource { bytes += $0 }
            #expect(try JSONReader.read(bytes)["entry"] == .array(own.map { items[$0] }))
        }
        #expect(try await home.journal.imports.take(documents, caller).allSatisfy { $0.position == nil })
    }

    @Test("Of some types alone, the other resources are left out; a type that the document lacks is an error")
    func types() async throws {
        let report = try await take(Self.all, only: ["Observation"])
        #expect(report.added == 3)
        #expect(report.foreign == ["Patient": 1])
        let error = await refusal { _ = try await take(Self.all, only: ["Observation", "Obsevation"]) }
        #expect(error?.code == .invalid)
        #expect(error?.message.contains("Obsevation") == true)
        // The rest of the same document adds to it.
        #expect(try await take(Self.all).added == 5)
    }

    @Test("With some types alone, what patients share still belongs to those who refer to it")
    func typesOfSeveral() async throws {
        let other: JSONValue = [
            "resourceType": "Patient", "id": "p2", "name": [["family": "Weber", "given": ["Jonas"]]],
        ]
        let request: JSONValue = [
            "resourceType": "MedicationRequest", "id": "m1", "status": "active", "intent": "order",
            "subject": ["reference": "Patient/p2"], "medicationReference": ["reference": "Medication/x"],
        ]
        let medication: JSONValue = ["resourceType": "Medication", "id": "x", "code": ["text": "Ramipril"]]
        var options = try home.journal.imports.fhirOptions(isTrial: false)
        options.types = ["Medication"]
        let bytes = JSONWriter.bytes(FHIRTexts.bundle([other, request, medication]))
        let documents = try FHIRDocument.read(bytes, options: options)
        #expect(documents.map(\.entries.count) == [1, 2])
    }

    @Test("The report counts partial dates, references to what nobody has, and what another source has stated already")
    func notes() async throws {
        let record = try await home.person("Maria")
        var weight = EntryContent(kind: Weight.kind, date: .date(.day(try Day(parsing: "2026-02-14"))))
        try weight.set("value", text: "75.5")
        try weight.set("unit", text: "kg")
        let own = try #require(try await home.journal.entries.addEntry(weight, to: record, home.owner).entry)
        let encounter: JSONValue = ["encounter": ["reference": "Encounter/e1"]]
        let document = FHIRTexts.bundle([
            FHIRTexts.weight("75.50"), FHIRTexts.weight("75.51", id: "w2"), FHIRTexts.condition("2010-05", encounter),
            FHIRTexts.condition("2011-05-03", id: "c2", encounter),
        ])
        let report = try await take(document, of: record)
        #expect(report.possibleDuplicates == 1)
        #expect(report.changes.compactMap(\.sameAs) == [own])
        #expect(report.unresolved == 1)
        #expect(report.partialDates == 1)
        // Once an import has brought it, the reference leads to it.
        let found: JSONValue = ["resourceType": "Encounter", "id": "e1", "status": "finished"]
        #expect(try await take(FHIRTexts.bundle([found]), of: record).unresolved == 0)
        let again = try await take(document, of: record)
        #expect(again.unresolved == 0)
        #expect(again.possibleDuplicates == 0)
        #expect(again.position == nil)
    }

    // MARK: - The same resource later

    /// A Bundle whose addresses are new in each document.
    private func discharge(_ resources: [JSONValue]) -> JSONValue {
        let addresses = Dictionary(
            uniqueKeysWithValues: resources.map { resource in
                (resource["id"] ?? .null, JSONValue.string("urn:uuid:\(UUID().text)"))
            }
        )
        func addressed(_ value: JSONValue) -> JSONValue {
            switch value {
            case .object(let members):
                if case .string(let id)? = value["reference"] { return ["reference": addresses[.string(id)] ?? .null] }
                return .object(members.map { .init($0.name, addressed($0.value)) })
            case .array(let items): return .array(items.map(addressed))
            default: return value
            }
        }
        return [
            "resourceType": "Bundle", "type": "collection",
            "entry": .array(
                resources.map { ["fullUrl": addresses[$0["id"] ?? .null] ?? .null, "resource": addressed($0)] }
            ),
        ]
    }

    private func person(_ id: String, born: String, identifier: String? = nil) -> JSONValue {
        .present([
            "resourceType": "Patient", "id": .string(id),
            "identifier": identifier.map { [["system": "urn:mrn", "value": .string($0)]] },
            "name": [["family": "Lutz", "given": ["Eva"]]], "birthDate": .string(born),
        ])
    }

    private func illness(_ id: String, _ name: String, of patient: String, identifier: String? = nil) -> JSONValue {
        .present([
            "resourceType": "Condition", "id": .string(id),
            "identifier": identifier.map { [["system": "urn:cond", "value": .string($0)]] },
            "code": ["text": .string(name)], "subject": ["reference": .string(patient)], "onsetDateTime": "2020-01-01",
        ])
    }

    @Test("The same resources under new addresses add nothing, and a changed one corrects its entry")
    func newAddresses() async throws {
        let first = [person("p", born: "1970-01-01"), illness("a", "Asthma", of: "p"), illness("b", "Gout", of: "p")]
        let record = try await take(discharge(first)).record
        let again = try await take(discharge(first))
        #expect(again.record == record)
        #expect((again.added, again.corrected, again.unchanged) == (0, 0, 4))
        #expect(again.position == nil)
        var changed = first
        changed[2] = .object(changed[2].members + [.init("note", [["text": "worse"]])])
        let third = try await take(discharge(changed))
        #expect((third.added, third.corrected, third.unchanged) == (0, 1, 3))
        // The next one has its own addresses again.
        #expect(try await take(discharge(changed)).position == nil)
        let gout = try #require(try await home.state(record).entries.first { $0.content.title == "Gout" })
        #expect(gout.content.comment == "worse")
    }

    @Test("A business identifier is the identity of resources whose ids are new as well")
    func newIDs() async throws {
        func document(_ suffix: String) -> JSONValue {
            discharge([
                person("p" + suffix, born: "1970-01-01", identifier: "123"),
                illness("a" + suffix, "Asthma", of: "p" + suffix, identifier: "A"),
            ])
        }
        let first = try await take(document("1"))
        let second = try await take(document("2"))
        #expect(second.record == first.record)
        #expect(second.added == 0)
        #expect(try await home.state(first.record).entries.count { $0.kind == Illness.kind } == 1)
    }

    @Test("The same id in two systems is neither the same person nor the same illness")
    func sharedIDs() async throws {
        let one = try await take(discharge([person("1", born: "1970-01-01"), illness("2", "Asthma", of: "1")]))
        let other = try await take(discharge([person("1", born: "1971-02-02"), illness("2", "Gout", of: "1")]))
        #expect(other.record != one.record)
        let third = try await take(discharge([person("1", born: "1970-01-01"), illness("2", "Gout", of: "1")]))
        #expect(third.record == one.record)
        // With the bundle around it.
        #expect(third.added == 2)
    }

    @Test("A resource that becomes another kind of entry replaces the former one, and comes back as it was")
    func otherKind() async throws {
        func result(_ status: String) -> JSONValue {
            FHIRTexts.bundle([
                [
                    "resourceType": "Observation", "id": "r", "status": .string(status),
                    "category": [["coding": [["code": "laboratory"]]]], "code": ["text": "HIV"],
                    "valueString": "negative",
                ]
            ])
        }
        func states(_ record: UUID) async throws -> [String] {
            try await home.state(record).entries.filter { !$0.isRetracted && $0.content.title.contains("HIV") }
                .map(\.kind.name)
        }
        let record = try await take(result("preliminary")).record
        #expect(try await states(record) == ["foreign"])
        let final = try await take(result("final"))
        // With the bundle around it.
        #expect((final.added, final.retracted) == (2, 1))
        #expect(try await states(record) == ["blood"])
        #expect(try await take(result("final")).position == nil)
        _ = try await take(result("preliminary"))
        #expect(try await states(record) == ["foreign"])
        _ = try await take(result("final"))
        #expect(try await states(record) == ["blood"])
        // What a person here says of the entry stays.
        let blood = try #require(try await home.state(record).entries.first { $0.kind == Blood.kind })
        _ = try await home.journal.entries.correctEntry(blood.id, home.owner) { $0.comment = "checked" }
        let kept = try await take(result("preliminary"))
        #expect(kept.kept == 1)
        #expect(try await states(record) == ["blood"])
    }

    @Test("A later document that cannot be read, or is older, takes no allergy back")
    func staysVisible() async throws {
        func allergy(_ status: String, _ updated: String, _ onset: String = "2020") -> JSONValue {
            FHIRTexts.bundle([
                [
                    "resourceType": "AllergyIntolerance", "id": "a", "meta": ["lastUpdated": .string(updated)],
                    "verificationStatus": ["coding": [["code": .string(status)]]], "code": ["text": "Penicillin"],
                    "onsetDateTime": .string(onset),
                ]
            ])
        }
        func kinds(_ record: UUID) async throws -> [String] {
            try await home.state(record).entries.filter { !$0.isRetracted && $0.content.title.contains("Penicillin") }
                .map(\.kind.name)
        }
        let record = try await take(allergy("confirmed", "2025-01-01T00:00:00Z")).record
        #expect(try await kinds(record) == ["allergy"])
        // Before 1900, no entry can have a date.
        _ = try await take(allergy("confirmed", "2025-01-02T00:00:00Z", "1899-01-01"))
        #expect(try await kinds(record) == ["allergy"])
        _ = try await take(allergy("refuted", "2025-02-01T00:00:00Z"))
        #expect(try await kinds(record) == ["foreign"])
        let older = try await take(allergy("confirmed", "2025-01-01T00:00:00Z"))
        #expect(older.older == 1)
        #expect(try await kinds(record) == ["foreign"])
        _ = try await take(allergy("confirmed", "2025-03-01T00:00:00Z"))
        #expect(try await kinds(record) == ["allergy"])
        // A retraction reaches the entry that states it now.
        _ = try await take(allergy("entered-in-error", "2025-04-01T00:00:00Z"))
        #expect(try await kinds(record) == [])
    }

    @Test("A medication that an earlier document named is found by a later one, and leads there below /fhir")
    func heldMedication() async throws {
        let medication: JSONValue = ["resourceType": "Medication", "id": "m", "code": ["text": "Warfarin"]]
        let record = try await take(FHIRTexts.bundle([medication])).record
        let request: JSONValue = [
            "resourceType": "MedicationRequest", "id": "mr", "status": "active", "intent": "order",
            "medicationReference": ["reference": "Medication/m"],
        ]
        _ = try await take(FHIRTexts.bundle([request]))
        let drugs = try await home.state(record).entries.filter { $0.kind == Drug.kind }
        #expect(drugs.map { $0.content.body.text(Drug.name) } == ["Warfarin"])
    }

    @Test("What cannot be read is listed, and everything else is imported")
    func mixed() async throws {
        let report = try await take(
            FHIRTexts.bundle([FHIRTexts.weight("75"), FHIRTexts.condition("2025-02-30"), ["id": "nothing"]])
        )
        #expect(report.added == 4)
        #expect(report.faults.map(\.isKept) == [false, true])
        // Nothing is lost on the way out.
        let source = try await export(report.record)
        guard case .array(let items)? = source["entry"] else {
            Issue.record("a Bundle is expected")
            return
        }
        #expect(items.contains { $0["resource"]?["onsetDateTime"] == "2025-02-30" })
    }
}
