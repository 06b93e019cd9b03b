import FoundationEssentials
import HealthModel

/// Renders entries as resources of FHIR R4, from their values alone.
enum FHIRRendering {
    private typealias Members = KeyValuePairs<String, JSONValue?>

    /// Returns the resource of an entry.
    ///
    /// `patient` is the reference to the Patient, and `file` the bytes of a document, if they are to be part of it.
    static func resource(_ entry: EntryState, _ patient: JSONValue, _ file: [UInt8]?) -> JSONValue {
        let content = entry.content
        return switch content.kind {
        case Weight.kind: weight(entry, patient)
        case MeasuredValue.kind: measurement(entry, patient)
        case Blood.kind: blood(entry, patient)
        case Drug.kind, Supplement.kind: medication(entry, patient)
        case Vaccination.kind: vaccination(entry, patient)
        case Allergy.kind: allergy(entry, patient)
        case Illness.kind: illness(entry, patient)
        case Risk.kind: risk(entry, patient)
        case History.kind, Surgery.kind: procedure(entry, patient)
        case Document.kind: document(entry, patient, file)
        case Doctor.kind: doctor(entry)
        case EmergencyContact.kind: emergencyContact(entry, patient)
        case Cost.kind: cost(entry, patient)
        default: basic(entry, patient)
        }
    }

    /// Returns the resource of an entry as one of another type that means the same, such as a MedicationRequest instead of a
    /// MedicationStatement: without the members that this type does not have.
    static func resource(_ entry: EntryState, _ patient: JSONValue, _ file: [UInt8]?, as type: String) -> JSONValue {
        let resource = resource(entry, patient, file)
        guard case .string(let rendered)? = resource["resourceType"], rendered != type else { return resource }
        let common = resource.members.filter {
            ["resourceType", "id", "identifier", "status", "note"].contains($0.name)
        }
        func renamed(_ name: String, _ other: String) -> [JSONValue.Member] {
            resource[name].map { [.init(other, $0)] } ?? []
        }
        switch (rendered, type) {
        case ("MedicationStatement", "MedicationRequest"):
            let end = resource["effectivePeriod"]?["end"]
            let start = resource["effectivePeriod"]?["start"].map { [JSONValue.Member("authoredOn", $0)] }
            return .object(
                common + renamed("medicationCodeableConcept", "medicationCodeableConcept")
                    + (start ?? renamed("effectiveDateTime", "authoredOn")) + renamed("dosage", "dosageInstruction")
                    + (end.map { [.init("dispenseRequest", ["validityPeriod": ["end": $0]])] } ?? [])
            )
        case ("Practitioner", "Organization"):
            return .object(
                common.filter { $0.name != "status" } + renamed("telecom", "telecom") + renamed("address", "address")
            )
        case ("DocumentReference", "Media"):
            return .object(common.filter { $0.name != "status" } + renamed("date", "createdDateTime"))
        default:
            return .object(common)
        }
    }

    /// The members that each resource of an entry begins with, and then its own; those without a value are left out.
    private static func resource(_ type: String, _ entry: EntryState, _ own: Members...) -> JSONValue {
        let identifier: JSONValue = [
            ["system": .string(FHIRExtension.entrySystem), "value": .string(entry.id.text)]
        ]
        let head: [JSONValue.Member] = [
            .init("resourceType", .string(type)), .init("id", .string(entry.id.text)), .init("identifier", identifier),
        ]
        return .object(head + own.joined().compactMap { member in member.value.map { .init(member.key, $0) } })
    }

    // MARK: - Observations

    private static let vitalSigns: JSONValue = [
        ["coding": [["system": .string(FHIR.System.observationCategory), "code": "vital-signs"]]]
    ]
    private static let laboratory: JSONValue = [
        ["coding": [["system": .string(FHIR.System.observationCategory), "code": "laboratory"]]]
    ]

    private static func weight(_ entry: EntryState, _ patient: JSONValue) -> JSONValue {
        let body = entry.content.body
        let unit = body.text(Weight.unit)
        let value = body.decimal(Weight.value)
            .map { value -> JSONValue in
                guard let unit else { return ["value": .number(value.description)] }
                return FHIR.quantity(value.description, unit, ucum: unit == "lb" ? "[lb_av]" : unit)
            }
        return resource(
            "Observation",
            entry,
            [
                "status": .string(entry.isRetracted ? "entered-in-error" : "final"), "category": vitalSigns,
                "code": FHIR.concept("Body weight", FHIR.Coding(FHIR.System.loinc, "29463-7", "Body weight")),
                "subject": patient,
            ],
            effective(entry),
            ["valueQuantity": value, "note": notes(entry)]
        )
    }

