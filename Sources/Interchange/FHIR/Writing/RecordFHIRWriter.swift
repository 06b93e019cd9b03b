import FoundationEssentials
package import HealthModel

/// Writes a record as resources of FHIR R4: a Patient, and one resource or more for each entry.
///
/// A resource that was imported is written as its text was, with only those parts replaced that a correction changed. What a
/// resource cannot say of its entry is in one extension (``FHIRResidue``), so that reading it brings back the same entry.
package struct RecordFHIRWriter: Sendable {
    /// How the resources are put together.
    package enum Form: String, CaseIterable, Sendable {
        /// A Bundle of the type `collection`.
        case collection
        /// A Bundle that a server can take: each resource is put under its own id.
        case transaction
        /// A Bundle of all versions, the newest first; see ``FHIRVersion``.
        case history
    }

    let record: RecordState
    private let form: Form
    /// The reference to the Patient.
    let patient: JSONValue
    private let patientEntry: EntryState?
    let file: @Sendable (EntryState) throws -> [UInt8]?

    /// Creates the writer of a record.
    ///
    /// `patientEntry` is the entry that keeps the imported Patient; nil if none was imported. `file` returns the bytes of an
    /// entry's file; nil if they are not part of the export.
    package init(
        _ record: RecordState,
        as form: Form = .collection,
        patientEntry: EntryState? = nil,
        file: @escaping @Sendable (EntryState) throws -> [UInt8]?
    ) {
        let address = patientEntry.flatMap { FHIRKept($0.content.extra)?.address } ?? FHIR.url(record.id)
        self.init(record, as: form, address: address, patientEntry: patientEntry, file: file)
    }

    /// Creates the writer of a record whose Patient has an address.
    init(
        _ record: RecordState,
        as form: Form = .collection,
        address: String,
        patientEntry: EntryState?,
        file: @escaping @Sendable (EntryState) throws -> [UInt8]?
    ) {
        self.record = record
        self.form = form
        self.patientEntry = patientEntry
        self.file = file
        patient = ["reference": .string(address)]
    }

    /// Whether an entry keeps an imported Patient.
    package static func isPatient(_ content: EntryContent) -> Bool {
        switch content.kind {
        case Foreign.kind:
            content.body.text(Foreign.resourceType) == "Patient"
                && content.body.text(Foreign.reference)?.contains(FHIRSource.versionMark) != true
        // With a large photo.
        case Document.kind: FHIRKept(content.extra)?.resource["resourceType"] == "Patient"
        default: false
        }
    }

    /// The members of the Bundle before its entries.
    ///
    /// `asOf` is the moment of the record's state.
    package func opening(asOf: Stamp) -> [JSONValue.Member] {
        let identity = "fhir\n\(asOf.position)\n\(form.rawValue)"
        return [
            .init("resourceType", "Bundle"),
            .init("meta", ["tag": [["system": .string(FHIRExtension.bundleSystem), "code": .string(form.rawValue)]]]),
            .init(
                "identifier",
                [
                    "system": "urn:ietf:rfc:3986", "value": .string(FHIR.url(UUID(nameBased: record.id, identity))),
                ]
            ),
            .init("type", .string(form.rawValue)), .init("timestamp", .time(asOf.recordedAt)),
        ]
    }

    /// The entry of the Bundle for the Patient.
    package func patientItem() throws -> JSONValue {
        let members = FHIR.PatientMembers(record.profile)
        let rendered = FHIRRendering.patient(record.id, members, record.profile)
        let kept = patientEntry.flatMap { FHIRKept($0.content.extra) }
        var resource = rendered
        if let kept {
            let before = try FHIRPatient.profile(of: FHIRElement(value: kept.resource, path: DocumentPath()))
            resource = kept.resource
                .patched(
                    from: FHIRRendering.patient(record.id, .init(before), before),
                    to: rendered
                )
                .adding(identifier: FHIR.recordSystem, record.id)
            if let patientEntry { resource = FHIRExtension.marking(resource, as: patientEntry.id) }
        }
        let found = try FHIRPatient.profile(of: FHIRElement(value: resource, path: DocumentPath()))
        if let residue = FHIRResidue(of: record.profile, readBackAs: found) { resource = resource.adding(residue.json) }
        return item(resource, address: kept?.address, id: record.id, kept == nil ? record.updated : nil)
    }

    /// The entries of the Bundle for an entry of the record; none for a bundle's envelope and the imported Patient.
    package func items(_ entry: EntryState) throws -> [JSONValue] {
        try items(entry, saysAll: FHIRKept.saysAll(of: entry.content))
    }

    private func items(_ entry: EntryState, saysAll: Bool) throws -> [JSONValue] {
        let content = entry.content
        if Self.isPatient(content) || FHIREnvelope.isEnvelope(content) { return [] }
        guard let kept = FHIRKept(content.extra) else {
            var resource = FHIRRendering.resource(entry, patient, try file(entry))
            if let residue = residue(of: entry, writtenAs: resource, address: nil) {
                resource = resource.adding(residue.json)
            }
            return [item(resource, address: nil, id: entry.id, entry.latest)]
        }
        let isAsItCame = saysAll || !kept.isFile && kept.says(entry.content)
        let text = isAsItCame ? kept.resource : try corrected(kept, entry)
        // Only a document has a file, which is elsewhere than in the text.
        let whole = try entry.kind == Document.kind ? FHIRKept.putBack(text) { try file(entry) } : text
        guard let whole else { return [] }
        var resource = FHIRExtension.marking(whole, as: entry.id)
        if let context = FHIRContext.mark(of: content.extra), FHIRExtension.hasExtensions(resource) {
            resource = resource.adding(context)
        }
        if !isAsItCame, FHIRExtension.hasExtensions(resource),
            let residue = residue(of: entry, writtenAs: resource, address: kept.address)
        {
            resource = resource.adding(residue.json)
        }
        // Its version and its time are those of its source.
        return [item(resource, address: kept.address, id: entry.id, nil)]
    }

    /// Returns the entries of the Bundle that ``items(_:)`` returns, each as the text of its JSON.
    ///
    /// `level` is the number of arrays and objects around an entry of the Bundle.
    package func written(_ entry: EntryState, level: Int) throws -> [[UInt8]] {
        let saysAll = FHIRKept.saysAll(of: entry.content)
        if saysAll, let copy = copied(entry, level: level) { return [copy] }
        return try items(entry, saysAll: saysAll).map { JSONWriter.bytes($0, .pretty, level: level) }
    }

    /// Returns the entry of the Bundle for an entry whose text says all of it.
    ///
    /// The text is copied without parsing it. Returns nil for a text with a part that has to be replaced or extended.
    private func copied(_ entry: EntryState, level: Int) -> [UInt8]? {
        guard entry.kind != Document.kind, !Self.isPatient(entry.content),
            let kept = FHIRKept.Text(entry.content.extra)
        else { return nil }
        let text = kept.resource.utf8.span
        var json = JSONStream(.pretty, level: level)
        json.beginObject()
        json.name("fullUrl")
        json.add(.string(kept.address ?? FHIR.url(entry.id)))
        json.name("resource")
        guard let found = json.beginObject(copying: text, finding: ["resourceType", "id", "extension"]),
            let type = JSONReader.string(at: found[0], of: text), found[2] == nil
        else { return nil }
        if FHIRExtension.hasExtensions(type) {
            json.name("extension")
            json.add(
                .array([FHIRExtension.mark(entry.id), FHIRContext.mark(of: entry.content.extra)].compactMap(\.self))
            )
        }
        json.end()
        if form == .transaction {
            json.name("request")
            json.add(RecordFHIRWriter.request(type, JSONReader.string(at: found[1], of: text) ?? entry.id.text))
        }
        json.end()
        return json.take()
    }

    /// The text of an imported resource with later corrections, and nothing else; nil for an entry without one.
    package func source(of entry: EntryState) throws -> JSONValue? {
        guard let kept = FHIRKept(entry.content.extra) else { return nil }
        if Self.isPatient(entry.content) {
            let before = try FHIRPatient.profile(of: FHIRElement(value: kept.resource, path: DocumentPath()))
            return kept.resource.patched(
                from: FHIRRendering.patient(record.id, .init(before), before),
                to: FHIRRendering.patient(record.id, .init(record.profile), record.profile)
            )
        }
        return try FHIRKept.putBack(corrected(kept, entry)) { try file(entry) }
    }

    /// The text of an imported resource, with later corrections.
    func corrected(_ kept: FHIRKept, _ entry: EntryState) throws -> JSONValue {
        let element = FHIRElement(value: kept.resource, path: DocumentPath())
        guard case .string(let type)? = kept.resource["resourceType"],
            let meaning = try? FHIRInterpreter.meaning(of: element, type: type, in: FHIRContext(entry.content.extra)),
            meaning.content.kind == entry.kind, !FHIRKept.wasUnchanged(entry.content)
        else { return kept.resource }
        var before = entry
        before.content = meaning.content
        // The file stays where it was in the text.
        for field in [Document.content, Document.missing] where entry.kind == Document.kind {
            before.content.body[field] = entry.content.body[field]
        }
        let (then, now) = (
            FHIRRendering.resource(before, patient, nil, as: type),
            FHIRRendering.resource(entry, patient, nil, as: type)
        )
        var source = kept.resource
        for name in ["dosage", "dosageInstruction"] where then[name] != now[name] {
            // The parts of the dosage that was corrected would contradict its text.
            source = .object(source.members.filter { $0.name != name })
        }
        return source.patched(from: then, to: now).withOneOfEachChoice(of: now)
    }

    /// What reading the resource would not bring back, found by reading it.
    func residue(of entry: EntryState, writtenAs resource: JSONValue, address: String?) -> FHIRResidue? {
        let element = FHIRElement(value: resource, path: DocumentPath())
        let found = try? FHIRSource(element, address: address, around: nil, isDeleted: false)
            .imported(as: entry.id, now: entry.latest.recordedAt, source: "", in: FHIRContext(entry.content.extra))
        var content = found?.entry.content
        if found?.entry.attachment != nil {
            content?.body[Document.content] = entry.content.body[Document.content]
            content?.body[Document.missing] = nil
        }
        return FHIRResidue(of: entry.content, readBackAs: content)
    }

    private func item(_ resource: JSONValue, address: String?, id: UUID, _ stamp: Stamp?) -> JSONValue {
        var resource = resource
        if let stamp { resource = resource.versioned(stamp) }
        let type = if case .string(let type)? = resource["resourceType"] { type } else { "" }
        let own = if case .string(let own)? = resource["id"] { own } else { id.text }
        return .present([
            "fullUrl": .string(address ?? FHIR.url(id)), "resource": resource,
            "request": form == .transaction ? RecordFHIRWriter.request(type, own) : nil,
        ])
    }

    private static func request(_ type: String, _ id: String) -> JSONValue {
        ["method": "PUT", "url": .string("\(type)/\(id)")]
    }
}

