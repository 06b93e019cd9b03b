package import HealthModel

/// The types of resources that a journal serves, and the kinds of entries behind each.
package enum FHIRTypes {
    /// The kinds whose entries are written as a type; all others are written as Basic.
    static let written: [Kind: String] = [
        Weight.kind: "Observation", MeasuredValue.kind: "Observation", Blood.kind: "Observation",
        Drug.kind: "MedicationStatement", Supplement.kind: "MedicationStatement", Vaccination.kind: "Immunization",
        Allergy.kind: "AllergyIntolerance", Illness.kind: "Condition", Risk.kind: "Flag", History.kind: "Procedure",
        Surgery.kind: "Procedure", Document.kind: "DocumentReference", Doctor.kind: "Practitioner",
        EmergencyContact.kind: "RelatedPerson", Cost.kind: "Invoice",
    ]

    /// The kinds that imported resources of some more types become, besides those that any type can.
    private static let read: [String: [Kind]] = [
        "MedicationRequest": [Drug.kind], "Organization": [Doctor.kind], "Media": [Document.kind], "Coverage": [],
        "Encounter": [],
    ]

    /// The types that the CapabilityStatement lists; imported resources of other types of R4 are served, too.
    static let described: [String] = Set(written.values).union(read.keys).union(["Basic"]).sorted()

    /// The kinds whose entries can be a resource of a type.
    ///
    /// An imported resource of any type is a foreign entry, or a document if it contains a large file.
    package static func kinds(of type: String) -> [Kind] { kindsByType[type] ?? importedKinds }

    private static let importedKinds = Kind.all.filter { [Foreign.kind, Document.kind].contains($0) }
    private static let kindsByType = Dictionary(uniqueKeysWithValues: described.map { ($0, computedKinds(of: $0)) })

    private static func computedKinds(of type: String) -> [Kind] {
        let wanted = Kind.all.filter { (written[$0] ?? "Basic") == type } + (read[type] ?? []) + importedKinds
        return Kind.all.filter(wanted.contains)
    }

    /// The type of the resource as which an entry is served; nil for an entry that keeps the envelope of a bundle.
    package static func type(of content: EntryContent) -> String? {
        if content.kind == Foreign.kind {
            if FHIREnvelope.isEnvelope(content) { return nil }
            return content.body.text(Foreign.resourceType) ?? "Basic"
        }
        if let kept = FHIRKept(content.extra) {
            if case .string(let type)? = kept.resource["resourceType"] { return type }
        }
        return written[content.kind] ?? "Basic"
    }
}
