import FoundationEssentials
package import HealthModel

/// Writes what a doctor who does not know the patient needs first: an International Patient Summary
/// (https://hl7.org/fhir/uv/ips, 2.0), as a Bundle of the type `document`.
///
/// It contains present entries only. A section without entries says why: nothing is recorded here, or the reader may not see
/// it. It never says that there is nothing, because an empty list says nothing of that.
package struct PatientSummaryWriter {
    /// A section of the summary, with its code in LOINC.
    private struct Section: Sendable {
        let code: String
        let display: String
        let title: String
        let kinds: [Kind]
        var isRequired = false
        /// The type of the imported resources that the section contains though no kind fits them.
        var type: String?
        var picks: @Sendable (EntryState) -> Bool = { _ in true }
    }

    private static let sections: [Section] = [
        Section(
            code: "11450-4",
            display: "Problem list - Reported",
            title: "Problems",
            kinds: [Illness.kind],
            isRequired: true,
            type: "Condition",
            picks: { !$0.isOver }
        ),
        Section(
            code: "48765-2",
            display: "Allergies and adverse reactions Document",
            title: "Allergies and intolerances",
            kinds: [Allergy.kind],
            isRequired: true,
            type: "AllergyIntolerance",
            picks: { !$0.isOver }
        ),
        Section(
            code: "10160-0",
            display: "History of Medication use Narrative",
            title: "Medication",
            kinds: [Drug.kind, Supplement.kind],
            isRequired: true,
            picks: { !$0.isOver }
        ),
        Section(
            code: "11369-6",
            display: "History of Immunization note",
            title: "Vaccinations",
            kinds: [Vaccination.kind]
        ),
        Section(
            code: "30954-2",
            display: "Relevant diagnostic tests/laboratory data note",
            title: "Results",
            kinds: [Blood.kind]
        ),
        Section(
            code: "8716-3",
            display: "Vital signs note",
            title: "Vital signs",
            kinds: [Weight.kind, MeasuredValue.kind]
        ),
        Section(
            code: "47519-4",
            display: "History of Procedures Document",
            title: "Procedures",
            kinds: [History.kind, Surgery.kind]
        ),
        Section(code: "104605-1", display: "Alert", title: "Alerts", kinds: [Risk.kind], picks: { !$0.isOver }),
        Section(
            code: "11348-0",
            display: "History of Past illness note",
            title: "Past problems",
            kinds: [Illness.kind],
            type: "Condition",
            picks: { $0.isOver }
        ),
    ]

    /// The kinds of entries that a summary can contain.
    package static let kinds = Set(sections.flatMap(\.kinds) + [Foreign.kind])

    private let record: RecordState
    private let asOf: Stamp
    private let includes: (Kind) -> Bool
    private let writer: RecordFHIRWriter
    private var entries: [Kind: [EntryState]] = [:]
    /// The number of laboratory results without a day, which a summary must not contain.
    private var undated = 0

    /// Creates the writer of a record as of a moment; `includes` tells which kinds the reader may see.
    package init(_ record: RecordState, asOf: Stamp, includes: @escaping (Kind) -> Bool) {
        (self.record, self.asOf, self.includes) = (record, asOf, includes)
        writer = RecordFHIRWriter(record) { _ in nil }
    }

    /// Takes an entry, if it belongs into the summary.
    ///
    /// Of the values of one name, the latest is kept.
    package mutating func add(_ entry: EntryState) {
        guard !entry.isRetracted, Self.kinds.contains(entry.kind) else { return }
        if entry.kind == Foreign.kind {
            // Such as a suspected allergy, or the statement that none is known.
            guard let statement = SummaryResource(statedBy: entry.content),
                Self.sections.contains(where: { $0.type == statement.type })
            else { return }
        }
        guard [Blood.kind, Weight.kind, MeasuredValue.kind].contains(entry.kind) else {
            entries[entry.kind, default: []].append(entry)
            return
        }
        if entry.kind == Blood.kind, !entry.hasDay {
            undated += 1
            return
        }
        let name = entry.measuredName
        if let index = entries[entry.kind]?.firstIndex(where: { $0.measuredName == name }) {
            guard let other = entries[entry.kind]?[index], other.date <= entry.date else { return }
            entries[entry.kind]?[index] = entry
        } else {
            entries[entry.kind, default: []].append(entry)
        }
    }

    /// The summary as a Bundle.
    package func document() throws -> JSONValue {
        var resources: [JSONValue] = []
        var sections: [JSONValue] = []
        for section in Self.sections {
            let statements = (entries[Foreign.kind] ?? [])
                .filter { entry in
                    section.type != nil && SummaryResource(statedBy: entry.content)?.type == section.type
                }
            let shown = (section.kinds.flatMap { entries[$0] ?? [] } + statements).filter(section.picks)
            let isWithheld = !section.kinds.allSatisfy(includes)
            guard !shown.isEmpty || section.isRequired || isWithheld else { continue }
            let found = try shown.map { try resource(of: $0) }
            resources += found
            sections.append(self.section(section, shown, found, isWithheld: isWithheld))
        }
        let composition: JSONValue = [
            "resourceType": "Composition", "id": .string(derived("composition").text), "status": "final",
            "type": ["coding": [loinc("60591-5", "Patient summary Document")]], "subject": reference(record.id),
            "date": .time(asOf.recordedAt), "author": [reference(derived("device"))],
            "title": .string("Patient summary of \(record.profile.displayName)"), "section": .array(sections),
        ]
        let items = [composition, patient, Self.device(derived("device"))] + resources
        return [
            "resourceType": "Bundle",
            "identifier": [
                "system": "urn:ietf:rfc:3986", "value": .string(FHIR.url(derived("bundle \(asOf.position)"))),
            ],
            "type": "document", "timestamp": .time(asOf.recordedAt),
            "entry": .array(
                items.map { resource in
                    let id = if case .string(let id)? = resource["id"] { id } else { "" }
                    return ["fullUrl": .string("urn:uuid:\(id)"), "resource": resource]
                }
            ),
        ]
    }

    // MARK: -

    private func derived(_ name: String) -> UUID { UUID(nameBased: record.id, "ips\n\(name)") }

    private func reference(_ id: UUID) -> JSONValue { ["reference": .string(FHIR.url(id))] }

    private func loinc(_ code: String, _ display: String) -> JSONValue {
        FHIR.Coding(FHIR.System.loinc, code, display).json
    }

    private func section(
        _ section: Section,
        _ entries: [EntryState],
        _ resources: [JSONValue],
        isWithheld: Bool
    ) -> JSONValue {
        var lines = entries.map { entry in
            if let statement = SummaryResource(statedBy: entry.content) { return statement.words }
            return [entry.content.title, entry.content.date?.description ?? "", entry.content.details]
                .filter { !$0.isEmpty }.joined(separator: "; ")
        }
        let reason = isWithheld ? "withheld" : "unavailable"
        if entries.isEmpty {
            lines = [isWithheld ? "Not shown to this reader." : "Nothing is recorded here."]
        } else if isWithheld {
            lines.append("Some of it is not shown to this reader.")
        }
        if section.kinds == [Blood.kind], undated > 0 {
            lines.append("\(undated) results without a day are left out.")
        }
        let items = lines.map { "<li>\($0.escapedForXML)</li>" }.joined()
        let text: JSONValue = [
            "status": "generated",
            "div": .string("<div xmlns=\"http://www.w3.org/1999/xhtml\"><ul>\(items)</ul></div>"),
        ]
        let references = resources.map { resource -> JSONValue in
            let id = if case .string(let id)? = resource["id"] { id } else { "" }
            return ["reference": .string("urn:uuid:\(id)")]
        }
        let empty: JSONValue = [
            "coding": [
                [
                    "system": "http://terminology.hl7.org/CodeSystem/list-empty-reason", "code": .string(reason),
                    "display": .string(isWithheld ? "Information Withheld" : "Unavailable"),
                ]
            ]
        ]
        return .present([
            "title": .string(section.title), "code": ["coding": [loinc(section.code, section.display)]], "text": text,
            "entry": .list(references), "emptyReason": references.isEmpty ? empty : nil,
        ])
    }

    /// The resource of an entry, with what a summary demands besides.
    ///
    /// An imported one says what its source said, such as the severity of an allergy or the range of a result, with what was
    /// corrected here.
    private func resource(of entry: EntryState) throws -> JSONValue {
        if let kept = FHIRKept(entry.content.extra), !kept.isFile {
            let current = FHIRKept.saysAll(of: entry.content) ? kept.resource : try writer.corrected(kept, entry)
            return try SummaryResource(current, FHIRContext(entry.content.extra))
                .json(
                    id: entry.id,
                    named: entry.content.title,
                    patient: reference(record.id),
                    isResult: entry.kind == Blood.kind
                )
        }
        var members = FHIRRendering.resource(entry, reference(record.id), nil).members
        if entry.kind == Blood.kind, !members.contains(where: { $0.name == "performer" }) {
            members.append(.init("performer", [reference(record.id)]))
        }
        if Plan.kinds.contains(entry.kind), !members.contains(where: { $0.name.hasPrefix("effective") }) {
            members.append(.init("_effectiveDateTime", FHIRRendering.absent))
        }
        return .object(members)
    }

    /// The Patient without numbers of authorities and insurers.
    private var patient: JSONValue {
        let members = FHIR.PatientMembers(record.profile)
        return .present([
            "resourceType": "Patient", "id": .string(record.id.text), "extension": .list(members.extensions),
            "identifier": [["system": .string(FHIR.recordSystem), "value": .string(record.id.text)]],
            "name": members.name ?? [["text": .string(record.profile.displayName)]], "gender": members.gender,
            "birthDate": members.birthDate, "_birthDate": members.birthDate == nil ? FHIRRendering.absent : nil,
            "address": members.address,
        ])
    }

    /// The author: software put the summary together, and no one has attested it.
    private static func device(_ id: UUID) -> JSONValue {
        [
            "resourceType": "Device", "id": .string(id.text),
            "deviceName": [["name": "HealthJournal", "type": "user-friendly-name"]],
            "type": ["text": "Software"],
        ]
    }
}

extension EntryState {
    /// Whether what the entry describes has ended.
    fileprivate var isOver: Bool {
        if kind == Foreign.kind { return SummaryResource(statedBy: content)?.isOver ?? false }
        return content.body[SharedFields.ended] != nil
            || Plan.kinds.contains(kind) && content.body[PlanFields.stopped] != nil
    }

    /// Whether its day is known.
    fileprivate var hasDay: Bool {
        switch content.date {
        case .instant, .date(.day): true
        case .date, nil: false
        }
    }

    fileprivate var date: Day { content.date?.day ?? Day.earliestEntered }

    /// The name of the measured value; empty for a weight.
    fileprivate var measuredName: String {
        kind == Weight.kind ? "" : content.body.text(kind == Blood.kind ? Blood.name : MeasuredValue.name) ?? ""
    }
}
