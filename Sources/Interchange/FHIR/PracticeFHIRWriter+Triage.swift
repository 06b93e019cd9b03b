import FoundationEssentials
import HealthModel

extension PracticeFHIRWriter {
    /// Adds the triages: the visit, the vital signs, and the level as a RiskAssessment.
    mutating func addTriages() {
        for triage in contents.triages where isShown(triage.record) {
            let encounter = addEncounter(of: triage)
            let basis = addObservations(of: triage, in: encounter)
            let assessment = triage.assessment
            let reasons = triage.override == nil ? triage.reasons : [triage.overrideReason].filter { !$0.isEmpty }
            let computed = triage.computedLevel.flatMap { triage.override == nil ? nil : "The rules gave \($0.name)." }
            // Yellow is the default level of a patient who was not assessed; no one has judged it.
            let isJudged = assessment != nil || triage.override != nil
            let prediction: JSONValue? =
                isJudged
                ? .present([
                    "qualitativeRisk": FHIR.concept("\(triage.level.name) (\(triage.level.meaning))"),
                    "rationale": .notEmpty(reasons.joined(separator: "; ")),
                ]) : nil
            let symptoms = assessment?.findings.values.texts(TriageFindings.symptoms) ?? []
            let status =
                switch triage.status {
                case .retracted: "entered-in-error"
                case _ where isJudged: "final"
                case .left: "cancelled"
                case .begun, .assessed, .taken: "registered"
                }
            bundle.add(
                "RiskAssessment",
                triage.id,
                [
                    "status": .string(status), "method": FHIR.concept(assessment?.rulesLabel),
                    "code": FHIR.concept("Triage"), "subject": FHIR.reference(triage.record),
                    "encounter": FHIR.reference(encounter), "occurrenceDateTime": .time(triage.examinedAt),
                    "reasonCode": .list(([triage.complaint] + symptoms).compactMap { FHIR.concept($0) }),
                    "basis": .list(basis.map { FHIR.reference($0) }), "prediction": prediction.map { [$0] },
                    "note": .array(
                        ([computed, missing(in: triage)].compactMap(\.self) + [TriageRules.notice])
                            .map { ["text": .string($0)] }
                    ),
                ]
            )
        }
    }

    private func missing(in triage: TriageDocument) -> String? {
        triage.missing.isEmpty ? nil : "Not known: \(triage.missing.joined(separator: ", "))."
    }

    /// Returns the visit that a triage belongs to; adds it unless the appointment has one.
    private mutating func addEncounter(of triage: TriageDocument) -> UUID {
        let appointment = triage.appointment.flatMap { appointments[$0] }
            .flatMap { $0.record == triage.record ? $0 : nil }
        if let appointment, appointment.hasFHIREncounter { return Self.derived(appointment.id, "Encounter") }
        // The end of a treatment without an appointment is not recorded.
        let isRecent = contents.now < triage.arrivedAt.adding(minutes: 1_440)
        let status =
            switch triage.status {
            case .begun: isRecent ? "arrived" : "unknown"
            case .assessed: isRecent ? "triaged" : "unknown"
            case .taken: isRecent ? "in-progress" : "unknown"
            case .left: triage.leftWhy == .withoutBeingSeen ? "cancelled" : "finished"
            case .retracted: "entered-in-error"
            }
        let id = Self.derived(triage.id, "Encounter")
        addEncounter(
            id,
            of: triage.record,
            status: status,
            isEmergency: true,
            [
                "appointment": appointment.map { [FHIR.reference($0.id)] },
                "period": FHIR.period(triage.arrivedAt.description, triage.leftAt?.description),
                "reasonCode": FHIR.concept(triage.complaint).map { [$0] },
            ]
        )
        return id
    }

