import HealthModel

/// Decides what a resource is in the journal.
///
/// A resource that no kind of entry fits, or whose statement an entry could not repeat (a suspected allergy, a planned
/// procedure), stays foreign: nothing is stated that its source did not state.
enum FHIRInterpreter {
    /// Changes whenever a resource gets another meaning, so that texts which an earlier version interpreted are read again.
    static let version = 3

    /// The kinds that a resource can become.
    static let kinds = [
        Foreign.kind, Weight.kind, MeasuredValue.kind, Blood.kind, Drug.kind, Vaccination.kind, Allergy.kind,
        Illness.kind,
        History.kind, Risk.kind, Document.kind, Doctor.kind, EmergencyContact.kind, Cost.kind,
    ]

    /// Returns the meaning of a resource; nil if it stays foreign.
    ///
    /// Throws for an element of a wrong JSON type or an invalid date.
    static func meaning(of resource: FHIRElement, type: String, in context: FHIRContext) throws -> FHIRMeaning? {
        let meaning: FHIRMeaning? =
            switch type {
            case "Observation": try observation(resource, context)
            case "MedicationStatement": try medicationStatement(resource, context)
            case "MedicationRequest": try medicationRequest(resource, context)
            case "Immunization": try immunization(resource, context)
            case "AllergyIntolerance": try allergy(resource)
            case "Condition": try condition(resource)
            case "Procedure": try procedure(resource, context)
            case "Flag": try flag(resource)
            case "DocumentReference": try documentReference(resource, context)
            case "Media": try media(resource, context)
            case "Practitioner", "Organization": context.isOwnProvider ? try provider(resource, type) : nil
            case "RelatedPerson": try relatedPerson(resource)
            case "Invoice": try invoice(resource)
            default: nil
            }
        return meaning?.withTextsOfEntries()
    }

    /// Whether the meaning of resources of a type depends on the Patient.
    static func dependsOnPatient(_ type: String) -> Bool { type == "Practitioner" || type == "Organization" }

    /// Whether the meaning of a resource depends on resources that it does not name itself: the Patient, or a report.
    static func dependsOnDocument(_ resource: FHIRElement, _ type: String) -> Bool {
        dependsOnPatient(type) || type == "Observation" && (try? ObservationCategory.isOpen(resource)) ?? false
    }

    /// The references of a laboratory report to its results; none for another resource.
    static func results(of resource: FHIRElement, _ type: String) throws -> [String] {
        guard type == "DiagnosticReport", try ObservationCategory.isOfLaboratory(resource) else { return [] }
        return try resource.objects("result").compactMap { try FHIRTarget.key(of: $0) }
    }

    // MARK: - Conditions

    private static func allergy(_ resource: FHIRElement) throws -> FHIRMeaning? {
        guard var meaning = try problem(resource, Allergy.kind, Allergy.name) else { return nil }
        var reactions: [String] = []
        for reaction in try resource.objects("reaction") {
            for manifestation in try reaction.objects("manifestation") {
                if let text = try manifestation.conceptText(), !reactions.contains(text) { reactions.append(text) }
            }
        }
        if !reactions.isEmpty { meaning[Allergy.information] = reactions.joined(separator: ", ") }
        return meaning
    }

    private static func condition(_ resource: FHIRElement) throws -> FHIRMeaning? {
        try problem(resource, Illness.kind, Illness.name)
    }

    /// An allergy or a condition that its source states as a fact; nil for one that is refuted or only suspected.
    private static func problem(
        _ resource: FHIRElement,
        _ kind: Kind,
        _ name: Field
    ) throws -> FHIRMeaning? {
        let unsure: Set = ["refuted", "unconfirmed", "provisional", "differential"]
        if try resource.object("verificationStatus")?.hasCode(unsure) == true { return nil }
        guard let code = try resource.object("code"), let text = try code.conceptText(),
            try !isStatementOfNone(code, text)
        else { return nil }
        var meaning = FHIRMeaning(kind)
        meaning[name] = text
        meaning.content.body[SharedFields.codes] = try code.conceptCodes()
        meaning.content.date = try resource.date(of: "onset")
        if kind == Illness.kind {
            try takeNotes(resource, Illness.information, into: &meaning)
        } else {
            meaning.comment(try resource.notes())
        }
        if meaning.content.date == nil, let onset = try onset(of: resource) { meaning.comment(["since \(onset)"]) }
        let end = try resource.date(of: "abatement")
        let isOver = try resource.object("clinicalStatus")?.hasCode(["inactive", "resolved", "remission"]) ?? false
        if isOver {
            let known = try meaning.content.date ?? resource.date("lastOccurrence") ?? resource.date("recordedDate")
            guard meaning.end(end, orBy: known) else { return nil }
        } else if end != nil {
            _ = meaning.end(end, orBy: nil)
        }
        return meaning
    }

