import HealthModel

/// What a resource says, as an entry of a kind.
struct FHIRMeaning {
    var content: EntryContent
    /// The file that the resource contains; its kept text has a reference in its place.
    var file: FHIRFile?

    init(_ kind: Kind) { content = EntryContent(kind: kind) }

    subscript(_ field: Field) -> String? {
        get { content.body.text(field) }
        set { content.body[field] = newValue.map { .text($0) } }
    }

    /// Sets the end of an entry that is over; if its source does not say when, the end is a guess, and marked as one.
    mutating func end(_ date: OccurredDate?, orBy guess: OccurredDate?) -> Bool {
        guard let end = date ?? guess else { return false }
        content.body[SharedFields.ended] = .text(end.partial.description)
        if date == nil { content.inferred.append(SharedFields.ended.name) }
        return true
    }
}

/// A file within a resource.
struct FHIRFile {
    let mediaType: String?
    let bytes: [UInt8]
}

/// Decides what a resource is in the journal.
///
/// A resource that no kind of entry fits, or whose statement an entry could not repeat (a suspected allergy, a planned
/// procedure), stays foreign: nothing is stated that its source did not state.
enum FHIRInterpreter {
    /// Changes whenever a resource gets another meaning, so that texts which an earlier version interpreted are read again.
    static let version = 1

    /// Returns the meaning of a resource; nil if it stays foreign.
    ///
    /// `isOwnProvider` is whether the Patient names a practitioner or an organization as theirs. Throws for an element of
    /// a wrong JSON type or an invalid date.
    static func meaning(
        of resource: FHIRElement,
        type: String,
        isOwnProvider: Bool
    ) throws -> FHIRMeaning? {
        switch type {
        case "Observation": try observation(resource)
        case "MedicationStatement": try medicationStatement(resource)
        case "MedicationRequest": try medicationRequest(resource)
        case "Immunization": try immunization(resource)
        case "AllergyIntolerance": try allergy(resource)
        case "Condition": try condition(resource)
        case "Procedure": try procedure(resource)
        case "Flag": try flag(resource)
        case "DocumentReference": try documentReference(resource)
        case "Media": try media(resource)
        case "Practitioner", "Organization": isOwnProvider ? try provider(resource, type) : nil
        case "RelatedPerson": try relatedPerson(resource)
        case "Invoice": try invoice(resource)
        default: nil
        }
    }

    /// Whether the meaning of resources of a type depends on the Patient.
    static func dependsOnPatient(_ type: String) -> Bool { type == "Practitioner" || type == "Organization" }

    // MARK: - Medication

    private static func medicationStatement(_ resource: FHIRElement) throws -> FHIRMeaning? {
        guard var meaning = try medication(resource) else { return nil }
        meaning.content.date = try resource.date(of: "effective")
        meaning[Drug.dosage] = try dosage(resource, "dosage")
        let end = try resource.object("effectivePeriod")?.date("end")
        switch try resource.text("status") {
        case "active", "intended", "on-hold", "unknown", "entered-in-error":
            if end != nil { _ = meaning.end(end, orBy: nil) }
            return meaning
        case "completed", "stopped":
            return meaning.end(end, orBy: try meaning.content.date ?? resource.date("dateAsserted")) ? meaning : nil
        // Not taken, or of no known status.
        default: return nil
        }
    }

    private static func medicationRequest(_ resource: FHIRElement) throws -> FHIRMeaning? {
        // A proposal or a plan is no prescription.
        guard let intent = try resource.text("intent"), intent.hasSuffix("order"),
            try resource.flag("doNotPerform") != true, var meaning = try medication(resource)
        else { return nil }
        meaning.content.date = try resource.date("authoredOn")
        meaning[Drug.dosage] = try dosage(resource, "dosageInstruction")
        switch try resource.text("status") {
        case "active", "on-hold", "unknown", "entered-in-error": return meaning
        case "completed", "stopped":
            let end = try resource.object("dispenseRequest")?.object("validityPeriod")?.date("end")
            return meaning.end(end, orBy: meaning.content.date) ? meaning : nil
        default: return nil
        }
    }