    private static func measurement(_ entry: EntryState, _ patient: JSONValue) -> JSONValue {
        let body = entry.content.body
        let parts = body.groups(MeasuredValue.parts)
            .map { part -> JSONValue in
                let value = value(part.text(MeasuredValue.partValue), part.text(MeasuredValue.partUnit))
                return .object(
                    [.init("code", FHIR.concept(part.text(MeasuredValue.part)) ?? [:])]
                        + value.compactMap { member in member.value.map { .init(member.key, $0) } }
                )
            }
        return resource(
            "Observation",
            entry,
            [
                "status": .string(entry.isRetracted ? "entered-in-error" : "final"), "category": vitalSigns,
                "code": concept(entry, MeasuredValue.name), "subject": patient,
            ],
            effective(entry, until: body.instant(MeasuredValue.until)),
            value(body.text(MeasuredValue.value), body.text(MeasuredValue.unit)),
            [
                "note": notes(entry), "device": body.text(MeasuredValue.device).map { ["display": .string($0)] },
                "component": .list(parts),
            ]
        )
    }

    private static func blood(_ entry: EntryState, _ patient: JSONValue) -> JSONValue {
        let body = entry.content.body
        return resource(
            "Observation",
            entry,
            [
                "status": .string(entry.isRetracted ? "entered-in-error" : "final"), "category": laboratory,
                "code": concept(entry, Blood.name), "subject": patient,
            ],
            effective(entry),
            value(body.text(Blood.value), body.text(Blood.unit)),
            [
                "interpretation": entry.content.flagAsSent.map { [["coding": [interpretation($0).json]]] },
                "note": notes(entry),
                "performer": body.text(Blood.laboratory).map { [["type": "Organization", "display": .string($0)]] },
                "specimen": body.text(Blood.specimen).map { ["display": .string($0)] },
                "referenceRange": reference(body),
            ]
        )
    }

    private static func interpretation(_ flag: Blood.Flag) -> FHIR.Coding {
        let display =
            switch flag {
            case .low: "Low"
            case .high: "High"
            case .veryLow: "Critical low"
            case .veryHigh: "Critical high"
            case .abnormal: "Abnormal"
            case .normal: "Normal"
            }
        return FHIR.Coding(FHIR.System.interpretation, flag.rawValue, display)
    }

    /// The reference range of a result; nil without one.
    private static func reference(_ body: FieldValues) -> JSONValue? {
        let unit = body.text(Blood.unit)
        let code = unit.flatMap { FHIRUnits.codes[$0] }
        func end(_ field: Field) -> JSONValue? {
            body.decimal(field)
                .map {
                    .present([
                        "value": .number($0.description), "unit": unit.map { .string($0) },
                        "system": code.map { _ in .string(FHIR.System.ucum) }, "code": code.map { .string($0) },
                    ])
                }
        }
        let (low, high) = (end(Blood.low), end(Blood.high))
        let text = body.text(Blood.normal)
        if low == nil, high == nil, text == nil { return nil }
        return [.present(["low": low, "high": high, "text": text.map { .string($0) }])]
    }

    /// A value as a number with its unit, if it is one and reads back as the same text, and otherwise as text.
    private static func value(_ text: String?, _ unit: String?) -> Members {
        guard let text else { return [:] }
        let comparators = ["<=", ">=", "<", ">"]
        let comparator = comparators.first { text.hasPrefix($0) }
        let number = String(text.dropFirst(comparator?.count ?? 0))
        if case .number(let digits)? = try? JSONReader.read(Array(number.utf8)), digits == number {
            let ucum = unit.flatMap { FHIRUnits.codes[$0] }
            return [
                "valueQuantity": .present([
                    "value": .number(number), "comparator": comparator.map { .string($0) },
                    "unit": unit.map { .string($0) }, "system": ucum.map { _ in .string(FHIR.System.ucum) },
                    "code": ucum.map { .string($0) },
                ])
            ]
        }
        return ["valueString": .string(text)]
    }

