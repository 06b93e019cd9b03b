package import FoundationEssentials
package import HealthModel

extension RecordFHIRWriter {
    /// Creates the writer of a service, which addresses resources as `Type/id` by the ids of their entries.
    package init(
        serving record: RecordState,
        patientEntry: EntryState? = nil,
        file: @escaping @Sendable (EntryState) throws -> [UInt8]?
    ) {
        self.init(record, address: "Patient/\(record.id.text)", patientEntry: patientEntry, file: file)
    }

    /// Where the file of a document is.
    package enum Files: Sendable {
        /// In a Binary, whose address the resource has.
        case addressed
        /// In the resource itself.
        case within
    }

    /// Returns the resource of an entry, with its version here; nil for an entry that is not served.
    ///
    /// References lead where they led in the imported document; see ``leading(_:to:)``.
    package func served(_ entry: EntryState, files: Files = .addressed) throws -> JSONValue? {
        let content = entry.content
        if Self.isPatient(content) || FHIREnvelope.isEnvelope(content) { return nil }
        var resource: JSONValue
        if let kept = FHIRKept(content.extra), !kept.isFile {
            let isDocument =
                kept.resource["resourceType"] == "DocumentReference" || kept.resource["resourceType"] == "Media"
            // A text that cannot be interpreted any more is served as it came.
            let current = FHIRKept.saysAll(of: content) ? kept.resource : (try? corrected(kept, entry)) ?? kept.resource
            let isAddressed = isDocument && files == .addressed
            let text = try FHIRKept.putBack(current) { isAddressed ? nil : try file(entry) }
            guard let text else { return nil }
            resource = text.with("id", .string(entry.id.text))
            // Some types have no identifiers, or one; the id is that of the entry anyway.
            if case .array? = resource["identifier"] {
                resource = resource.adding(identifier: FHIRExtension.entrySystem, entry.id)
            }
            if isAddressed, entry.content.fileDigest != nil { resource = resource.addressingFile(of: entry.id) }
        } else {
            let bytes = files == .within ? try file(entry) : nil
            resource = FHIRRendering.resource(entry, patient, bytes)
            if bytes == nil, entry.content.fileDigest != nil { resource = resource.addressingFile(of: entry.id) }
            if let residue = residue(of: entry, writtenAs: resource, address: nil) {
                resource = resource.adding(residue.json)
            }
        }
        return resource.versioned(entry.latest)
    }

    /// Returns the Patient; with the position and the time of the last change, if the reader may know them.
    package func servedPatient(isVersioned: Bool) throws -> JSONValue {
        let resource = (try patientItem()["resource"] ?? [:]).with("id", .string(record.id.text))
        return isVersioned ? resource.versioned(record.updated) : resource.withoutVersion
    }

    /// Returns the references of a resource, except those to resources within it.
    package static func references(in resource: JSONValue) -> Set<String> {
        FHIRSource.references(in: resource).filter { !$0.hasPrefix("#") }
    }

    /// Returns the id of the entry to which a reference of the resource of an entry leads, if it was imported into the record
    /// with a namespace.
    ///
    /// A relative reference starts from the address of the resource, or is one of a source without a name.
    package static func entry(referredToBy reference: String, from content: EntryContent, _ namespace: UUID) -> UUID {
        let link = FHIRContext(content.extra).links.first { $0.name == reference }
        if case .string(let text)? = link?.value, let id = UUID(uuidString: text) { return id }
        let address = FHIRKept(content.extra)?.address
        let identity = FHIRItem.identity(
            referredToBy: reference,
            base: address.flatMap(FHIRItem.base(ofServer:)),
            source: content.body.text(Foreign.source) ?? ""
        )
        return FHIRIds.entry(of: identity, namespace)
    }

    /// Returns the ids of the entries that can state what a retracted entry stated, as other kinds.
    package static func successors(of entry: UUID) -> [UUID] { FHIRGroup.successors(of: entry) }

    /// Returns a resource with its references replaced.
    package static func leading(_ resource: JSONValue, to targets: [String: String]) -> JSONValue {
        if targets.isEmpty { return resource }
        return resource.mapping(member: "reference") { value in
            if case .string(let text) = value, let target = targets[text] { .string(target) } else { value }
        }
    }
}

extension JSONValue {
    /// The resource with a member replaced, or added after the type.
    fileprivate func with(_ name: String, _ value: JSONValue) -> JSONValue {
        guard case .object(var members) = self else { return self }
        if let index = members.firstIndex(where: { $0.name == name }) {
            members[index].value = value
        } else {
            members.insert(Member(name, value), at: Swift.min(1, members.count))
        }
        return .object(members)
    }

    /// The resource without a version and a time of its last change.
    fileprivate var withoutVersion: JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(
            members.compactMap { member in
                guard member.name == "meta" else { return member }
                let kept = member.value.members.filter { !["versionId", "lastUpdated"].contains($0.name) }
                return kept.isEmpty ? nil : Member("meta", .object(kept))
            }
        )
    }

    /// A DocumentReference or Media with the address of its file.
    fileprivate func addressingFile(of entry: UUID) -> JSONValue {
        let url = Member("url", .string("Binary/\(entry.text)"))
        func attachment(_ value: JSONValue) -> JSONValue {
            guard case .object(let members) = value, value["data"] == nil else { return value }
            return .object(members.filter { $0.name != "url" } + [url])
        }
        guard case .object(let members) = self else { return self }
        return .object(
            members.map { member in
                guard member.name == "content" else { return member }
                guard case .array(let items) = member.value else { return Member("content", attachment(member.value)) }
                let changed = items.enumerated()
                    .map { index, item -> JSONValue in
                        guard index == 0, case .object(let parts) = item else { return item }
                        return .object(
                            parts.map { $0.name == "attachment" ? Member($0.name, attachment($0.value)) : $0 }
                        )
                    }
                return Member("content", .array(changed))
            }
        )
    }
}