    /// When a problem began, in the words of its source, if that is not a date.
    private static func onset(of resource: FHIRElement) throws -> String? {
        if let text = try resource.text("onsetString") { return text }
        if let age = try FHIRDosage.quantity(resource.object("onsetAge")) { return "the age of \(age)" }
        return try FHIRDosage.range(resource.object("onsetRange")).map { "the age of \($0)" }
    }

    /// Codes of statements that there is nothing, or that nothing is known (SNOMED CT, and
    /// http://hl7.org/fhir/uv/ips/CodeSystem/absent-unknown-uv-ips): they are no allergy, no problem and no medication.
    private static let statementsOfNone: Set = [
        "716186003", "409137002", "428607008", "429625007", "428197003", "1003774007", "160244002", "160245001",
        "787481004", "no-allergy-info", "no-known-allergies", "no-known-medication-allergies",
        "no-known-environmental-allergies", "no-known-food-allergies", "no-medication-info", "no-known-medications",
        "no-problem-info", "no-known-problems", "no-immunization-info", "no-known-immunizations", "no-procedure-info",
        "no-known-procedures",
    ]

    private static let wordsOfNone: Set = [
        "none", "none known", "nka", "nkda", "no known allergy", "no known allergies", "no known drug allergy",
        "no known drug allergies", "no known medication allergies", "no known food allergies", "no known problems",
        "no known medications", "keine", "keine bekannt", "keine bekannten allergien", "keine allergien bekannt",
        "aucune", "aucune allergie connue",
    ]

    /// Whether a concept states that there is nothing of its kind, and nothing else.
    static func isStatementOfNone(_ concept: FHIRElement?, _ text: String) throws -> Bool {
        let words = text.lowercased()
        if wordsOfNone.contains(words) { return true }
        // What is excepted is stated.
        let excepts = words.split { !$0.isLetter }.contains { exceptions.contains(String($0)) }
        return try !excepts && concept?.hasCode(statementsOfNone) == true
    }

    private static let exceptions: Set = ["except", "but", "other", "ausser", "außer", "sauf", "hormis"]

    private static func flag(_ resource: FHIRElement) throws -> FHIRMeaning? {
        let status = try resource.text("status")
        guard status == "active" || status == "inactive" || status == "entered-in-error",
            let code = try resource.object("code"), let text = try code.conceptText()
        else { return nil }
        var meaning = FHIRMeaning(Risk.kind)
        meaning[Risk.name] = text
        meaning.content.body[SharedFields.codes] = try code.conceptCodes()
        let period = try resource.object("period")
        meaning.content.date = try period?.date("start")
        let end = try period?.date("end")
        if status == "inactive" {
            guard meaning.end(end, orBy: meaning.content.date) else { return nil }
        } else if end != nil {
            _ = meaning.end(end, orBy: nil)
        }
        return meaning
    }

    // MARK: - Immunizations and procedures

    private static func immunization(_ resource: FHIRElement, _ context: FHIRContext) throws -> FHIRMeaning? {
        let status = try resource.text("status")
        guard status == "completed" || status == "entered-in-error", let code = try resource.object("vaccineCode"),
            let text = try code.conceptText(), try !isStatementOfNone(code, text)
        else { return nil }
        var meaning = FHIRMeaning(Vaccination.kind)
        meaning[Vaccination.name] = text
        meaning.content.body[SharedFields.codes] = try code.conceptCodes()
        meaning.content.date = try resource.date("occurrenceDateTime")
        meaning[Vaccination.place] = try FHIRTarget.display(of: resource.object("location"), in: resource, context)
        meaning[Vaccination.manufacturer] = try FHIRTarget.display(
            of: resource.object("manufacturer"),
            in: resource,
            context
        )
        meaning[Vaccination.lot] = try resource.text("lotNumber")
        let performer = try resource.objects("performer").first?.object("actor")
        meaning[Vaccination.givenBy] = try FHIRTarget.display(of: performer, in: resource, context)
        try takeProtocol(resource, into: &meaning)
        try takeNotes(resource, Vaccination.information, into: &meaning)
        if let text = try resource.text("occurrenceString"), text != "unknown" { meaning.comment(["given: \(text)"]) }
        return meaning
    }