    /// Adds the measured and examined findings; returns their ids.
    private mutating func addObservations(of triage: TriageDocument, in encounter: UUID) -> [UUID] {
        guard let findings = triage.assessment?.findings else { return [] }
        var ids: [UUID] = []
        func head(_ name: String, _ category: String, _ code: JSONValue?) -> KeyValuePairs<String, JSONValue?> {
            ids.append(Self.derived(triage.id, "Observation/\(name)"))
            let category = FHIR.concept(nil, FHIR.Coding(FHIR.System.observationCategory, category))
            return [
                "status": triage.status == .retracted ? "entered-in-error" : "final", "category": category.map { [$0] },
                "code": code, "subject": FHIR.reference(triage.record), "encounter": FHIR.reference(encounter),
                "effectiveDateTime": .time(triage.examinedAt),
            ]
        }
        for vital in findings.vitals.fhir {
            let members = head(vital.name, "vital-signs", FHIR.concept(vital.name, vital.codings))
            bundle.add("Observation", ids[ids.count - 1], members, vital.value)
        }
        for (part, field) in TriageFindings.examination {
            let result = findings.abcde[part]
            guard result != .notAssessed else { continue }
            let members = head(field.name, "exam", FHIR.concept(field.label))
            bundle.add(
                "Observation",
                ids[ids.count - 1],
                members,
                ["valueCodeableConcept": FHIR.concept(result.rawValue)]
            )
        }
        return ids
    }
}

extension TriageDocument {
    /// When the patient was examined: the time of the assessment, or of the arrival if the assessment was recorded more than
    /// a day later, as in an import.
    fileprivate var examinedAt: Instant {
        guard let assessedAt, assessedAt < arrivedAt.adding(minutes: 1_440) else { return arrivedAt }
        return assessedAt
    }
}

/// A vital sign as FHIR describes it.
private struct FHIRVital {
    var name: String
    var codings: [FHIR.Coding]
    var value: KeyValuePairs<String, JSONValue?>
}

extension VitalSigns {
    /// The vital signs that were measured, with LOINC's codes for those that FHIR names.
    ///
    /// This material contains content from LOINC (http://loinc.org). LOINC is copyright © Regenstrief Institute, Inc. and
    /// the Logical Observation Identifiers Names and Codes (LOINC) Committee and is available at no cost under the license
    /// at http://loinc.org/license.
    fileprivate var fhir: [FHIRVital] {
        var found: [FHIRVital] = []
        func loinc(_ code: String) -> FHIR.Coding { FHIR.Coding(FHIR.System.loinc, code) }
        func quantity(_ name: String, _ codes: [String], _ value: String?, _ unit: String, _ ucum: String) {
            guard let value else { return }
            let measured = FHIR.quantity(value, unit, ucum: ucum)
            found.append(FHIRVital(name: name, codings: codes.map(loinc), value: ["valueQuantity": measured]))
        }
        func word(_ name: String, _ value: String?) {
            guard let value else { return }
            found.append(FHIRVital(name: name, codings: [], value: ["valueCodeableConcept": FHIR.concept(value)]))
        }
        quantity("Body temperature", ["8310-5"], temperature?.description, "°C", "Cel")
        quantity("Heart rate", ["8867-4"], heartRate.map { "\($0)" }, "/min", "/min")
        quantity("Respiratory rate", ["9279-1"], respiratoryRate.map { "\($0)" }, "/min", "/min")
        if let pressure = bloodPressure, pressure != BloodPressure() {
            func component(_ name: String, _ code: String, _ value: Int?) -> JSONValue {
                // FHIR's profile demands both values; a Doppler probe measures one.
                let absent = FHIR.Coding(FHIR.System.dataAbsent, "not-performed", "Not Performed")
                return .present([
                    "code": FHIR.concept(name, loinc(code)),
                    "valueQuantity": value.map { FHIR.quantity("\($0)", "mmHg", ucum: "mm[Hg]") },
                    "dataAbsentReason": value == nil ? FHIR.concept(nil, absent) : nil,
                ])
            }
            var components = [
                component("Systolic blood pressure", "8480-6", pressure.systolic),
                component("Diastolic blood pressure", "8462-4", pressure.diastolic),
            ]
            if let mean = pressure.mean { components.append(component("Mean blood pressure", "8478-0", mean)) }
            found.append(
                FHIRVital(name: "Blood pressure", codings: [loinc("85354-9")], value: ["component": .array(components)])
            )
        }
        quantity("Body weight", ["29463-7"], weight?.description, "kg", "kg")
        quantity("Oxygen saturation", ["2708-6", "59408-5"], oxygenSaturation.map { "\($0)" }, "%", "%")
        quantity("Capillary refill", [], capillaryRefill?.description, "s", "s")
        quantity("Pain (0 to 4)", [], pain.map { "\($0)" }, "points", "{score}")
        word("Mucous membranes", mucousMembrane?.rawValue)
        word("Consciousness (AVPU)", consciousness?.rawValue)
        word("Panting", isPanting.map { $0 ? "yes" : "no" })
        return found
    }
}