    /// The medication of a statement or a request; nil if it is named only by a reference without a display.
    private static func medication(_ resource: FHIRElement) throws -> FHIRMeaning? {
        var meaning = FHIRMeaning(Drug.kind)
        if let concept = try resource.object("medicationCodeableConcept") {
            meaning[Drug.name] = try concept.conceptText()
            meaning.content.body[SharedFields.codes] = try concept.conceptCodes()
        } else if let reference = try resource.object("medicationReference") {
            let contained = try self.contained(reference, in: resource)
            meaning[Drug.name] = try contained?.object("code")?.conceptText() ?? reference.text("display")
            meaning.content.body[SharedFields.codes] = try contained?.object("code")?.conceptCodes()
        }
        guard meaning[Drug.name] != nil else { return nil }
        try takeNotes(resource, Drug.information, into: &meaning)
        return meaning
    }

    private static func contained(_ reference: FHIRElement, in resource: FHIRElement) throws -> FHIRElement? {
        guard let target = try reference.text("reference"), target.hasPrefix("#") else { return nil }
        for item in try resource.objects("contained") {
            if try item.text("id") == String(target.dropFirst()) { return item }
        }
        return nil
    }

    private static func dosage(_ resource: FHIRElement, _ name: String) throws -> String? {
        let items = try resource.objects(name)
        return items.count == 1 ? try items[0].text("text") : nil
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
        guard let code = try resource.object("code"), let text = try code.conceptText() else { return nil }
        var meaning = FHIRMeaning(kind)
        meaning[name] = text
        meaning.content.body[SharedFields.codes] = try code.conceptCodes()
        meaning.content.date = try resource.date(of: "onset")
        if kind == Illness.kind {
            try takeNotes(resource, Illness.information, into: &meaning)
        } else {
            meaning.content.comment = try resource.onlyNote() ?? ""
        }
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

    private static func immunization(_ resource: FHIRElement) throws -> FHIRMeaning? {
        let status = try resource.text("status")
        guard status == "completed" || status == "entered-in-error", let code = try resource.object("vaccineCode"),
            let text = try code.conceptText()
        else { return nil }
        var meaning = FHIRMeaning(Vaccination.kind)
        meaning[Vaccination.name] = text
        meaning.content.body[SharedFields.codes] = try code.conceptCodes()
        meaning.content.date = try resource.date("occurrenceDateTime")
        meaning[Vaccination.place] = try resource.object("location")?.text("display")
        try takeNotes(resource, Vaccination.information, into: &meaning)
        return meaning
    }

    private static func procedure(_ resource: FHIRElement) throws -> FHIRMeaning? {
        let status = try resource.text("status")
        guard status == "completed" || status == "unknown" || status == "entered-in-error",
            let code = try resource.object("code"), let text = try code.conceptText()
        else { return nil }
        var meaning = FHIRMeaning(History.kind)
        meaning[History.name] = text
        meaning.content.body[SharedFields.codes] = try code.conceptCodes()
        meaning.content.date = try resource.date(of: "performed")
        meaning[History.contact] = try resource.objects("performer").first?.object("actor")?.text("display")
        try takeNotes(resource, History.information, into: &meaning)
        return meaning
    }

    /// Takes the only note as the comment; of two notes, the second is the information.
    private static func takeNotes(
        _ resource: FHIRElement,
        _ information: Field,
        into meaning: inout FHIRMeaning
    ) throws {
        let notes = try resource.objects("note")
        guard (1...2).contains(notes.count) else { return }
        meaning.content.comment = try notes[0].text("text") ?? ""
        if notes.count == 2 { meaning[information] = try notes[1].text("text") }
    }

    // MARK: - Documents

    private static func documentReference(_ resource: FHIRElement) throws -> FHIRMeaning? {
        guard let attachment = try resource.objects("content").first?.object("attachment") else { return nil }
        let name =
            try resource.text("description") ?? attachment.text("title")
            ?? resource.object("type")?.conceptText()
        guard var meaning = try document(attachment, named: name) else { return nil }
        meaning.content.date = try resource.date("date")
        return meaning
    }

    private static func media(_ resource: FHIRElement) throws -> FHIRMeaning? {
        guard let attachment = try resource.object("content") else { return nil }
        let name = try attachment.text("title") ?? resource.object("type")?.conceptText()
        guard var meaning = try document(attachment, named: name) else { return nil }
        meaning.content.date = try resource.date(of: "created")
        meaning.content.comment = try resource.onlyNote() ?? ""
        return meaning
    }

    private static func document(_ attachment: FHIRElement, named name: String?) throws -> FHIRMeaning? {
        var meaning = FHIRMeaning(Document.kind)
        meaning[Document.name] = name ?? "Document"
        if name == nil { meaning.content.inferred.append(Document.name.name) }
        meaning[Document.mediaType] = try attachment.text("contentType")
        if let bytes = try attachment.text("data").flatMap(FHIRData.bytes) {
            meaning.file = FHIRFile(mediaType: meaning[Document.mediaType], bytes: bytes)
        } else {
            // The bytes are elsewhere: a URL is never fetched.
            meaning.content.body[Document.missing] = .flag(true)
        }
        return meaning
    }

    // MARK: - People

    private static func provider(_ resource: FHIRElement, _ type: String) throws -> FHIRMeaning? {
        var meaning = FHIRMeaning(Doctor.kind)
        let name = type == "Organization" ? try resource.text("name") : try humanName(resource)
        guard let name else { return nil }
        meaning[Doctor.name] = name
        try takeContacts(resource, Doctor.phone, Doctor.email, into: &meaning)
        for qualification in try resource.objects("qualification") where meaning[Doctor.specialty] == nil {
            meaning[Doctor.specialty] = try qualification.object("code")?.conceptText()
        }
        if type == "Organization" { meaning[Doctor.type] = try resource.objects("type").first?.conceptText() }
        if let address = try resource.objects("address").first {
            var values = FieldValues()
            values[Doctor.addressText] = try address.text("text").map { .text($0) }
            let lines = try address.texts("line").joined(separator: ", ")
            values[Doctor.street] = .text(lines)
            let parts = [
                (Doctor.city, "city"), (Doctor.state, "state"), (Doctor.zipCode, "postalCode"),
                (Doctor.country, "country"),
            ]
            for (field, name) in parts { values[field] = try address.text(name).map { .text($0) } }
            meaning.content.body[Doctor.address] = .group(values)
        }
        return meaning
    }

    private static func relatedPerson(_ resource: FHIRElement) throws -> FHIRMeaning? {
        var relationship: String?
        var isForEmergencies = false
        for item in try resource.objects("relationship") {
            let text = try item.conceptText()
            if try item.hasCode(["C", "N", "EP"]) || text?.lowercased().contains("emergency") == true {
                isForEmergencies = true
            }
            if try !item.hasCode(["C", "N", "EP"]) || relationship == nil { relationship = text }
        }
        guard isForEmergencies, try resource.flag("active") != false, let name = try humanName(resource) else {
            return nil
        }
        var meaning = FHIRMeaning(EmergencyContact.kind)
        meaning[EmergencyContact.name] = name
        meaning[EmergencyContact.relationship] = relationship
        try takeContacts(resource, EmergencyContact.phone, EmergencyContact.email, into: &meaning)
        return meaning
    }

    /// The first name as people write it.
    static func humanName(_ resource: FHIRElement) throws -> String? {
        guard let name = try resource.objects("name").first else { return nil }
        if let text = try name.text("text") { return text }
        let parts =
            try name.texts("prefix") + name.texts("given") + [name.text("family")].compactMap(\.self)
            + name.texts("suffix")
        let text = parts.filter { !$0.isEmpty }.joined(separator: " ")
        return text.isEmpty ? nil : text
    }

    private static func takeContacts(
        _ resource: FHIRElement,
        _ phone: Field,
        _ email: Field,
        into meaning: inout FHIRMeaning
    ) throws {
        for point in try resource.objects("telecom") {
            switch try point.text("system") {
            case "phone" where meaning[phone] == nil: meaning[phone] = try point.text("value")
            case "email" where meaning[email] == nil: meaning[email] = try point.text("value")
            default: break
            }
        }
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
        meaning.content.comment = try resource.onlyNote() ?? ""
        return meaning
    }
}
