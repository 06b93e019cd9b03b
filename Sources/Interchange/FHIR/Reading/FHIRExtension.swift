import FoundationEssentials
import HealthModel

/// The extensions by which a journal recognizes what it wrote; other readers can ignore them.
enum FHIRExtension {
    /// What the resource alone would not bring back, as JSON text: see ``FHIRResidue``.
    static let residue = "residue"
    /// The entry that keeps the text of the resource, which came from another system.
    static let kept = "kept"
    /// What other resources say for the meaning of this one, as JSON text: see ``FHIRContext``.
    static let context = "context"
    /// The year, the basis and the category of a cost.
    static let cost = "cost"

    /// The system of the tag by which a journal recognizes a Bundle that it wrote.
    static let bundleSystem = "urn:healthjournal:export"
    /// The system of the identifiers of entries.
    static let entrySystem = "urn:healthjournal:entry"

    /// Returns an extension of a resource; nil if the resource does not have it.
    static func own(_ name: String, of resource: FHIRElement) throws -> FHIRElement? {
        for item in try resource.objects("extension") {
            if try item.text("url") == FHIR.extensionBase + name { return item }
        }
        return nil
    }

    /// Whether a journal wrote a Bundle: there is nothing around its resources that must be kept.
    static func isOwnBundle(_ bundle: JSONValue) -> Bool {
        guard case .array(let tags)? = bundle["meta"]?["tag"] else { return false }
        return tags.contains { $0["system"] == .string(bundleSystem) }
    }

    /// The entry that a resource is, according to what a journal added to it: an identifier to a resource that it made, and an
    /// extension to one that it kept.
    static func entry(of resource: FHIRElement) -> UUID? {
        if case .string(let text)? = try? own(kept, of: resource)?.value["valueUri"] {
            return UUID(uuidString: String(text.dropFirst("urn:uuid:".count)))
        }
        guard case .array(let identifiers)? = resource.value["identifier"] else { return nil }
        return identifiers.lazy
            .compactMap { identifier -> UUID? in
                guard identifier["system"] == .string(entrySystem), case .string(let text)? = identifier["value"] else {
                    return nil
                }
                return UUID(uuidString: text)
            }
            .first
    }

    /// Whether resources of the type of this one can have extensions.
    static func hasExtensions(_ resource: JSONValue) -> Bool {
        guard case .string(let type)? = resource["resourceType"] else { return true }
        return hasExtensions(type)
    }

    /// Whether resources of a type can have extensions.
    static func hasExtensions(_ type: String) -> Bool { !["Binary", "Bundle", "Parameters"].contains(type) }

    /// Returns the text of an imported resource with the entry that keeps it.
    ///
    /// Some types, such as Binary, have no extensions. They are recognized by their address.
    static func marking(_ resource: JSONValue, as entry: UUID) -> JSONValue {
        hasExtensions(resource) ? resource.adding(mark(entry)) : resource
    }

    /// The extension that names the entry that keeps the text of a resource.
    static func mark(_ entry: UUID) -> JSONValue { FHIR.ownExtension(kept, "Uri", .string(FHIR.url(entry))) }
}

/// Binary data in a resource, in base64.
enum FHIRData {
    /// Returns the bytes; nil if the text is not base64 in its canonical form, from which the same text is made again.
    static func bytes(_ text: String) -> [UInt8]? {
        guard let data = Data(base64Encoded: text), data.base64EncodedString() == text else { return nil }
        return [UInt8](data)
    }

    static func text(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
