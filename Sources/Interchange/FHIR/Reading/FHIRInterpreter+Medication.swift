import HealthModel

extension FHIRInterpreter {
    static func medicationStatement(_ resource: FHIRElement, _ context: FHIRContext) throws -> FHIRMeaning? {
        guard var meaning = try medication(resource, context) else { return nil }
        meaning.content.date = try resource.date(of: "effective")
        // The rules of a plan that a journal wrote are in the residue.
        let dosages = try resource.objects("dosage")
        meaning[Drug.dosage] =
            try context.isWrittenHere
            ? dosages.count == 1 ? dosages[0].text("text") : nil : FHIRDosage.text(dosages)
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

    static func medicationRequest(_ resource: FHIRElement, _ context: FHIRContext) throws -> FHIRMeaning? {
        // A proposal or a plan is no prescription.
        guard let intent = try resource.text("intent"), intent.hasSuffix("order"),
            try resource.flag("doNotPerform") != true, var meaning = try medication(resource, context)
        else { return nil }
        meaning.content.date = try resource.date("authoredOn")
        meaning[Drug.dosage] = try FHIRDosage.text(resource.objects("dosageInstruction"))
        switch try resource.text("status") {
        case "active", "on-hold", "unknown", "entered-in-error": return meaning
        case "completed", "stopped":
            let end = try resource.object("dispenseRequest")?.object("validityPeriod")?.date("end")
            return meaning.end(end, orBy: meaning.content.date) ? meaning : nil
        default: return nil
        }
    }

    /// The medication of a statement or a request; nil if nothing says what it is.
    private static func medication(_ resource: FHIRElement, _ context: FHIRContext) throws -> FHIRMeaning? {
        var meaning = FHIRMeaning(Drug.kind)
        var stated = try resource.object("medicationCodeableConcept")
        if let concept = stated {
            meaning[Drug.name] = try concept.conceptText()
            meaning.content.body[SharedFields.codes] = try concept.conceptCodes()
        } else if let reference = try resource.object("medicationReference") {
            let target = try context.target(of: reference, in: resource)
            let code = try target?.object("code")
            stated = code
            meaning[Drug.name] =
                try code?.conceptText() ?? reference.text("display") ?? target.flatMap(ingredients)
            meaning.content.body[SharedFields.codes] = try code?.conceptCodes()
        }
        guard let name = meaning[Drug.name], try !isStatementOfNone(stated, name) else { return nil }
        try takeNotes(resource, Drug.information, into: &meaning)
        return meaning
    }

    /// The names of what a medication without a code contains; nil if they are not known.
    private static func ingredients(_ medication: FHIRElement) throws -> String? {
        let names = try medication.objects("ingredient")
            .compactMap { item in
                try item.object("itemCodeableConcept")?.conceptText() ?? item.object("itemReference")?.text("display")
            }
        return names.isEmpty ? nil : names.joined(separator: " + ")
    }
}
