import FoundationEssentials
import HealthModel
import TestSupport
import Testing

@testable import Interchange

@Suite("What resources of FHIR mean")
struct FHIRMeaningTests {
    private static let now = Instant(microseconds: 1_780_000_000_000_000)

    private func record(_ document: JSONValue, isStrict: Bool = false) throws -> ImportedRecord {
        let namespaces = PurusNamespaces(records: UUID()) { _ in UUID() }
        var options = FHIROptions(now: Self.now, namespaces: namespaces)
        options.isStrict = isStrict
        return try #require(try FHIRDocument.read(JSONWriter.bytes(document), options: options).first)
    }

    /// The contents of the entries of some resources, without those of the Patient and the Bundle.
    private func contents(_ resources: [JSONValue]) throws -> [EntryContent] {
        try record(FHIRTexts.bundle(resources)).entries.dropFirst().dropLast().map(\.content)
    }

    private func content(_ resource: JSONValue) throws -> EntryContent {
        let found = try contents([resource])
        return try #require(found.first)
    }

    private func request(_ medication: JSONValue, id: String = "mr", _ more: JSONValue = [:]) -> JSONValue {
        let members: JSONValue = [
            "resourceType": "MedicationRequest", "id": .string(id), "status": "active", "intent": "order",
            "authoredOn": "2025-02-03", "subject": ["reference": "https://hospital.example/fhir/Patient/p1"],
        ]
        return .object(members.members + medication.members + more.members)
    }

    private static let warfarin: JSONValue = [
        "resourceType": "Medication", "id": "m1",
        "identifier": [["system": "urn:gtin", "value": "7612345"]],
        "code": [
            "coding": [["system": "http://www.whocc.no/atc", "code": "B01AA03", "display": "Warfarin"]],
            "text": "Warfarin 5 mg",
        ],
    ]

    // MARK: - References

    @Test(
        "A medication is found by each form of reference, with its codes",
        arguments: [
            ["reference": "Medication/m1"], ["reference": "https://hospital.example/fhir/Medication/m1"],
            ["reference": "Medication/m1/_history/3"],
            ["identifier": ["system": "urn:gtin", "value": "7612345"]],
            ["type": "Medication", "identifier": ["system": "urn:gtin", "value": "7612345"]],
        ] as [JSONValue]
    )
    func medication(_ reference: JSONValue) throws {
        // The request stands before the medication that it names.
        let found = try contents([request(["medicationReference": reference]), Self.warfarin])
        #expect(found[0].kind == Drug.kind)
        #expect(found[0].body.text(Drug.name) == "Warfarin 5 mg")
        #expect(found[0].body.codes.map { $0.text(SharedFields.code) } == ["B01AA03"])
        #expect(found[1].kind == Foreign.kind)
    }

    @Test(
        "A relative reference leads to the server of its resource, and to none of two that have the same id elsewhere"
    )
    func servers() throws {
        func entry(_ address: String, _ resource: JSONValue) -> JSONValue {
            ["fullUrl": .string(address), "resource": resource]
        }
        func medication(_ name: String) -> JSONValue {
            ["resourceType": "Medication", "id": "1", "code": ["text": .string(name)]]
        }
        let request = request(["medicationReference": ["reference": "Medication/1"]])
        let bundle: JSONValue = [
            "resourceType": "Bundle", "type": "collection",
            "entry": [
                entry("https://hospital.example/fhir/Patient/p1", FHIRTexts.patient),
                entry("https://a.example/Medication/1", medication("Aspirin")),
                entry("https://b.example/Medication/1", medication("Warfarin")),
                entry("https://b.example/MedicationRequest/1", request),
                entry("urn:uuid:9b08923d-10c6-4fd9-94b2-b8fda02f34a6", request),
            ],
        ]
        let entries = try record(bundle).entries.map(\.content)
        #expect(entries[3].body.text(Drug.name) == "Warfarin")
        #expect(entries[4].kind == Foreign.kind)
    }

