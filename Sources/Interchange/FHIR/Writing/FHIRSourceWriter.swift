package import FoundationEssentials
package import HealthModel

/// Puts the resources of an imported Bundle together again.
package struct FHIRSourceWriter {
    private var envelope: FHIREnvelope
    /// What tells the Bundle apart from others.
    private let identity: String
    private var resources: [UUID: JSONValue] = [:]
    private let wanted: Set<UUID>

    /// Reads the envelope of a Bundle, or a further part of `earlier`; nil for another entry.
    package init?(_ content: EntryContent, after earlier: FHIRSourceWriter?) {
        guard let envelope = FHIREnvelope(content), let reference = content.body.text(Foreign.reference) else {
            return nil
        }
        let identity = String(reference.prefix { $0 != "/" })
        if var earlier, earlier.identity == identity {
            earlier.envelope.items += envelope.items
            self = FHIRSourceWriter(earlier.envelope, identity)
        } else {
            self = FHIRSourceWriter(envelope, identity)
        }
    }

    private init(_ envelope: FHIREnvelope, _ identity: String) {
        (self.envelope, self.identity) = (envelope, identity)
        wanted = Set(envelope.items.map(\.entry))
    }

    package func contains(_ entry: UUID) -> Bool { wanted.contains(entry) }

    package mutating func add(_ resource: JSONValue?, for entry: UUID) { resources[entry] = resource }

    /// The members of the Bundle before its entries.
    package var opening: [JSONValue.Member] { envelope.bundle.members }

    /// The entries of the Bundle in their order; those without a resource are left out.
    package var items: [JSONValue] {
        envelope.items.compactMap { item in
            guard let resource = resources[item.entry] else { return nil }
            let around = item.around?.members ?? []
            // The address comes before the resource, and all else after it.
            let address = around.filter { $0.name == "fullUrl" }
            return .object(address + [.init("resource", resource)] + around.filter { $0.name != "fullUrl" })
        }
    }
}
