import FoundationEssentials
import HealthModel

/// An imported resource as a patient summary contains it: complete in itself, without references to what is not there.
struct SummaryResource {
    private let resource: JSONValue
    private let context: FHIRContext

    init(_ resource: JSONValue, _ context: FHIRContext) {
        (self.resource, self.context) = (resource, context)
    }

    /// Reads the resource of an entry that no kind fits; nil for one that states nothing about the patient, such as a refuted
    /// allergy.
    init?(statedBy content: EntryContent) {
        guard content.kind == Foreign.kind,
            // An older version in a history states nothing now.
            content.body.text(Foreign.reference)?.contains(FHIRSource.versionMark) != true,
            let kept = FHIRKept(content.extra), !kept.isFile
        else { return nil }
        self.init(kept.resource, FHIRContext(content.extra))
        let refuted: Set = ["refuted", "entered-in-error"]
        if element.isEnteredInError || codes("verificationStatus").contains(where: refuted.contains) { return nil }
    }

    private var element: FHIRElement { FHIRElement(value: resource, path: DocumentPath()) }

    var type: String { if case .string(let type)? = resource["resourceType"] { type } else { "" } }

    private func codes(_ name: String) -> [String] {
        guard case .array(let codings)? = resource[name]?["coding"] else { return [] }
        return codings.compactMap { if case .string(let code)? = $0["code"] { code } else { nil } }
    }

    /// Whether its source says that what it describes is over.
    var isOver: Bool {
        codes("clinicalStatus").contains { ["inactive", "resolved", "remission"].contains($0) }
    }

    /// What it states, and how sure its source is.
    var words: String {
        let title = FHIRSource.title(of: resource) ?? type
        return ([title] + codes("clinicalStatus") + codes("verificationStatus")).joined(separator: "; ")
    }

    /// The resource under an id, about the patient of the summary.
    ///
    /// A reference to a resource that the summary does not contain keeps its words; one without any is left out.
    func json(id: UUID, named name: String, patient: JSONValue, isResult: Bool) throws -> JSONValue {
        var members: [JSONValue.Member] = []
        for member in resource.members {
            switch member.name {
            case "id": continue
            // They describe the resource at its source.
            case "meta", "text", "implicitRules": continue
            case "contained": if let items = contained(member.value) { members.append(.init("contained", items)) }
            case "subject", "patient": members.append(.init(member.name, patient))
            case "medicationReference": members.append(try medication(member, named: name))
            default:
                if let value = Self.withoutReferences(member.value) { members.append(.init(member.name, value)) }
            }
        }
        if isResult, !members.contains(where: { $0.name == "performer" }) {
            // A summary demands one.
            members.append(.init("performer", [["display": "unknown"]]))
        }
        members.insert(.init("id", .string(id.text)), at: min(1, members.count))
        return .object(members)
    }

    /// The medication of a statement or a request: one that is contained, or the code of the one to which it refers.
    private func medication(_ member: JSONValue.Member, named name: String) throws -> JSONValue.Member {
        if case .string(let target)? = member.value["reference"], target.hasPrefix("#") { return member }
        let reference = FHIRElement(value: member.value, path: DocumentPath())
        let code = try context.target(of: reference, in: element)?.value["code"]
        return .init("medicationCodeableConcept", code ?? ["text": .string(name)])
    }

    /// The resources within the resource, without the numbers by which authorities and insurers know people; nil for none.
    private func contained(_ value: JSONValue) -> JSONValue? {
        guard case .array(let items) = value else { return nil }
        let kept = items.filter { !["Patient", "RelatedPerson", "Coverage"].contains($0["resourceType"]) }
            .map { item in JSONValue.object(item.members.filter { $0.name != "identifier" && $0.name != "text" }) }
        return .list(kept)
    }

    /// A value without references to other resources; nil if nothing is left of it.
    private static func withoutReferences(_ value: JSONValue) -> JSONValue? {
        switch value {
        case .array(let items):
            let kept = items.compactMap(withoutReferences)
            return kept.isEmpty ? nil : .array(kept)
        case .object(let members):
            let kept = members.compactMap { member -> JSONValue.Member? in
                if member.name == "reference", case .string(let target) = member.value, !target.hasPrefix("#") {
                    return nil
                }
                return withoutReferences(member.value).map { .init(member.name, $0) }
            }
            return kept.isEmpty ? nil : .object(kept)
        default:
            return value
        }
    }
}
