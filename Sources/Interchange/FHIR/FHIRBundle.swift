import FoundationEssentials
import HealthModel

/// A Bundle of FHIR R4 that holds resources, which refer to each other by their ids.
struct FHIRBundle {
    private var entries: [JSONValue] = []

    /// Adds a resource; members without a value are left out.
    mutating func add(_ type: String, _ id: UUID, _ members: KeyValuePairs<String, JSONValue?>...) {
        let head: [JSONValue.Member] = [.init("resourceType", .string(type)), .init("id", .string(id.text))]
        let rest = members.joined().compactMap { member in member.value.map { JSONValue.Member(member.key, $0) } }
        entries.append(["fullUrl": .string(FHIR.url(id)), "resource": .object(head + rest)])
    }

    /// The resources in the order in which they were added, as a collection.
    var collection: JSONValue {
        .present(["resourceType": "Bundle", "type": "collection", "entry": .list(entries)])
    }
}