extension JSONValue {
    /// The elements of which a resource has one of several types, such as `valueQuantity` or `valueString`.
    private static let choices = ["value", "effective", "onset", "abatement", "performed", "occurrence", "medication"]

    /// The resource with one type of each such element: that of another resource, if there are several.
    fileprivate func withOneOfEachChoice(of other: JSONValue) -> JSONValue {
        func choices(_ choice: String, in resource: JSONValue) -> [String] {
            resource.members.map(\.name)
                .filter { name in
                    name.hasPrefix(choice) && name.dropFirst(choice.count).first?.isUppercase == true
                }
        }
        var removed: Set<String> = []
        for choice in Self.choices {
            let names = choices(choice, in: self)
            guard names.count > 1, let wanted = choices(choice, in: other).first, names.contains(wanted) else {
                continue
            }
            removed.formUnion(names.filter { $0 != wanted })
        }
        if removed.isEmpty { return self }
        return .object(members.filter { !removed.contains($0.name) && !removed.contains(String($0.name.dropFirst())) })
    }

    /// The resource with one more identifier.
    func adding(identifier system: String, _ id: UUID) -> JSONValue {
        let identifier: JSONValue = ["system": .string(system), "value": .string(id.text)]
        return appending(identifier, to: "identifier")
    }

    /// The resource with one more extension.
    func adding(_ item: JSONValue) -> JSONValue { appending(item, to: "extension") }

    private func appending(_ item: JSONValue, to name: String) -> JSONValue {
        guard case .object(var members) = self else { return self }
        if let index = members.firstIndex(where: { $0.name == name }) {
            guard case .array(let items) = members[index].value else { return self }
            members[index].value = .array(items + [item])
        } else {
            members.append(Member(name, [item]))
        }
        return .object(members)
    }

    /// The resource with the position and the time of its last change here.
    func versioned(_ stamp: Stamp) -> JSONValue {
        guard case .object(var members) = self else { return self }
        var meta = self["meta"]?.members.filter { !["versionId", "lastUpdated"].contains($0.name) } ?? []
        meta.insert(Member("lastUpdated", .time(stamp.recordedAt)), at: 0)
        meta.insert(Member("versionId", .string("\(stamp.position)")), at: 0)
        if let index = members.firstIndex(where: { $0.name == "meta" }) {
            members[index].value = .object(meta)
        } else {
            members.insert(Member("meta", .object(meta)), at: min(2, members.count))
        }
        return .object(members)
    }
}