    /// When something was observed, or the period that it summarises.
    private static func effective(_ entry: EntryState, until: Instant? = nil) -> Members {
        guard let date = entry.content.date else {
            return until == nil
                ? ["_effectiveDateTime": absent] : ["effectivePeriod": FHIR.period(nil, until?.description)]
        }
        if let until { return ["effectivePeriod": FHIR.period(date.description, until.description)] }
        return ["effectiveDateTime": .string(date.description)]
    }

    /// The extension by which an element says that its value is not known
    /// (https://hl7.org/fhir/R4/extension-data-absent-reason.html).
    static let absent: JSONValue = [
        "extension": [
            ["url": "http://hl7.org/fhir/StructureDefinition/data-absent-reason", "valueCode": "unknown"]
        ]
    ]

    // MARK: - Medication, vaccinations, procedures

    private static func medication(_ entry: EntryState, _ patient: JSONValue) -> JSONValue {
        let body = entry.content.body
        let plan = plan(of: entry)
        let ended = body.text(SharedFields.ended) ?? plan.stopped?.day.description
        let date = entry.content.date?.description
        let status =
            entry.isRetracted
            ? "entered-in-error" : body[SharedFields.ended] != nil ? "completed" : status(of: plan, in: entry)
        let name = body.text(Drug.name) ?? body.text(Drug.rawText) ?? entry.content.kind.label
        return resource(
            "MedicationStatement",
            entry,
            [
                "status": .string(status),
                "medicationCodeableConcept": FHIR.concept(name, codings(entry.content)), "subject": patient,
                "effectiveDateTime": ended == nil ? date.map { .string($0) } : nil,
                "effectivePeriod": ended.flatMap { FHIR.period(date, $0) },
                "note": notes(entry, body.text(Drug.information)),
                "dosage": dosages(entry),
            ]
        )
    }

    private static func plan(of entry: EntryState) -> Plan {
        let recorded = Plan.Recorded(at: entry.added.recordedAt, day: Day(of: entry.added.recordedAt))
        return Plan(id: entry.id, entry.content) { _ in recorded }
    }

    /// Whether a plan is followed, as far as the entry says so without a clock: `unknown` for one without rules, and for
    /// one whose rules all end.
    private static func status(of plan: Plan, in entry: EntryState) -> String {
        if let stopped = plan.stopped {
            // A plan may be stopped for later. The period says when.
            return stopped.day <= Day(of: entry.latest.recordedAt).adding(days: 1) ? "stopped" : "active"
        }
        return plan.rules.contains { $0.until == nil } ? "active" : "unknown"
    }

    /// The dosage in the words of its source, and each rule of the plan with its amounts, the unit, the strength and the
    /// pauses.
    private static func dosages(_ entry: EntryState) -> JSONValue? {
        let body = entry.content.body
        let plan = plan(of: entry)
        let product = PlanProduct(name: "", unit: body.text(PlanFields.unit), strength: PlanStrength(body))
        var dosages: [JSONValue] = body.text(Drug.dosage).map { [["text": .string($0)]] } ?? []
        for (index, rule) in plan.rules.enumerated() {
            let intakes = rule.pattern.intakes
            var amounts: [String] = []
            for intake in intakes where intake.amount != nil || intake.amountText != nil {
                let text = product.text(of: intake.amount, words: intake.amountText)
                if !amounts.contains(text) { amounts.append(text) }
            }
            var text = (amounts + [rule.pattern.description, "from \(rule.from)"]).joined(separator: "; ")
            if let until = [rule.until, plan.stopped].compactMap(\.self).min() { text += " until \(until)" }
            for pause in plan.pauses {
                text += "; paused from \(pause.from)"
                if let until = pause.until { text += " until \(until)" }
            }
            var instructions: [String] = []
            for intake in intakes {
                for text in [intake.withMeal ? "with a meal" : nil, intake.instructions].compactMap(\.self)
                where !instructions.contains(text) {
                    instructions.append(text)
                }
            }
            let same = Set(intakes.map(\.amount)).count == 1 ? intakes.first?.amount : nil
            // A fraction such as 1/3 is no number of JSON: the text has it.
            let quantity = same.flatMap { amount -> JSONValue? in
                guard amount.isDecimal else { return nil }
                return .present([
                    "value": .number(amount.description), "unit": product.unit.map { .string($0) },
                ])
            }
            dosages.append(
                .present([
                    "sequence": .integer(index + 1), "text": .string(text),
                    "patientInstruction": instructions.isEmpty ? nil : .string(instructions.joined(separator: "; ")),
                    "doseAndRate": quantity.map { [["doseQuantity": $0]] },
                ])
            )
        }
        return dosages.isEmpty ? nil : .array(dosages)
    }

