package import HealthModel

/// The imported resources that are connected with the one of an entry: it refers to them, or they refer to it.
///
/// What a resource says of another one, such as the name of a medication, stands in the kept texts of both.
package struct ConnectedResources {
    /// Where the resources of the entry are found.
    private var addresses: Set<String> = []
    /// All texts of the resources of the entry, among them the addresses to which they refer.
    private var texts: Set<String> = []

    /// `contents` are the contents of the versions of the entry.
    package init(_ contents: [EntryContent]) {
        for content in contents {
            guard let kept = FHIRKept(content.extra), !kept.isPatient else { continue }
            addresses.formUnion(kept.addresses)
            kept.resource.collectTexts(in: &texts)
        }
    }

    package func contains(_ content: EntryContent) -> Bool {
        if addresses.isEmpty && texts.isEmpty { return false }
        // The envelope of a document names all of its resources, and repeats none of them.
        guard !FHIREnvelope.isEnvelope(content), let kept = FHIRKept(content.extra), !kept.isPatient else {
            return false
        }
        if refer(texts, to: kept.addresses) { return true }
        var others: Set<String> = []
        kept.resource.collectTexts(in: &others)
        return refer(others, to: addresses)
    }

    /// Whether one of the texts is one of the addresses, as it is or at a server or in a version.
    private func refer(_ texts: Set<String>, to addresses: Set<String>) -> Bool {
        if addresses.isEmpty { return false }
        return texts.contains { text in
            let address = text.firstRange(of: "/_history/").map { String(text[..<$0.lowerBound]) } ?? text
            if addresses.contains(address) { return true }
            let parts = address.split(separator: "/").suffix(2)
            return parts.count == 2 && addresses.contains(parts.joined(separator: "/"))
        }
    }
}

extension FHIRKept {
    /// Nearly all resources refer to the patient, which says nothing of them.
    fileprivate var isPatient: Bool { resource["resourceType"] == .string("Patient") }

    /// The addresses of the resource: its own in the bundle, and the relative one.
    fileprivate var addresses: Set<String> {
        var addresses: Set<String> = []
        if let address, !address.isEmpty { addresses.insert(address) }
        if case .string(let type)? = resource["resourceType"], case .string(let id)? = resource["id"] {
            addresses.insert("\(type)/\(id)")
        }
        return addresses
    }
}

extension JSONValue {
    /// Adds each text of the value, at any depth.
    fileprivate func collectTexts(in texts: inout Set<String>) {
        switch self {
        case .string(let text): texts.insert(text)
        case .array(let items): for item in items { item.collectTexts(in: &texts) }
        case .object(let members): for member in members { member.value.collectTexts(in: &texts) }
        default: break
        }
    }
}
