import HealthModel

extension FHIRInterpreter {
    static func provider(_ resource: FHIRElement, _ type: String) throws -> FHIRMeaning? {
        var meaning = FHIRMeaning(Doctor.kind)
        let name = type == "Organization" ? try resource.text("name") : try humanName(resource)
        guard let name else { return nil }
        meaning[Doctor.name] = name
        try takeContacts(resource, Doctor.phone, Doctor.email, into: &meaning)
        for qualification in try resource.objects("qualification") where meaning[Doctor.specialty] == nil {
            meaning[Doctor.specialty] = try qualification.object("code")?.conceptText()
        }
        if type == "Organization" { meaning[Doctor.type] = try resource.objects("type").first?.conceptText() }
        if let address = try FHIRUse.current(resource.objects("address"), FHIRUse.addresses) {
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

    static func relatedPerson(_ resource: FHIRElement) throws -> FHIRMeaning? {
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

    /// The present name as people write it.
    static func humanName(_ resource: FHIRElement) throws -> String? {
        guard let name = try FHIRUse.current(resource.objects("name"), FHIRUse.names) else { return nil }
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
        let uses = meaning.content.kind == EmergencyContact.kind ? FHIRUse.personal : FHIRUse.contacts
        for point in try FHIRUse.sorted(resource.objects("telecom"), uses) {
            switch try point.text("system") {
            case "phone" where meaning[phone] == nil: meaning[phone] = try point.text("value")
            case "email" where meaning[email] == nil: meaning[email] = try point.text("value")
            default: break
            }
        }
    }
}

/// Which of several names, addresses or phone numbers is the present one, by their `use` and their period.
enum FHIRUse {
    /// The uses from the best one on; an element without a use is where the empty text is.
    ///
    /// What is not listed is not taken.
    static let names = ["official", "usual", "", "temp", "anonymous", "nickname", "maiden", "old"]
    static let addresses = ["home", "", "work", "billing", "temp"]
    static let contacts = ["work", "", "home", "mobile", "temp"]
    static let personal = ["mobile", "", "home", "work", "temp"]
    private static let former: Set = ["maiden", "old"]

    /// The elements that may be taken, the best one first: by the rank that their source gives them, and then by their use.
    ///
    /// What has ended comes behind all that has not, and before what is called former.
    static func sorted(_ elements: [FHIRElement], _ uses: [String]) throws -> [FHIRElement] {
        var ranked: [(order: [Int], element: FHIRElement)] = []
        for (index, element) in elements.enumerated() {
            let use = try element.text("use") ?? ""
            guard let place = uses.firstIndex(of: use) else { continue }
            let end = try element.object("period")?.text("end")
            // Some systems write a year such as 9999 for a period without an end.
            let hasEnded = end.map { $0 < "2100" } ?? false
            let rank = try element.number("rank").flatMap { Int($0) } ?? Int.max
            ranked.append(([former.contains(use) ? 2 : hasEnded ? 1 : 0, rank, place, index], element))
        }
        return ranked.sorted { $0.order.lexicographicallyPrecedes($1.order) }.map(\.element)
    }

    static func current(_ elements: [FHIRElement], _ uses: [String]) throws -> FHIRElement? {
        try sorted(elements, uses).first
    }
}