    /// Takes the diseases of all protocols, and the number of the dose if they agree on it.
    private static func takeProtocol(_ resource: FHIRElement, into meaning: inout FHIRMeaning) throws {
        var diseases: [String] = []
        var numbers: Set<Int64> = []
        for item in try resource.objects("protocolApplied") {
            for disease in try item.objects("targetDisease").compactMap({ try $0.conceptText() })
            where !diseases.contains(disease) {
                diseases.append(disease)
            }
            let number = try item.number("doseNumberPositiveInt") ?? item.text("doseNumberString")
            if let number = number.flatMap({ Int64($0) }) { numbers.insert(number) }
        }
        guard case .list(_, let most) = Vaccination.diseases.type,
            case .integer(let range) = Vaccination.doseNumber.type
        else { return }
        if (1...most).contains(diseases.count) {
            meaning.content.body[Vaccination.diseases] = .list(diseases.map { .text($0) })
        }
        if let number = numbers.first, numbers.count == 1, range.contains(number) {
            meaning.content.body[Vaccination.doseNumber] = .integer(number)
        }
    }

    private static func procedure(_ resource: FHIRElement, _ context: FHIRContext) throws -> FHIRMeaning? {
        let status = try resource.text("status")
        guard status == "completed" || status == "unknown" || status == "entered-in-error",
            let code = try resource.object("code"), let text = try code.conceptText(),
            try !isStatementOfNone(code, text)
        else { return nil }
        var meaning = FHIRMeaning(History.kind)
        meaning[History.name] = text
        meaning.content.body[SharedFields.codes] = try code.conceptCodes()
        meaning.content.date = try resource.date(of: "performed")
        let performer = try resource.objects("performer").first?.object("actor")
        meaning[History.contact] = try FHIRTarget.display(of: performer, in: resource, context)
        try takeNotes(resource, History.information, into: &meaning)
        return meaning
    }

    /// Takes the first note as the comment, and the others as the information.
    static func takeNotes(_ resource: FHIRElement, _ information: Field, into meaning: inout FHIRMeaning) throws {
        let notes = try resource.notes()
        meaning.content.comment = notes.first ?? ""
        let others = notes.dropFirst().joined(separator: "\n")
        if !others.isEmpty { meaning[information] = others }
    }

    // MARK: - Documents

    private static func documentReference(_ resource: FHIRElement, _ context: FHIRContext) throws -> FHIRMeaning? {
        guard let attachment = try resource.objects("content").first?.object("attachment") else { return nil }
        let name =
            try resource.text("description") ?? attachment.text("title")
            ?? resource.object("type")?.conceptText()
        guard var meaning = try document(attachment, named: name, context) else { return nil }
        meaning.content.date = try resource.date("date")
        return meaning
    }

    private static func media(_ resource: FHIRElement, _ context: FHIRContext) throws -> FHIRMeaning? {
        guard let attachment = try resource.object("content") else { return nil }
        let name = try attachment.text("title") ?? resource.object("type")?.conceptText()
        guard var meaning = try document(attachment, named: name, context) else { return nil }
        meaning.content.date = try resource.date(of: "created")
        meaning.comment(try resource.notes())
        return meaning
    }

    private static func document(
        _ attachment: FHIRElement,
        named name: String?,
        _ context: FHIRContext
    ) throws -> FHIRMeaning? {
        var meaning = FHIRMeaning(Document.kind)
        meaning[Document.name] = name ?? "Document"
        if name == nil { meaning.content.inferred.append(Document.name.name) }
        meaning[Document.mediaType] = try attachment.text("contentType")
        if let bytes = try attachment.text("data").flatMap(FHIRData.bytes) {
            meaning.file = FHIRFile(mediaType: meaning[Document.mediaType], bytes: bytes)
        } else if let file = try context.file(of: attachment) {
            if meaning[Document.mediaType] == nil { meaning[Document.mediaType] = file.mediaType }
            meaning.file = file
        } else {
            // The bytes are elsewhere: a URL is never fetched.
            meaning.content.body[Document.missing] = .flag(true)
        }
        return meaning
    }

    // MARK: - Costs

    /// An invoice of this journal; another one is a claim, and not a cost that a person paid.
    private static func invoice(_ resource: FHIRElement) throws -> FHIRMeaning? {
        guard let own = try FHIRExtension.own(FHIRExtension.cost, of: resource) else { return nil }
        var meaning = FHIRMeaning(Cost.kind)
        let total = try resource.object("totalGross")
        guard let amount = try total?.number("value").flatMap({ try? ExactDecimal(parsing: $0) }) else { return nil }
        meaning.content.body[Cost.amount] = .decimal(amount)
        meaning[Cost.currency] = try total?.text("currency")
        meaning.content.date = try resource.date("date")
        for part in try own.objects("extension") {
            switch try part.text("url") {
            case "year":
                meaning.content.body[Cost.year] = try part.number("valueInteger").flatMap(Int64.init)
                    .map { .integer($0) }
            case "basis": meaning[Cost.basis] = try part.text("valueString")
            case "category": meaning[Cost.category] = try part.text("valueString")
            default: break
            }
        }
        meaning.comment(try resource.notes())
        return meaning
    }
}