    private static func vaccination(_ entry: EntryState, _ patient: JSONValue) -> JSONValue {
        let body = entry.content.body
        let diseases = body.texts(Vaccination.diseases).compactMap { FHIR.concept($0) }
        let number = body.integer(Vaccination.doseNumber)
        // FHIR demands a number of the dose beside the diseases.
        let protocolApplied: JSONValue? =
            diseases.isEmpty && number == nil
            ? nil
            : .present([
                "targetDisease": .list(diseases), "doseNumberPositiveInt": number.map { .integer($0) },
                "doseNumberString": number == nil ? "unknown" : nil,
            ])
        return resource(
            "Immunization",
            entry,
            [
                "status": .string(entry.isRetracted ? "entered-in-error" : "completed"),
                "vaccineCode": concept(entry, Vaccination.name), "patient": patient,
                "occurrenceDateTime": entry.content.date.map { .string($0.description) },
                "occurrenceString": entry.content.date == nil ? "unknown" : nil,
                "location": body.text(Vaccination.place).map { ["display": .string($0)] },
                "manufacturer": body.text(Vaccination.manufacturer).map { ["display": .string($0)] },
                "lotNumber": body.text(Vaccination.lot).map { .string($0) },
                "performer": body.text(Vaccination.givenBy).map { [["actor": ["display": .string($0)]]] },
                "note": notes(entry, body.text(Vaccination.information)),
                "protocolApplied": protocolApplied.map { [$0] },
            ]
        )
    }

    private static func procedure(_ entry: EntryState, _ patient: JSONValue) -> JSONValue {
        let body = entry.content.body
        let isHistory = entry.kind == History.kind
        let performer = isHistory ? body.text(History.contact) : nil
        let place = isHistory ? nil : body.text(Surgery.place)
        return resource(
            "Procedure",
            entry,
            [
                "status": .string(entry.isRetracted ? "entered-in-error" : isHistory ? "unknown" : "completed"),
                "code": concept(entry, isHistory ? History.name : Surgery.name), "subject": patient,
                "performedDateTime": entry.content.date.map { .string($0.description) },
                "_performedDateTime": entry.content.date == nil ? absent : nil,
                "performer": performer.map { [["actor": ["display": .string($0)]]] },
                "location": place.map { ["display": .string($0)] },
                "note": notes(entry, body.text(isHistory ? History.information : Surgery.information)),
            ]
        )
    }

    // MARK: - Conditions

    private static func allergy(_ entry: EntryState, _ patient: JSONValue) -> JSONValue {
        let body = entry.content.body
        return resource(
            "AllergyIntolerance",
            entry,
            status(entry, FHIR.System.allergyStatus, FHIR.System.allergyVerification),
            [
                "code": concept(entry, Allergy.name), "patient": patient,
                "onsetDateTime": entry.content.date.map { .string($0.description) },
                "note": notes(entry),
                "reaction": body.text(Allergy.information).map { [["manifestation": [["text": .string($0)]]]] },
            ]
        )
    }

    private static func illness(_ entry: EntryState, _ patient: JSONValue) -> JSONValue {
        let body = entry.content.body
        return resource(
            "Condition",
            entry,
            status(entry, FHIR.System.conditionStatus, FHIR.System.conditionVerification),
            [
                "category": [
                    ["coding": [["system": .string(FHIR.System.conditionCategory), "code": "problem-list-item"]]]
                ],
                "code": concept(entry, Illness.name), "subject": patient,
                "onsetDateTime": entry.content.date.map { .string($0.description) },
                "abatementDateTime": body.text(SharedFields.ended).map { .string($0) },
                "note": notes(entry, body.text(Illness.information) ?? body.text(Illness.mergedText)),
            ]
        )
    }

    /// The clinical status of a condition; an entry that was a mistake has none, and says so.
    private static func status(
        _ entry: EntryState,
        _ clinical: String,
        _ verification: String
    ) -> Members {
        if entry.isRetracted {
            return ["verificationStatus": ["coding": [["system": .string(verification), "code": "entered-in-error"]]]]
        }
        let code = entry.content.body.text(SharedFields.ended) == nil ? "active" : "resolved"
        return ["clinicalStatus": ["coding": [["system": .string(clinical), "code": .string(code)]]]]
    }