    @Test(
        "A medication of another server is none of this one, and a resource about a Patient who was left out is refused"
    )
    func otherServer() throws {
        func bundle(_ items: [(String, JSONValue)]) -> JSONValue {
            [
                "resourceType": "Bundle", "type": "collection",
                "entry": .array(items.map { ["fullUrl": .string($0), "resource": $1] }),
            ]
        }
        let patient = ("https://hospital.example/fhir/Patient/p1", FHIRTexts.patient)
        let medication: JSONValue = ["resourceType": "Medication", "id": "1", "code": ["text": "Warfarin"]]
        let request = request(["medicationReference": ["reference": "Medication/1"]])
        let found = try record(
            bundle([
                patient, ("https://b.example/Medication/1", medication),
                ("https://a.example/MedicationRequest/1", request),
            ])
        )
        #expect(found.entries[2].content.kind == Foreign.kind)
        let broken: JSONValue = ["resourceType": "Patient", "id": .number("7")]
        let other: JSONValue = [
            "resourceType": "Condition", "id": "c", "code": ["text": "Asthma"], "subject": ["reference": "urn:uuid:b"],
        ]
        #expect(throws: ModelError.self) {
            try record(bundle([patient, ("urn:uuid:b", broken), ("urn:uuid:c", other)]))
        }
    }

    @Test("A medication without a code has the names of its ingredients, and one that is named nowhere stays foreign")
    func ingredients() throws {
        let compound: JSONValue = [
            "resourceType": "Medication", "id": "m2",
            "ingredient": [
                ["itemCodeableConcept": ["text": "Codeine"]], ["itemCodeableConcept": ["text": "Paracetamol"]],
            ],
        ]
        let found = try contents([
            request(["medicationReference": ["reference": "Medication/m2"]]), compound,
            request(["medicationReference": ["reference": "Medication/m3"]], id: "mr2"),
        ])
        #expect(found[0].body.text(Drug.name) == "Codeine + Paracetamol")
        #expect(found[2].kind == Foreign.kind)
    }

    @Test("A letter is opened from the Binary to which it refers; without it, its file is missing")
    func binary() throws {
        func letter(_ url: String, _ id: String) -> JSONValue {
            [
                "resourceType": "DocumentReference", "id": .string(id), "status": "current",
                "type": ["text": "Discharge"],
                "content": [["attachment": ["contentType": "text/plain", "url": .string(url)]]],
            ]
        }
        let binary: JSONValue = ["resourceType": "Binary", "id": "b", "contentType": "text/plain", "data": "SGVsbG8h"]
        let document = FHIRTexts.bundle([letter("Binary/b", "d1"), binary, letter("Binary/c", "d2")])
        let entries = try record(document).entries
        #expect(entries[1].attachment == Array("Hello!".utf8))
        #expect(entries[1].content.body.flag(Document.missing) == nil)
        #expect(entries[3].attachment == nil)
        #expect(entries[3].content.body.flag(Document.missing) == true)
    }

    @Test("The names of a performer and a place come from their resources")
    func names() throws {
        let found = try contents([
            [
                "resourceType": "Procedure", "id": "pr", "status": "completed", "code": ["text": "Appendectomy"],
                "performer": [["actor": ["reference": "Practitioner/d"]]],
            ],
            [
                "resourceType": "Immunization", "id": "i", "status": "completed", "vaccineCode": ["text": "MMR"],
                "occurrenceString": "as a child", "location": ["reference": "Location/l"],
            ],
            ["resourceType": "Practitioner", "id": "d", "name": [["family": "Meier", "given": ["Ann"]]]],
            ["resourceType": "Location", "id": "l", "name": "Ward 3"],
        ])
        #expect(found[0].body.text(History.contact) == "Ann Meier")
        #expect(found[1].body.text(Vaccination.place) == "Ward 3")
        #expect(found[1].comment == "given: as a child")
    }

    @Test("A result has its range, its flag, its specimen and its laboratory; what is unclear of them is left out")
    func laboratory() throws {
        func result(_ more: JSONValue) throws -> FieldValues {
            let observation: JSONValue = [
                "resourceType": "Observation", "id": "o", "status": "final", "code": ["text": "Potassium"],
                "category": [["coding": [["code": "laboratory"]]]],
                "valueQuantity": ["value": .number("5.9"), "unit": "mmol/L", "code": "mmol/L"],
            ]
            return try content(.object(observation.members + more.members)).body
        }
        let low: JSONValue = ["value": .number("3.50"), "unit": "mmol/L"]
        let high: JSONValue = ["value": .number("5.1"), "code": "mmol/L"]
        let whole = try result([
            "interpretation": [["coding": [["code": "H"]]]], "referenceRange": [["low": low, "high": high]],
            "specimen": ["display": "Serum"],
            "performer": [["display": "Dr. Okafor"], ["reference": "Organization/7", "display": "Unilabor"]],
        ])
        #expect(whole.decimal(Blood.low)?.description == "3.50")
        #expect(whole.decimal(Blood.high)?.description == "5.1")
        #expect(whole.text(Blood.flag) == "H")
        #expect(whole.text(Blood.specimen) == "Serum")
        #expect(whole.text(Blood.laboratory) == "Unilabor")
        // Ranges of several groups of people, another unit, and two flags.
        let unclear = try result([
            "interpretation": [["coding": [["code": "H"]]], ["coding": [["code": "L"]]]],
            "referenceRange": [["low": low, "age": ["high": ["value": 12]]], ["low": low], ["high": high]],
            "performer": [["display": "Dr. Okafor"]],
        ])
        for field in [Blood.low, Blood.high, Blood.flag, Blood.laboratory] {
            #expect(unclear[field] == nil, "\(field.name)")
        }
        let other = try result(["referenceRange": [["low": ["value": 137, "unit": "mg/L"], "text": "see above"]]])
        #expect(other[Blood.low] == nil && other.text(Blood.normal) == "see above")
        let specific = try result([
            "referenceRange": [["low": low, "type": ["coding": [["code": "treatment"]]]], ["high": high]]
        ])
        #expect(specific[Blood.low] == nil && specific.decimal(Blood.high)?.description == "5.1")
    }

    @Test("What a vaccination was against, its lot, its manufacturer and who gave it")
    func immunization() throws {
        let found = try contents([
            [
                "resourceType": "Immunization", "id": "i", "status": "completed", "vaccineCode": ["text": "DTPa"],
                "occurrenceDateTime": "2024-02-16", "lotNumber": "AC21B", "manufacturer": ["display": "GSK"],
                "performer": [["actor": ["display": "Dr. Okafor"]]],
                "protocolApplied": [
                    ["targetDisease": [["text": "Diphtheria"], ["text": "Tetanus"]], "doseNumberString": "2"],
                    ["targetDisease": [["text": "Tetanus"]], "doseNumberPositiveInt": 2],
                ],
            ]
        ])
        let body = found[0].body
        #expect(body.texts(Vaccination.diseases) == ["Diphtheria", "Tetanus"])
        #expect(body.integer(Vaccination.doseNumber) == 2)
        #expect(body.text(Vaccination.lot) == "AC21B")
        #expect(body.text(Vaccination.manufacturer) == "GSK")
        #expect(body.text(Vaccination.givenBy) == "Dr. Okafor")
    }

    @Test("A resource that was understood with others is written and read again as the same entry")
    func roundTrip() throws {
        let found = try record(
            FHIRTexts.bundle([request(["medicationReference": ["reference": "Medication/m1"]]), Self.warfarin])
        )
        let stamp = Stamp(position: 9, recordedAt: Self.now, actor: UUID())
        var state = RecordState(id: found.id, profile: found.profile, owners: [], created: stamp)
        state.entries = found.entries.map {
            EntryState(id: $0.id, record: found.id, content: $0.content, added: stamp)
        }
        let patient = state.entries.first { RecordFHIRWriter.isPatient($0.content) }
        let writer = RecordFHIRWriter(state, patientEntry: patient) { _ in nil }
        let drug = try #require(state.entries.first { $0.kind == Drug.kind })
        #expect(FHIRKept.saysAll(of: drug.content))
        // Without the Medication beside it, as for a reader who may not see it.
        let items = try [writer.patientItem()] + writer.items(drug)
        let copied = try writer.written(drug, level: 2)
        #expect(copied == [JSONWriter.bytes(items[1], .pretty, level: 2)])
        let again = try record(.object(writer.opening(asOf: stamp) + [.init("entry", .array(items))]))
        let read = try #require(again.entries.first { $0.id == drug.id })
        #expect(NativeDocument.write(read.content) == NativeDocument.write(drug.content))
    }

    // MARK: - Texts

    @Test("Other line breaks and control characters do not hide an allergy, and its text is kept as it came")
    func lineBreaks() throws {
        let allergy: JSONValue = [
            "resourceType": "AllergyIntolerance", "id": "a",
            "code": ["text": "Penicillin\r\nG"], "note": [["text": "one\r\ntwo\rthree\u{B}"]],
        ]
        let found = try content(allergy)
        #expect(found.kind == Allergy.kind)
        #expect(found.body.text(Allergy.name) == "Penicillin G")
        #expect(found.comment == "one\ntwo\nthree\u{FFFD}")
        #expect(FHIRKept(found.extra)?.resource == allergy)
        let plan = try content(["resourceType": "CarePlan", "id": "c", "title": "one\rtwo"])
        #expect(plan.body.text(Foreign.title) == "one two")
    }

    @Test("A name that is too long is shortened and stands whole in the comment; a value is not shortened")
    func longTexts() throws {
        let long = String(repeating: "a", count: 1_200)
        let allergy = try content([
            "resourceType": "AllergyIntolerance", "id": "a", "code": ["text": .string(long)],
        ])
        #expect(allergy.kind == Allergy.kind)
        #expect(allergy.body.text(Allergy.name) == String(long.prefix(997)) + "…")
        #expect(allergy.comment == "Name: \(long)")
        let result = try content(observation(["valueString": .string(long)], category: "laboratory"))
        #expect(result.body.text(Blood.value) == nil)
        #expect(result.comment == "Value: \(long)")
    }

    // MARK: - Dosages

    @Test(
        "A dosage is written out from its parts",
        arguments: [
            (["text": "1-0-1"], "1-0-1"),
            (
                [
                    "doseAndRate": [["doseQuantity": ["value": 1, "unit": "tablet"]]],
                    "timing": ["repeat": ["frequency": 1, "period": 1, "periodUnit": "d", "when": ["MORN"]]],
                ], "1 tablet, once a day, in the morning"
            ),
            (
                [
                    "doseAndRate": [
                        ["doseRange": ["low": ["value": 1, "unit": "mg"], "high": ["value": 2, "unit": "mg"]]]
                    ],
                    "timing": ["repeat": ["frequency": 1, "period": 6, "periodMax": 8, "periodUnit": "h"]],
                    "asNeededCodeableConcept": ["text": "pain"],
                    "maxDosePerPeriod": [
                        "numerator": ["value": 8, "unit": "mg"], "denominator": ["value": 24, "unit": "h"],
                    ],
                ], "1 to 2 mg, every 6 to 8 hours, as needed for pain, at most 8 mg in 24 h"
            ),
            (
                [
                    "doseAndRate": [["doseQuantity": ["value": .number("2.5E+1"), "unit": "mg"]]],
                    "timing": [
                        "code": ["coding": [["code": "BID"]]],
                        "repeat": [
                            "boundsDuration": ["value": 7, "code": "d"], "timeOfDay": ["08:00:00", "20:00:00"],
                        ],
                    ],
                    "route": ["text": "oral"],
                ], "25 mg, twice a day, at 08:00, 20:00, for 7 days, oral"
            ),
            (
                [
                    "timing": [
                        "repeat": ["dayOfWeek": ["mon", "thu"], "frequency": 1, "period": 1, "periodUnit": "wk"]
                    ],
                    "asNeededBoolean": false, "additionalInstruction": [["text": "with water"]],
                ], "once a week, on Monday, Thursday, with water"
            ),
        ] as [(JSONValue, String)]
    )
    func dosages(_ dosage: JSONValue, _ words: String) throws {
        let found = try content(
            request(["medicationCodeableConcept": ["text": "Metformin"]], ["dosageInstruction": [dosage]])
        )
        #expect(found.body.text(Drug.dosage) == words)
    }

    @Test("Several dosages are all there")
    func severalDosages() throws {
        let texts: JSONValue = [["text": "1 in the morning"], ["text": "2 in the evening"], ["sequence": 3]]
        let found = try content(
            request(["medicationCodeableConcept": ["text": "Metformin"]], ["dosageInstruction": texts])
        )
        #expect(found.body.text(Drug.dosage) == "1 in the morning; 2 in the evening")
    }

    // MARK: - Observations

    private func observation(_ value: JSONValue, code: JSONValue = ["text": "X"], category: String? = nil) -> JSONValue
    {
        let members: JSONValue = .present([
            "resourceType": "Observation", "id": "o", "status": "final", "code": code,
            "effectiveDateTime": "2025-01-01",
            "category": category.map { [["coding": [["code": .string($0)]]]] },
        ])
        return .object(members.members + value.members)
    }

    private func quantity(_ value: String, _ unit: String) -> JSONValue {
        ["valueQuantity": ["value": .number(value), "unit": .string(unit)]]
    }

    @Test("Numbers are written without an exponent, with their digits")
    func numbers() throws {
        for (number, text) in [
            ("1.2E+2", "120"), ("8.0E1", "80"), ("1.0E-2", "0.010"), ("2.5e5", "250000"), ("5.60", "5.60"),
        ] {
            let found = try content(observation(quantity(number, "mU/L"), category: "laboratory"))
            #expect(found.body.text(Blood.value) == text)
        }
    }

    @Test("A result without the category of FHIR is one by its laboratory's category, its code or its unit")
    func categories() throws {
        let loinc: JSONValue = ["coding": [["system": "http://loinc.org", "code": "2345-7"]], "text": "Glucose"]
        let pulse: JSONValue = ["coding": [["system": "http://loinc.org", "code": "8867-4"]], "text": "Pulse"]
        #expect(try content(observation(quantity("5.6", "mmol/L"))).kind == Blood.kind)
        #expect(try content(observation(quantity("140", "x"), category: "LAB")).kind == Blood.kind)
        #expect(try content(observation(quantity("5.6", "%"), code: loinc)).kind == Blood.kind)
        #expect(try content(observation(quantity("36.6", "Cel"), code: loinc)).kind == MeasuredValue.kind)
        #expect(try content(observation(quantity("64", "/min"), code: pulse)).kind == MeasuredValue.kind)
        #expect(try content(observation(quantity("64", "cm"))).kind == MeasuredValue.kind)
        #expect(try content(observation(["valueString": "A"])).kind == Foreign.kind)
        #expect(try content(observation(quantity("3", "x"), category: "survey")).kind == Foreign.kind)
        let report: JSONValue = [
            "resourceType": "DiagnosticReport", "id": "r", "status": "final",
            "category": [["coding": [["code": "HM"]]]], "code": ["text": "Blood group"],
            "result": [["reference": "Observation/o"]],
        ]
        let found = try contents([observation(["valueString": "A"]), report])
        #expect(found[0].kind == Blood.kind)
        #expect(FHIRKept.saysAll(of: found[0]))
    }

    @Test("A result without a value says why")
    func absent() throws {
        let found = try content(
            observation(
                ["dataAbsentReason": ["text": "sample haemolysed"], "note": [["text": "repeat"]]],
                category: "laboratory"
            )
        )
        #expect(found.comment == "repeat\nno value: sample haemolysed")
    }

    @Test("A range and a titer are values")
    func otherValues() throws {
        let range: JSONValue = [
            "valueRange": ["low": ["value": 3, "unit": "mm"], "high": ["value": 5, "unit": "mm"]]
        ]
        #expect(try content(observation(range, category: "laboratory")).body.text(Blood.value) == "3 to 5 mm")
        let titer: JSONValue = ["valueRatio": ["numerator": ["value": 1], "denominator": ["value": 128]]]
        #expect(try content(observation(titer, category: "laboratory")).body.text(Blood.value) == "1:128")
    }

    // MARK: - People

    @Test("Former names, addresses and phone numbers never stand for present ones")
    func uses() throws {
        let patient: JSONValue = [
            "resourceType": "Patient", "id": "p1",
            "name": [
                ["use": "maiden", "family": "Zbinden", "given": ["Ruth"]],
                ["use": "usual", "family": "Frei", "given": ["Ruth"], "period": ["end": "2010-01-01"]],
                ["use": "usual", "family": "Aebi", "given": ["Ruth"]],
            ],
            "address": [
                ["use": "old", "line": ["Alte Gasse 1"], "city": "Bern"],
                ["use": "home", "line": ["Neue Gasse 9"], "city": "Biel"],
            ],
            "generalPractitioner": [["reference": "Practitioner/d"]],
        ]
        let doctor: JSONValue = [
            "resourceType": "Practitioner", "id": "d",
            "name": [["use": "old", "text": "Dr. Old"], ["text": "Dr. New"]],
            "telecom": [
                ["system": "phone", "value": "111", "use": "old"], ["system": "phone", "value": "333", "use": "home"],
                ["system": "phone", "value": "222", "use": "work"],
            ],
            "address": [["use": "old", "city": "Bern"]],
        ]
        let found = try record([
            "resourceType": "Bundle", "type": "collection", "entry": [["resource": patient], ["resource": doctor]],
        ])
        #expect(found.profile.displayName == "Ruth Aebi")
        #expect(found.profile.values.text(RecordProfile.address) == "Neue Gasse 9, Biel")
        let content = found.entries[1].content
        #expect(content.body.text(Doctor.name) == "Dr. New")
        #expect(content.body.text(Doctor.phone) == "222")
        #expect(content.body.group(Doctor.address) == nil)
    }

    @Test("A statement that there is no allergy is none")
    func none() throws {
        let texts = ["No known allergies", "Keine"]
        for text in texts {
            #expect(
                try content(["resourceType": "AllergyIntolerance", "id": "a", "code": ["text": .string(text)]]).kind
                    == Foreign.kind
            )
        }
        let coded: JSONValue = ["coding": [["system": "http://snomed.info/sct", "code": "716186003"]]]
        #expect(try content(["resourceType": "AllergyIntolerance", "id": "a", "code": coded]).kind == Foreign.kind)
        let but: JSONValue = ["text": "No known allergies but penicillin"]
        #expect(try content(["resourceType": "AllergyIntolerance", "id": "a", "code": but]).kind == Allergy.kind)
    }

    // MARK: - Faults

    @Test("An impossible date does not hide what it dates, but the end of a statement is not left out")
    func unreadableDates() throws {
        let found = try record(
            FHIRTexts.bundle([
                FHIRTexts.condition("2025-02-30", id: "c1"),
                FHIRTexts.condition("2025-02", id: "c2", ["abatementDateTime": "2025-02-30"]),
            ])
        )
        #expect(found.entries[1].content.kind == Illness.kind)
        #expect(found.entries[1].content.date == nil)
        #expect(FHIRKept(found.entries[1].content.extra)?.resource["onsetDateTime"] == "2025-02-30")
        #expect(found.entries[2].content.kind == Foreign.kind)
        #expect(found.faults.map(\.isKept) == [true, true])
    }

    @Test("What cannot be read is kept as it came or left out, and listed by its path; the others are read")
    func faults() throws {
        let bundle = FHIRTexts.bundle([
            FHIRTexts.weight("75"), FHIRTexts.condition("2025-02-30", id: "c1"), ["id": "nothing"],
            FHIRTexts.condition("2025-02-03T10:00:00", id: "c2"),
            ["resourceType": "Condition", "id": "c3", "code": "secret"], FHIRTexts.condition("2025-02", id: "c4"),
        ])
        let found = try record(bundle)
        #expect(
            found.entries.map(\.content.kind) == [
                Foreign.kind, Weight.kind, Illness.kind, Illness.kind, Foreign.kind, Illness.kind, Foreign.kind,
            ]
        )
        #expect(FHIRKept(found.entries[2].content.extra)?.resource["onsetDateTime"] == "2025-02-30")
        #expect(
            found.faults.map(\.error.field) == [
                "entry[3].resource.resourceType", "entry[2].resource.onsetDateTime", "entry[4].resource.onsetDateTime",
                "entry[5].resource.code",
            ]
        )
        #expect(found.faults.map(\.isKept) == [false, true, true, true])
        #expect(!found.faults.contains { $0.error.description.contains("secret") })
        #expect(throws: ModelError.self) { try record(bundle, isStrict: true) }
    }

    @Test("Of lines, one that is no JSON is left out, and a file of the system is skipped")
    func lines() throws {
        let namespaces = PurusNamespaces(records: UUID()) { _ in UUID() }
        let options = FHIROptions(now: Self.now, namespaces: namespaces)
        let patient = JSONWriter.bytes(FHIRTexts.patient)
        let found = try FHIRDocument.read(
            [
                FHIRLines(name: "Patient.ndjson", bytes: patient + Array("\n{\"resourceType\": \n".utf8)),
                FHIRLines(name: "._Patient.ndjson", bytes: [0, 5, 22, 7]),
            ],
            options: options
        )
        #expect(found.count == 1)
        #expect(found[0].entries.count == 1)
        #expect(found[0].faults.map(\.isKept) == [false])
        #expect(found[0].faults[0].error.field?.hasPrefix("Patient.ndjson line 2") == true)
        #expect(found[0].skipped == ["._Patient.ndjson"])
    }
}

extension FieldValues {
    fileprivate var codes: [FieldValues] { groups(SharedFields.codes) }
}
