import HealthModel

/// The parts of a resource that a client wants: `_elements` or `_summary` (https://hl7.org/fhir/R4/search.html#summary).
package struct FHIRSubset: Sendable {
    enum Form: Sendable {
        /// The elements that FHIR marks as a summary.
        case summary
        /// The text for people and what the type demands.
        case text
        /// Everything but the text for people.
        case data
        /// The named elements and what the type demands.
        case elements(Set<String>)
    }

    /// Nil for the whole resource.
    let form: Form?
    /// Whether a search only counts.
    package let isCount: Bool

    private static let tag: JSONValue = [
        "system": "http://terminology.hl7.org/CodeSystem/v3-ObservationValue", "code": "SUBSETTED",
    ]
    /// The members that every subset keeps: without the last two, the others could be misunderstood.
    private static let kept: Set = ["resourceType", "id", "meta", "implicitRules", "modifierExtension"]

    /// Reads the parameters of a search, or of a read, which counts nothing.
    package init(_ parameters: [FHIRSearch.Parameter], ofRead isRead: Bool = false) throws(FHIRSearch.Fault) {
        var summary: Form?
        var isCount = false
        for (name, value) in parameters where name == "_summary" {
            (summary, isCount) = (nil, false)
            switch value {
            case "true": summary = .summary
            case "text": summary = .text
            case "data": summary = .data
            case "false": break
            case "count" where !isRead: isCount = true
            default:
                let values = "true, false, text\(isRead ? " or data" : ", data or count")"
                throw FHIRSearch.Fault(name, "must be \(values)")
            }
        }
        var elements: Set<String> = []
        for (name, value) in parameters where name == "_elements" {
            for element in value.split(separator: ",", omittingEmptySubsequences: false) {
                let element = element.hasSuffix("[x]") ? element.dropLast(3) : element
                guard !element.isEmpty, element.utf8.allSatisfy(\.isLetter) else {
                    throw FHIRSearch.Fault(name, "must be names of elements of a resource, such as code,status")
                }
                elements.insert(String(element))
            }
        }
        guard elements.isEmpty || summary == nil else {
            throw FHIRSearch.Fault("_elements", "cannot be combined with _summary")
        }
        form = elements.isEmpty ? summary : .elements(elements)
        self.isCount = isCount
    }

    /// Returns the parts of a resource, marked as such; the whole resource if it is not known what its type demands.
    package func applied(to resource: JSONValue) -> JSONValue {
        guard let form, case .object(let members) = resource, case .string(let type)? = resource["resourceType"] else {
            return resource
        }
        let chosen: [JSONValue.Member]
        if case .data = form {
            chosen = members.filter { $0.name != "text" && $0.name != "_text" }
        } else {
            guard let known = FHIRElements.of(type) else { return resource }
            let wanted: Set<String> =
                switch form {
                case .summary: known.summary
                case .text: ["text"]
                case .data: []
                case .elements(let names): names
                }
            chosen = Self.members(of: resource, wanted.union(known.mandatory))
        }
        return JSONValue.object(chosen).subsetted(Self.tag)
    }

    private static func members(of resource: JSONValue, _ wanted: Set<String>) -> [JSONValue.Member] {
        let names = wanted.union(kept)
        let chosen = resource.members.filter { FHIRElements.isAny(of: names, $0.name) }
        guard let contained = resource["contained"], !names.contains("contained") else { return chosen }
        // A reference into the resource would lead nowhere.
        let references = FHIRSource.references(in: .object(chosen))
        guard references.contains(where: { $0.hasPrefix("#") }) else { return chosen }
        return chosen + [JSONValue.Member("contained", contained)]
    }
}

extension JSONValue {
    /// The resource with a tag in `meta`.
    fileprivate func subsetted(_ tag: JSONValue) -> JSONValue {
        guard case .object(var members) = self else { return self }
        var tags: [JSONValue] = if case .array(let tags)? = self["meta"]?["tag"] { tags } else { [] }
        if !tags.contains(where: { $0["system"] == tag["system"] && $0["code"] == tag["code"] }) { tags.append(tag) }
        let others = self["meta"]?.members.filter { $0.name != "tag" } ?? []
        let meta = JSONValue.object(others + [Member("tag", .array(tags))])
        if let index = members.firstIndex(where: { $0.name == "meta" }) {
            members[index].value = meta
        } else {
            let place = members.firstIndex { !["resourceType", "id"].contains($0.name) } ?? members.endIndex
            members.insert(Member("meta", meta), at: place)
        }
        return .object(members)
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
    }
}