    private static func risk(_ entry: EntryState, _ patient: JSONValue) -> JSONValue {
        let body = entry.content.body
        let ended = body.text(SharedFields.ended)
        return resource(
            "Flag",
            entry,
            [
                "status": .string(entry.isRetracted ? "entered-in-error" : ended == nil ? "active" : "inactive"),
                "category": [["coding": [["system": .string(FHIR.System.flagCategory), "code": "clinical"]]]],
                "code": concept(entry, Risk.name), "subject": patient,
                "period": FHIR.period(entry.content.date?.description, ended),
            ]
        )
    }

    // MARK: - Documents

    private static func document(_ entry: EntryState, _ patient: JSONValue, _ file: [UInt8]?) -> JSONValue {
        let body = entry.content.body
        let size = body.group(Document.content)?.integer(Document.size)
        return resource(
            "DocumentReference",
            entry,
            [
                "status": .string(entry.isRetracted ? "entered-in-error" : "current"), "subject": patient,
                // `date` is an instant in FHIR; a day is in the residue.
                "date": entry.content.instant.map { .time($0) },
                "description": body.text(Document.name).map { .string($0) },
                "content": [
                    [
                        "attachment": .present([
                            "contentType": body.text(Document.mediaType).map { .string($0) },
                            "data": file.map { .string(FHIRData.text($0)) }, "size": size.map { .integer($0) },
                            "title": body.text(Document.name).map { .string($0) },
                        ])
                    ]
                ],
            ]
        )
    }

    // MARK: - People

    private static func doctor(_ entry: EntryState) -> JSONValue {
        let body = entry.content.body
        return resource(
            "Practitioner",
            entry,
            [
                "active": entry.isRetracted ? false : nil,
                "name": body.text(Doctor.name).map { [["text": .string($0)]] },
                "telecom": FHIR.telecom(phone: body.text(Doctor.phone), email: body.text(Doctor.email)),
                "address": FHIR.address(body.group(Doctor.address)).map { [$0] },
                "qualification": body.text(Doctor.specialty).map { [["code": ["text": .string($0)]]] },
            ]
        )
    }

    private static func emergencyContact(_ entry: EntryState, _ patient: JSONValue) -> JSONValue {
        let body = entry.content.body
        let emergency = FHIR.concept(nil, FHIR.Coding(FHIR.System.contactRole, "C", "Emergency Contact"))
        let relationship = body.text(EmergencyContact.relationship).flatMap { FHIR.concept($0) }
        return resource(
            "RelatedPerson",
            entry,
            [
                "active": entry.isRetracted ? false : nil, "patient": patient,
                "relationship": .list([emergency, relationship].compactMap(\.self)),
                "name": body.text(EmergencyContact.name).map { [["text": .string($0)]] },
                "telecom": FHIR.telecom(
                    phone: body.text(EmergencyContact.phone),
                    email: body.text(EmergencyContact.email)
                ),
            ]
        )
    }

    // MARK: - Costs, and what FHIR has no resource for

    private static func cost(_ entry: EntryState, _ patient: JSONValue) -> JSONValue {
        let body = entry.content.body
        let parts: [JSONValue?] = [
            body.integer(Cost.year).map { ["url": "year", "valueInteger": .integer($0)] },
            body.text(Cost.basis).map { ["url": "basis", "valueString": .string($0)] },
            body.text(Cost.category).map { ["url": "category", "valueString": .string($0)] },
        ]
        let date = entry.content.date?.description ?? body.integer(Cost.year).map { "\($0)" }
        return resource(
            "Invoice",
            entry,
            [
                "extension": [
                    [
                        "extension": .array(parts.compactMap(\.self)),
                        "url": .string(FHIR.extensionBase + FHIRExtension.cost),
                    ]
                ], "status": .string(entry.isRetracted ? "entered-in-error" : "issued"), "subject": patient,
                "date": date.map { .string($0) },
                "totalGross": body.decimal(Cost.amount)
                    .map { amount in
                        .present([
                            "value": .number(amount.description),
                            "currency": body.text(Cost.currency).map { .string($0) },
                        ])
                    }, "note": notes(entry),
            ]
        )
    }

    /// An entry of a kind that FHIR has no resource for, such as a meal: all that it says is in the residue.
    private static func basic(_ entry: EntryState, _ patient: JSONValue) -> JSONValue {
        let words = [entry.content.title, entry.content.details].filter { !$0.isEmpty }.joined(separator: "; ")
        return resource(
            "Basic",
            entry,
            [
                "code": FHIR.concept(entry.kind.label), "subject": patient,
                "created": entry.content.date.map { .string($0.partial.description) },
                "text": words.isEmpty
                    ? nil
                    : [
                        "status": "generated",
                        "div": .string("<div xmlns=\"http://www.w3.org/1999/xhtml\">\(words.escapedForXML)</div>"),
                    ],
            ]
        )
    }

    // MARK: - Parts

    private static func concept(_ entry: EntryState, _ name: Field) -> JSONValue {
        // FHIR demands a code for an entry that has none.
        FHIR.concept(entry.content.body.text(name), codings(entry.content)) ?? ["text": .string(entry.kind.label)]
    }

    private static func codings(_ content: EntryContent) -> [FHIR.Coding] {
        content.body.groups(SharedFields.codes)
            .map { code in
                var coding = FHIR.Coding(
                    code.text(SharedFields.system) ?? "",
                    code.text(SharedFields.code) ?? "",
                    code.text(SharedFields.display)
                )
                coding.version = code.text(SharedFields.version)
                return coding
            }
    }

    /// The comment, and then the information.
    private static func notes(_ entry: EntryState, _ information: String? = nil) -> JSONValue? {
        let comment = entry.content.comment
        let texts = comment.isEmpty && information == nil ? [] : [comment.isEmpty ? nil : comment, information]
        return .list(texts.compactMap { text in text.map { ["text": .string($0)] } })
    }

    /// Returns the Patient of a record.
    static func patient(_ id: UUID, _ members: FHIR.PatientMembers, _ profile: RecordProfile) -> JSONValue {
        let values = profile.values
        var identifiers: [JSONValue] = [["system": .string(FHIR.recordSystem), "value": .string(id.text)]]
        func number(_ code: String, _ text: String, _ field: Field, _ assigner: String? = nil) {
            guard let value = values.text(field) else { return }
            identifiers.append(
                .present([
                    "type": FHIR.concept(text, FHIR.Coding(FHIR.System.identifierType, code)), "value": .string(value),
                    "assigner": assigner.map { ["display": .string($0)] },
                ])
            )
        }
        if profile.subject == .human {
            number("SS", "Social security number", RecordProfile.socialSecurityNumber)
            let insurance = values.text(RecordProfile.healthInsurance)
            number("MB", "Health insurance number", RecordProfile.healthInsuranceNumber, insurance)
        }
        return .present([
            "resourceType": "Patient", "id": .string(id.text), "extension": .list(members.extensions),
            "identifier": .array(identifiers + members.identifiers), "name": members.name, "gender": members.gender,
            "birthDate": members.birthDate, "address": members.address,
        ])
    }
}

/// Codes of UCUM for units as laboratories and devices write them; all others are written as text alone.
enum FHIRUnits {
    static let codes: [String: String] = [
        "%": "%", "kg": "kg", "g": "g", "mg": "mg", "cm": "cm", "m": "m", "mm": "mm", "mmHg": "mm[Hg]",
        "mm[Hg]": "mm[Hg]",
        "/min": "/min", "°C": "Cel", "Cel": "Cel", "°F": "[degF]", "mmol/l": "mmol/L", "mmol/L": "mmol/L",
        "mg/dl": "mg/dL", "mg/dL": "mg/dL", "g/l": "g/L", "g/L": "g/L", "g/dl": "g/dL", "g/dL": "g/dL",
        "µmol/l": "umol/L", "µmol/L": "umol/L", "umol/L": "umol/L", "nmol/l": "nmol/L", "nmol/L": "nmol/L",
        "pmol/l": "pmol/L", "pmol/L": "pmol/L", "ng/ml": "ng/mL", "ng/mL": "ng/mL", "pg/ml": "pg/mL", "pg/mL": "pg/mL",
        "U/l": "U/L", "U/L": "U/L", "mU/l": "mU/L", "mU/L": "mU/L", "fl": "fL", "fL": "fL", "pg": "pg", "mg/l": "mg/L",
        "mg/L": "mg/L", "mmol/mol": "mmol/mol", "kg/m2": "kg/m2", "l": "L", "L": "L", "ml": "mL", "mL": "mL",
    ]
}

extension String {
    /// The text with the characters escaped that have a meaning in XML.
    var escapedForXML: String {
        replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
